import CLibgit2

/// The four kinds of objects, by the numbers that packs give them.
enum ObjectKind: UInt8 {
  case commit = 1
  case tree = 2
  case blob = 3
  case tag = 4

  /// The word before an object's bytes.
  var name: String {
    switch self {
    case .commit: "commit"
    case .tree: "tree"
    case .blob: "blob"
    case .tag: "tag"
    }
  }

  init?(name: some Sequence<UInt8>) {
    let text = String(decoding: Array(name), as: UTF8.self)
    guard let kind = [Self.commit, .tree, .blob, .tag].first(where: { $0.name == text }) else { return nil }
    self = kind
  }

  /// The kind as libgit2 has it; nil for what is none of the four.
  init?(_ kind: git_object_t) {
    guard let number = UInt8(exactly: kind.rawValue) else { return nil }
    self.init(rawValue: number)
  }

  /// The kind as libgit2 has it.
  var type: git_object_t { git_object_t(rawValue: Int32(rawValue)) }
}

/// An object's kind and bytes, as stored.
struct StoredObject {
  let kind: ObjectKind
  let bytes: [UInt8]
}
