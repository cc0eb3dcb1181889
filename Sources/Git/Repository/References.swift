import Bytes
import Glibc
import Platform

/// The refs of a repository as they lie on disk: one small file each, or a line in `packed-refs`.
struct References {
  let gitDirectory: [UInt8]
  let commonDirectory: [UInt8]

  /// What a ref holds.
  enum Value: Equatable {
    case absent
    case object(ObjectID)
    case symbolic([UInt8])
  }

  /// The value of a ref; `HEAD` and the like are the worktree's own.
  /// - Throws: `damaged` where the file holds neither an object nor another ref.
  func value(of name: [UInt8]) throws(GitError) -> Value {
    let path = folder(of: name) / name
    if let status = RawFile.status(path), status.kind == .symbolicLink,
      let target = Files.linkTarget(path)
    {
      if target.starts(with: "refs/".utf8) { return .symbolic(target) }
    }
    guard let text = try RawFile.read(path)?.bytes else { return try packed(name) }
    if text.starts(with: "ref:".utf8) { return .symbolic(Array(text.dropFirst(4)).trimmed) }
    guard let id = ObjectID(hex: text.prefix(40)) else { throw damaged(name, path) }
    return .object(id)
  }

  /// The object that a ref leads to, through others where they are symbolic; nil where the last is absent.
  func object(at name: [UInt8]) throws(GitError) -> ObjectID? { try resolved(name).id }

  /// The last ref that a ref leads to through others, and what it holds; nil where it is absent.
  func resolved(_ name: [UInt8]) throws(GitError) -> (name: [UInt8], id: ObjectID?) {
    var name = name
    for _ in 0..<5 {
      switch try value(of: name) {
      case .absent: return (name, nil)
      case .object(let id): return (name, id)
      case .symbolic(let next):
        guard Self.isSafe(next) else { throw damaged(name, folder(of: name) / name) }
        name = next
      }
    }
    throw GitError(.other, "the ref \(GitError.text(name)) has too many levels of symbolic refs")
  }

  /// A ref that has the name of another one as its folder; nil if there is none.
  func firstReference(below name: [UInt8]) throws(GitError) -> [UInt8]? {
    var open = [name]
    while let folder = open.popLast() {
      for child in RawFile.names(in: commonDirectory / folder) {
        let ref = folder / child
        if Files.isFolder(commonDirectory / ref) {
          open.append(ref)
        } else if !child.hasSuffix(".lock") {
          return ref
        }
      }
    }
    return try PackedReferences(commonDirectory / "packed-refs").first(startingWith: name / "")
  }

  /// Whether a name stays inside the folder of refs.
  static func isSafe(_ name: [UInt8]) -> Bool {
    let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.starts(with: "refs/".utf8) && !name.contains(0)
      && !parts.contains { $0.isEmpty || $0.first == UInt8(ascii: ".") }
  }

  private func folder(of name: [UInt8]) -> [UInt8] {
    let own = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]
    let isOwn = !name.starts(with: "refs/".utf8) || own.contains { name.starts(with: $0.utf8) }
    return isOwn ? gitDirectory : commonDirectory
  }

  /// The value of a ref that has no file of its own.
  private func packed(_ name: [UInt8]) throws(GitError) -> Value {
    let file = PackedReferences(commonDirectory / "packed-refs")
    do throws(GitError) {
      return try file.object(at: name).map { .object($0) } ?? .absent
    } catch {
      guard case .damaged = error.reason else { throw error }
      throw damaged(name, file.path)
    }
  }
}
