import Git

/// The files of a commit that a change is held against, looked up one by one or, where they are many, all at once.
struct CommittedFiles {
  /// From so many on, one pass over the trees costs less than a way down for each.
  private static let many = 200

  private let box: Slipbox
  private let commit: ObjectID?
  private var all: [[UInt8]: Repository.TreeEntry]?

  /// - Parameter count: how many files will be asked for.
  init(of box: Slipbox, at commit: ObjectID?, count: Int) throws(SlipboxError) {
    self.box = box
    self.commit = commit
    guard let commit, count > Self.many else { return }
    let files = try git { () throws(GitError) in try box.repository.files(at: commit, under: box.prefix) }
    var all: [[UInt8]: Repository.TreeEntry] = [:]
    all.reserveCapacity(files.count)
    for file in files { all[file.path] = file }
    self.all = all
  }

  /// The file of a path of the repository; nil where the commit has none.
  func entry(_ name: [UInt8]) throws(SlipboxError) -> Repository.TreeEntry? {
    guard let commit else { return nil }
    if let all { return all[name] }
    return try git { () throws(GitError) in try box.repository.file(name, at: commit) }
  }
}
