import Git

/// The files of a commit that a change is held against, looked up one by one or, where they are many, all at once.
struct CommitLookup {
  /// From so many on, one pass over the trees costs less than a way down for each.
  private static let many = 200

  private let box: Box
  private let commit: ObjectID?
  private let all: CommittedFiles?

  /// - Parameter count: how many files will be asked for.
  init(_ box: Box, at commit: ObjectID?, count: Int) throws(SlipboxError) {
    self.box = box
    self.commit = commit
    all = count > Self.many ? try CommittedFiles(box, at: commit, withIndex: false) : nil
  }

  /// The file at a path of the box; nil where the commit has none.
  func file(_ path: [UInt8]) throws(SlipboxError) -> Repository.TreeEntry? {
    guard let commit else { return nil }
    if let all { return try all.file(path) }
    let name = box.repositoryPath(path)
    return try box.git { repository throws(GitError) in try repository.file(name, at: commit) }
  }
}
