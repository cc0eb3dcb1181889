import Bytes
import Git
import Notes
import Platform

/// The store from which a merge reads commits and files, and in which it stores its results: a repository, or a model of
/// one.
protocol MergeStore {
  /// The folder of the box with a slash at its end, from the root of the repository.
  var prefix: [UInt8] { get }
  /// Returns a commit with its parents, its author and its time.
  func commit(_ id: ObjectID) throws(SlipboxError) -> MergeCommit
  /// Returns the files that differ between two commits, by path; a first commit that is nil has no files.
  func differences(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [FileDifference]
  /// Returns the new paths of notes by their old ones, as the messages of the commits between two commits list them.
  func moves(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [[UInt8]: [UInt8]]
  func file(_ path: [UInt8], at commit: ObjectID) throws(SlipboxError) -> TreeEntry?
  /// Returns the content of a file that is stored as a blob. Behind a filter it is the decoded content.
  func content(of blob: ObjectID, at path: [UInt8]) throws(SlipboxError) -> [UInt8]
  func store(_ content: [UInt8], at path: [UInt8]) throws(SlipboxError) -> ObjectID
  /// Returns whether a filter produces the stored form of a file.
  func isFiltered(_ path: [UInt8]) throws(SlipboxError) -> Bool
  /// Returns the best common ancestors of two commits, in any order; empty if they have none.
  func bases(of one: ObjectID, and other: ObjectID) throws(SlipboxError) -> [ObjectID]
  /// Creates a commit without a branch: the files of another with edits.
  func virtualCommit(
    _ base: ObjectID, _ edits: [TreeEdit], parents: [ObjectID]
  ) throws(SlipboxError) -> ObjectID
}

extension MergeStore {
  func content(of entry: TreeEntry) throws(SlipboxError) -> [UInt8] {
    try content(of: entry.id, at: entry.path)
  }

  /// Returns the blob of a file at another path, which may be behind another filter or none.
  func blob(of entry: TreeEntry, at path: [UInt8]) throws(SlipboxError) -> ObjectID {
    guard entry.path != path, entry.isRegular, try isFiltered(entry.path) != isFiltered(path) else {
      return entry.id
    }
    return try store(try content(of: entry), at: path)
  }
}

extension MergeStore {
  /// A path for a second file that wants a path: beside it, or in a folder of its own if the filter of the path matches its
  /// name alone.
  ///
  /// A file that no filter matches would stay in its encrypted form in the work tree.
  func path(beside path: [UInt8], _ file: MergedFile) throws(SlipboxError) -> [UInt8] {
    let beside = TreeMerge<Self>.path(beside: path, file)
    guard try isFiltered(path), try !isFiltered(beside) else { return beside }
    let mark = file.id?.bytes ?? Array(file.origin.hex.utf8.prefix(8))
    let apart = BytePath.join(BytePath.join(BytePath.folder(of: path), mark), BytePath.name(of: path))
    return try isFiltered(apart) ? apart : beside
  }
}

/// The facts about a commit that a merge needs.
struct MergeCommit: Sendable {
  let parents: [ObjectID]
  let stamp: MergeStamp
  /// Whether slip created the commit from its parents, and it was not amended since.
  let isMergeOfSlip: Bool
}

/// The commits and files of a box's repository, for merges.
struct RepositoryMergeStore: MergeStore {
  /// The message of commits without a branch.
  private static let virtualMessage = "virtual base\n"

  private let box: Box

  init(_ box: Box) { self.box = box }

  var prefix: [UInt8] { box.prefix }

  func commit(_ id: ObjectID) throws(SlipboxError) -> MergeCommit {
    let (commit, parents) = try box.git { repository throws(GitError) in
      let commit = try repository.read(id)
      // History ends at the boundary of a shallow clone.
      let parents = repository.isShallow ? commit.parents.filter { (try? repository.read($0)) != nil } : nil
      return (commit, parents ?? commit.parents)
    }
    return MergeCommit(
      parents: parents, stamp: MergeStamp(commit), isMergeOfSlip: Self.isMerge(commit))
  }

  /// Returns whether slip wrote the commit as a merge. An amended commit has another committer time.
  private static func isMerge(_ commit: Commit) -> Bool {
    guard commit.parents.count > 1 else { return false }
    if commit.message == virtualMessage { return true }
    return OperationTrailers.operation(of: commit).command == "sync"
      && commit.author.seconds == commit.committer.seconds
  }

  func differences(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [FileDifference] {
    try box.git { repository throws(GitError) in try repository.changedFiles(from: old, to: new, under: []) }
  }

  func moves(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    let commits = try box.git { repository throws(GitError) in
      try repository.history.commits(to: new, notTo: old)
    }
    // The first name of each note that a commit moved, by its last one.
    var origins: [[UInt8]: [UInt8]] = [:]
    for commit in commits.reversed() where commit.mayBeOperation {
      let moves = OperationTrailers.operation(of: commit).moves.map { (prefix + $0.key, prefix + $0.value) }
      let first = moves.map { origins.removeValue(forKey: $0.0) ?? $0.0 }
      for (move, origin) in zip(moves, first) { origins[move.1] = origin }
    }
    return Dictionary(
      origins.map { ($0.value, $0.key) }, uniquingKeysWith: { ByteOrder.precedes($0, $1) ? $0 : $1 })
  }

  func file(_ path: [UInt8], at commit: ObjectID) throws(SlipboxError) -> TreeEntry? {
    try box.git { repository throws(GitError) in try repository.file(path, at: commit) }
  }

  func content(of blob: ObjectID, at path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    try box.git { repository throws(GitError) in try repository.conversion.content(of: blob, at: path) }
  }

  func store(_ content: [UInt8], at path: [UInt8]) throws(SlipboxError) -> ObjectID {
    try box.git { repository throws(GitError) in
      try repository.conversion.writeBlob(ofContent: content, path: path)
    }
  }

  func isFiltered(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    try box.git { repository throws(GitError) in try repository.attributes.isFiltered(path) }
  }

  func bases(of one: ObjectID, and other: ObjectID) throws(SlipboxError) -> [ObjectID] {
    try box.git { repository throws(GitError) in try repository.history.mergeBases(of: one, and: other) }
  }

  func virtualCommit(
    _ base: ObjectID, _ edits: [TreeEdit], parents: [ObjectID]
  ) throws(SlipboxError) -> ObjectID {
    try box.git { repository throws(GitError) in
      let signature = Signature(name: "slip", email: "", seconds: 0, offsetMinutes: 0)
      return try repository.writeCommit(
        tree: try repository.writeTree(base: base, edits), parents: parents, message: Self.virtualMessage,
        author: signature, committer: signature)
    }
  }
}

extension MergeStamp {
  /// Creates the stamp of a commit from its time, its author and its device.
  init(_ commit: Commit) {
    let time = Timestamp(seconds: commit.author.seconds, offsetSeconds: commit.author.offsetMinutes * 60)
    self.init(
      seconds: commit.author.seconds, commit: commit.id.hex, when: time.rfc3339, who: commit.author.name,
      device: OperationTrailers.operation(of: commit).device ?? "")
  }
}
