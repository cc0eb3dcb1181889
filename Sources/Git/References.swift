import Glibc

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
    if let status = RawFile.status(path), status.st_mode & S_IFMT == S_IFLNK,
      let target = RawFile.linkTarget(path)
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
    throw GitError(.other, "the ref \(GitError.text(name)) leads through too many others")
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

  private func packed(_ name: [UInt8]) throws(GitError) -> Value {
    guard let text = try RawFile.read(commonDirectory / "packed-refs")?.bytes else { return .absent }
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: 10) ?? text.count
      let line = text[start..<end]
      if line.count == 41 + name.count, line.suffix(name.count).elementsEqual(name), line[start + 40] == 32 {
        guard let id = ObjectID(hex: line.prefix(40)) else {
          throw damaged(name, commonDirectory / "packed-refs")
        }
        return .object(id)
      }
      start = end + 1
    }
    return .absent
  }

  /// The refusal for a ref that holds nonsense, with the last commit that its log knows.
  private func damaged(_ name: [UInt8], _ path: [UInt8]) -> GitError {
    let advice = lastLogged(name).map { id in
      "; the last commit that its log names is \(id.hex): check it with git show, "
        + "then remove the file and run: git update-ref \(GitError.text(name)) \(id.hex)"
    }
    return GitError(
      .damaged(object: GitError.text(name)),
      "\(GitError.text(path)) is damaged: it holds no name of a commit" + (advice ?? ""))
  }

  private func lastLogged(_ name: [UInt8]) -> ObjectID? {
    guard let log = try? RawFile.read(folder(of: name) / "logs" / name)?.bytes else { return nil }
    let lines = log.split(separator: 10)
    for line in lines.reversed().prefix(1_000) {
      let fields = line.split(separator: 32, maxSplits: 2)
      if fields.count > 1, let id = ObjectID(hex: fields[1]), id != .zero { return id }
    }
    return nil
  }
}
