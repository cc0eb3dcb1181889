/// One entry of one tree object.
struct TreeItem: Equatable {
  let name: [UInt8]
  /// As git compares it: one of 040000, 100644, 100755, 120000, 160000.
  let mode: UInt32
  let id: ObjectID

  static let folder: UInt32 = 0o040000
  static let link: UInt32 = 0o120000
  static let submodule: UInt32 = 0o160000

  var isFolder: Bool { mode == Self.folder }
  var isSubmodule: Bool { mode == Self.submodule }
}

/// A tree object's bytes, read entry by entry without copies of the names.
struct Tree: Sendable {
  let bytes: [UInt8]

  static let empty = Tree(bytes: [])

  /// The place of an entry in the bytes.
  struct Place {
    let mode: UInt32
    let name: Range<Int>
    var isFolder: Bool { mode == TreeItem.folder }
    /// The offset of the next entry.
    var end: Int { name.upperBound + 21 }
  }

  /// The entry at an offset; nil at the end, and if the bytes are no entry.
  func place(at offset: Int) -> Place? {
    bytes.withUnsafeBufferPointer { buffer in
      var mode: UInt32 = 0
      var index = offset
      while index < buffer.count, buffer[index] != 32 {
        guard buffer[index] >= 48, buffer[index] < 56, index < offset + 7 else { return nil }
        mode = mode << 3 | UInt32(buffer[index] - 48)
        index += 1
      }
      let start = index + 1
      index = start
      while index < buffer.count, buffer[index] != 0 { index += 1 }
      guard index > start, index + 20 < buffer.count else { return nil }
      return Place(mode: Self.canonical(mode), name: start..<index)
    }
  }

  /// The object that an entry names.
  func id(at place: Place) -> ObjectID {
    bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { ObjectID(loading: $0 + place.name.upperBound + 1) } ?? .zero
    }
  }

  /// The item with a name.
  func item(named name: some Collection<UInt8>) -> TreeItem? {
    let wanted = Array(name)
    var next = 0
    while let place = place(at: next) {
      if place.name.count == wanted.count, bytes[place.name].elementsEqual(wanted) { return item(at: place) }
      next = place.end
    }
    return nil
  }

  /// All items, in the tree's order.
  var items: [TreeItem] {
    var result: [TreeItem] = []
    var next = 0
    while let place = place(at: next) {
      result.append(item(at: place))
      next = place.end
    }
    return result
  }

  func item(at place: Place) -> TreeItem {
    TreeItem(name: Array(bytes[place.name]), mode: place.mode, id: id(at: place))
  }

  /// The modes that git compares; old trees hold others, such as 100664.
  private static func canonical(_ mode: UInt32) -> UInt32 {
    switch mode & 0o170000 {
    case 0o100000: mode & 0o100 != 0 ? 0o100755 : 0o100644
    case TreeItem.link: TreeItem.link
    case TreeItem.folder: TreeItem.folder
    default: TreeItem.submodule
    }
  }
}

extension Tree {
  /// Compares two entries as git orders them in a tree: a folder as if its name ended in "/".
  ///
  /// Returns a negative number, 0 or a positive one.
  static func compare(
    _ left: ArraySlice<UInt8>, isFolder leftIsFolder: Bool, _ right: ArraySlice<UInt8>,
    isFolder rightIsFolder: Bool
  ) -> Int {
    left.withUnsafeBufferPointer { one in
      right.withUnsafeBufferPointer { two in
        let shared = min(one.count, two.count)
        for index in 0..<shared where one[index] != two[index] { return Int(one[index]) - Int(two[index]) }
        let slash = Int(UInt8(ascii: "/"))
        let first = one.count > shared ? Int(one[shared]) : leftIsFolder ? slash : 0
        let second = two.count > shared ? Int(two[shared]) : rightIsFolder ? slash : 0
        return first - second
      }
    }
  }
}

/// A bound for walks over trees that name one another many times: ten levels of ten equal folders are a few objects and
/// ten thousand million files.
struct TreeBudget {
  /// So many bytes of trees may be walked that were walked before: about 200,000 files.
  private static let mostRepeatedBytes = 8 << 20

  private var seen: Set<ObjectID> = []
  private var repeatedBytes = 0

  /// Counts a tree that is about to be walked; false if too much has been walked again and again.
  mutating func allows(_ id: ObjectID, _ tree: Tree) -> Bool {
    guard !seen.insert(id).inserted else { return true }
    repeatedBytes += tree.bytes.count
    return repeatedBytes <= Self.mostRepeatedBytes
  }
}

/// A change of one file in a tree, or of its entry in the index.
package enum TreeEdit: Sendable, Equatable {
  /// Adds or replaces the file; `mode` is 0o100644, 0o100755 or 0o120000.
  case put(path: [UInt8], blob: ObjectID, mode: UInt32)
  /// Takes the file away; if there is none, nothing changes.
  case remove(path: [UInt8])

  package var path: [UInt8] {
    switch self {
    case .put(let path, _, _), .remove(let path): path
    }
  }

  var isPut: Bool {
    if case .put = self { true } else { false }
  }
}

/// The edits of one folder: of its own files, and of the folders in it.
struct FolderChange {
  var files: [[UInt8]: TreeEdit] = [:]
  var folders: [[UInt8]: FolderChange] = [:]

  /// Groups edits that are sorted by path.
  init(_ edits: [TreeEdit]) {
    for edit in edits { add(edit, edit.path[...]) }
  }

  private init() {}

  /// Whether a file is put here or below.
  var puts: Bool {
    files.values.contains(where: \.isPut) || folders.values.contains { $0.puts }
  }

  private mutating func add(_ edit: TreeEdit, _ path: ArraySlice<UInt8>) {
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else {
      files[Array(path)] = edit
      return
    }
    folders[Array(path[..<slash]), default: FolderChange()].add(edit, path[(slash + 1)...])
  }
}

extension PathCheck {
  /// Refuses files that are put at a path and below it at once.
  static func refuseOverlaps(_ paths: [[UInt8]]) throws(GitError) {
    let all = Set(paths)
    for path in paths {
      for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
        guard !all.contains(Array(path[..<index])) else {
          throw GitError(
            .other,
            "\(GitError.text(path[..<index])) can't be both a file and the folder of \(GitError.text(path))")
        }
      }
    }
  }
}

/// Which paths git may hold.
package enum PathCheck {
  /// Refuses a path that git would refuse, or that could leave the work tree or reach into the git folder.
  package static func validate(_ path: [UInt8]) throws(GitError) {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !path.isEmpty, !path.contains(0), path.count <= 4_095, parts.allSatisfy(isName) else {
      throw GitError(.other, "git can't store a file with this path: \(GitError.text(path)); rename it")
    }
  }

  /// Whether git can hold a file at a path.
  package static func isValid(_ path: [UInt8]) -> Bool { (try? validate(path)) != nil }

  /// Whether bytes can be the name of one file or folder in a tree.
  static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else { return false }
    return !isGitFolder(name)
  }

  /// Whether some file system takes a name for ".git": without case, with blanks and dots after it, by its short
  /// name, as a stream, or with characters that are ignored.
  /// Source: git's own checks `hasDotgit`, `is_ntfs_dotgit`, `is_hfs_dotgit`.
  private static func isGitFolder(_ name: ArraySlice<UInt8>) -> Bool {
    let visible = withoutIgnored(name).map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    let base = visible.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\\") }
    let cut = base.reversed().drop { $0 == 32 || $0 == UInt8(ascii: ".") }.reversed()
    return cut.elementsEqual(".git".utf8) || cut.elementsEqual("git~1".utf8)
  }

  /// The name without the characters that HFS+ ignores.
  private static func withoutIgnored(_ name: ArraySlice<UInt8>) -> [UInt8] {
    guard name.contains(where: { $0 >= 0xE2 }) else { return Array(name) }
    let ignored: Set<UInt32> = [
      0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x206A, 0x206B, 0x206C, 0x206D,
      0x206E, 0x206F, 0xFEFF,
    ]
    let text = String(decoding: name, as: UTF8.self)
    let kept = text.unicodeScalars.filter { !ignored.contains($0.value) }
    return Array(String(String.UnicodeScalarView(kept)).utf8)
  }
}
