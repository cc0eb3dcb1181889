import Bytes
import Platform

/// Branches that are damaged, or gone although there was a history.
extension References {
  /// The refusal for a ref that can't be read, with the last commit that its log knows.
  func damaged(_ name: [UInt8], _ path: [UInt8]) -> GitError {
    lost(name, "\(GitError.text(path)) is corrupt: it has no commit id", moving: path)
  }

  /// The refusal for a branch without commit that had one; nil where it is not born yet.
  ///
  /// Its own log tells, which git removes with the branch. Where there is none and no ref leads anywhere, so do HEAD's
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
    // Where it can't be read, it names no commit either.
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

  /// What the ref came to with its last line; nil where that is nothing.
  var last: ObjectID? { lines.last.flatMap(Self.new) }

  /// The branch that HEAD was last moved to by name; nil where it never was.
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
