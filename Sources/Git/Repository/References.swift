import Bytes
import CLibgit2
import Platform

/// The refs of a repository as they lie on disk: one small file each, or a line in `packed-refs`.
package struct References {
  let repository: Repository
  /// The git folder of the work tree that HEAD is read of.
  let gitDirectory: [UInt8]
  var commonDirectory: [UInt8] { repository.commonDirectory }

  /// The value of a ref.
  enum Value: Equatable {
    case absent
    case object(ObjectID)
    case symbolic([UInt8])
  }

  /// The value of a ref; `HEAD` and the like are the worktree's own.
  /// - Throws: `damaged` if the file holds neither an object nor another ref.
  func value(of name: [UInt8]) throws(GitError) -> Value {
    let path = folder(of: name) / name
    let file: (bytes: [UInt8], status: FileStatus)?
    do throws(SystemError) {
      file = try Files.readIfPresent(path, followLinks: false)
    } catch {
      guard error.code == SystemError.Code.tooManyLinksFollowed else {
        throw .system("read", path, code: error.code)
      }
      if let target = Files.linkTarget(path), target.starts(with: "refs/".utf8) { return .symbolic(target) }
      file = try RawFile.read(path)
    }
    guard let text = file?.bytes else { return try packed(name) }
    if text.starts(with: "ref:".utf8) { return .symbolic(Array(text.dropFirst(4)).trimmed) }
    guard let id = ObjectID(hex: text.prefix(40)) else { throw damaged(name, path) }
    return .object(id)
  }

  /// The object that a ref leads to, through others if they are symbolic; nil if the last is absent.
  func object(at name: [UInt8]) throws(GitError) -> ObjectID? { try resolved(name).id }

  /// The object of a ref, by its full name; nil if the ref does not exist.
  package subscript(_ name: String) -> ObjectID? {
    get throws(GitError) { try object(at: Array(name.utf8)) }
  }

  /// The last ref that a ref leads to through others, and its value; nil if it is absent.
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

/// Branches that are damaged, or gone although there was a history.
extension References {
  /// The refusal for a ref that can't be read, with the last commit that its log knows.
  func damaged(_ name: [UInt8], _ path: [UInt8]) -> GitError {
    lost(name, "\(GitError.text(path)) is corrupt: it has no commit id", moving: path)
  }

  /// The refusal for a branch without commit that had one; nil if it is not born yet.
  ///
  /// Its own log tells, which git removes with the branch. If there is none and no ref leads anywhere, so do HEAD's
  /// log, unless it was on another branch before (`git checkout --orphan`), `ORIG_HEAD`, and packs beside an index.
  ///
  /// - Parameter first: A commit that was to be the first: libgit2 writes the log before the branch, so a command that was
  ///   killed in between leaves a line.
  func lostBranch(_ name: [UInt8], expecting first: ObjectID?) -> GitError? {
    let own = LoggedCommits(commonDirectory / "logs" / name)
    let words = "\(GitError.text(name)) refers to a commit that is missing"
    if let last = own.last { return last == first ? nil : lost(name, words) }
    guard !hasAny else { return nil }
    let head = LoggedCommits(gitDirectory / "logs/HEAD")
    if head.last != nil {
      let short = name.dropFirst("refs/heads/".utf8.count)
      guard let branch = head.lastBranch, !branch.elementsEqual(short) else { return lost(name, words) }
      return nil
    }
    let isKnown = RawFile.status(gitDirectory / "ORIG_HEAD") != nil
    let packs = RawFile.names(in: commonDirectory / "objects/pack").contains { $0.hasSuffix(".pack") }
    let hasIndex = (RawFile.status(gitDirectory / "index")?.size ?? 0) > 32
    return isKnown || packs && hasIndex ? lost(name, words) : nil
  }

  /// The commits to which a ref has led, as its log knows: the last one first, each once.
  package func formerCommits(of name: [UInt8]) -> [ObjectID] {
    LoggedCommits(commonDirectory / "logs" / name).all
  }

  private func lost(_ name: [UInt8], _ words: String, moving path: [UInt8]? = nil) -> GitError {
    let logs = [LoggedCommits(commonDirectory / "logs" / name), LoggedCommits(gitDirectory / "logs/HEAD")]
    let commit =
      logs.lazy.compactMap { $0.lastReadable(in: commonDirectory / "objects") }.first ?? originalHead
    var cure: [String] = []
    if let path {
      // Not beside it: git would take it for a ref.
      let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
      let aside = ShellWord.quoted(commonDirectory / (Array("damaged-".utf8) + name))
      cure.append("move the corrupt file away with: mv \(ShellWord.quoted(path)) \(aside)")
    }
    if let commit {
      cure.append("show the last commit with: git show \(commit.hex)")
      cure.append("restore the branch with: git update-ref \(ShellWord.quoted(name)) \(commit.hex)")
      return GitError(
        .lostBranch(commit: commit.hex, cure: cure),
        "\(words); the last commit in its reflog is \(commit.hex)")
    }
    cure.append("find commits with: git fsck --lost-found")
    return GitError(.lostBranch(commit: nil, cure: cure), words)
  }

  private var originalHead: ObjectID? {
    // If it can't be read, it names no commit either.
    let text = (try? RawFile.read(gitDirectory / "ORIG_HEAD")?.bytes) ?? nil
    return text.flatMap { ObjectID(hex: $0.prefix(40)) }
  }

  /// Whether any ref but HEAD leads to an object.
  private var hasAny: Bool {
    if !PackedReferences(commonDirectory / "packed-refs").isEmpty { return true }
    var open = [(path: commonDirectory / "refs", depth: 0)]
    while let folder = open.popLast() {
      for name in RawFile.names(in: folder.path) {
        let path = folder.path / name
        if Files.isFolder(path) {
          if folder.depth < 20 { open.append((path, folder.depth + 1)) }
        } else if let text = try? RawFile.read(path)?.bytes, ObjectID(hex: text.prefix(40)) != nil {
          return true
        }
      }
    }
    return false
  }
}

/// The log of a ref: a line each time that it moved.
///
/// Source: gitformat of reflogs: `OLD NEW NAME <EMAIL> SECONDS ZONE<tab>MESSAGE`.
private struct LoggedCommits {
  /// Longer logs are looked at from their end.
  private static let mostLines = 1_000

  private let lines: [ArraySlice<UInt8>]

  init(_ path: [UInt8]) {
    // A log that can't be read knows nothing.
    let text = (try? RawFile.read(path)?.bytes) ?? nil
    lines = text?.split(separator: 10) ?? []
  }

  /// The new value in the last line of the log; nil if the ref was deleted.
  var last: ObjectID? { lines.last.flatMap(Self.new) }

  /// All of them, the last one first, each once.
  var all: [ObjectID] {
    var seen: Set<ObjectID> = []
    return lines.reversed().prefix(Self.mostLines).compactMap(Self.new).filter { seen.insert($0).inserted }
  }

  /// The branch that HEAD was last moved to by name; nil if it never was.
  var lastBranch: ArraySlice<UInt8>? {
    for line in lines.reversed().prefix(Self.mostLines) {
      guard let tab = line.firstIndex(of: 9) else { continue }
      let message = line[(tab + 1)...]
      guard message.starts(with: "checkout: moving from ".utf8), let blank = message.lastIndex(of: 32) else {
        continue
      }
      return message[(blank + 1)...]
    }
    return nil
  }

  /// The last commit that is still there and whole.
  func lastReadable(in objects: [UInt8]) -> ObjectID? {
    let files = ObjectFiles(objects)
    for line in lines.reversed().prefix(Self.mostLines) {
      guard let id = Self.new(line), case .found(let object) = files.look(for: id, isVerified: true) else {
        continue
      }
      if object.kind == .commit { return id }
    }
    return nil
  }

  private static func new(_ line: ArraySlice<UInt8>) -> ObjectID? {
    let fields = line.split(separator: 32, maxSplits: 2)
    guard fields.count > 1, let id = ObjectID(hex: fields[1]), id != .zero else { return nil }
    return id
  }
}

/// The file in which git keeps the refs that have no file of their own.
///
/// Source: git-pack-refs(1). A line is `ID NAME`, or `^ID` for the target of the tag above it, or begins with `#`.
struct PackedReferences {
  let path: [UInt8]

  init(_ path: [UInt8]) { self.path = path }

  /// The object of a ref; nil if there is no such ref.
  /// - Throws: `damaged` if the file has a line of another form, or one that is cut short: other refs may be missing.
  func object(at name: [UInt8]) throws(GitError) -> ObjectID? {
    var found: ObjectID?
    try forEach { ref, id in if ref.elementsEqual(name) { found = id } }
    return found
  }

  /// The first ref whose name begins so.
  func first(startingWith prefix: [UInt8]) throws(GitError) -> [UInt8]? {
    var found: [UInt8]?
    try forEach { ref, _ in if found == nil, ref.starts(with: prefix) { found = Array(ref) } }
    return found
  }

  /// Whether a ref lies in it, or all lines are unreadable.
  var isEmpty: Bool {
    var count = 0
    return (try? forEach { _, _ in count += 1 }) != nil && count == 0
  }

  private func forEach(_ body: (ArraySlice<UInt8>, ObjectID) -> Void) throws(GitError) {
    guard let text = try RawFile.read(path)?.bytes else { return }
    var start = 0
    while start < text.count {
      guard let end = text[start...].firstIndex(of: 10) else { throw damaged }
      let line = text[start..<end]
      start = end + 1
      if line.first == UInt8(ascii: "#") { continue }
      if line.first == UInt8(ascii: "^"), line.count == 41, ObjectID(hex: line.dropFirst()) != nil {
        continue
      }
      guard line.count > 41, line[line.startIndex + 40] == 32, let id = ObjectID(hex: line.prefix(40)) else {
        throw damaged
      }
      body(line.dropFirst(41), id)
    }
  }

  private var damaged: GitError {
    GitError(.damaged(object: "packed-refs"), "\(GitError.text(path)) is corrupt")
  }
}

/// Refs beside the branches.
extension References {
  /// Makes a ref lead to an object, wherever it led before.
  ///
  /// A command that is killed meanwhile leaves the old object or the new one, and perhaps its lock, which the next one to
  /// set the ref takes over.
  package func set(_ name: String, to id: ObjectID) throws(GitError) {
    let name = Array(name.utf8)
    let lock = try lock(name)
    defer { lock.release() }
    try write(id, to: name)
    // The sync comes after the lock is gone, so that no power cut brings it back.
    lock.release()
    RawFile.syncFolder((commonDirectory / name).parentPath)
  }

  /// The full names that begin alike.
  ///
  /// Wraps `git_reference_list`.
  func names(under prefix: String) throws(GitError) -> [String] {
    let opened = try repository.open()
    var names = git_strarray()
    try GitLibrary.check(git_reference_list(&names, opened.repository), "list the refs")
    defer { git_strarray_dispose(&names) }
    return (0..<names.count).compactMap { names.strings[$0].map { String(cString: $0) } }.filter {
      $0.hasPrefix(prefix)
    }
  }

  /// Removes all refs whose full names begin alike.
  ///
  /// Wraps `git_reference_remove`.
  package func remove(under prefix: String) throws(GitError) {
    let opened = try repository.open()
    for name in try names(under: prefix) {
      try GitLibrary.check(git_reference_remove(opened.repository, name), "remove \(name)")
      // libgit2 makes the folder of a packed ref, for its lock, and writes the file without the ref.
      repository.permissions.shareReference(Array(name.utf8))
      repository.permissions.share(commonDirectory / "packed-refs")
    }
  }

  /// The lock files of the refs whose full names begin with a folder's, such as `refs/remotes/origin`.
  package func locks(under folder: String) -> [[UInt8]] {
    locks(in: commonDirectory / folder)
  }

  private func locks(in folder: [UInt8]) -> [[UInt8]] {
    // A folder that can't be listed has no lock that could be removed.
    let names = (try? Files.list(folder)) ?? []
    return names.flatMap { name -> [[UInt8]] in
      let path = folder / name
      switch RawFile.status(path)?.kind {
      case .directory: return locks(in: path)
      case .file: return name.suffix(5).elementsEqual(".lock".utf8) ? [path] : []
      default: return []
      }
    }
  }
}
