import Git
import Text

/// The fetched commit that last changed a file of the box, for messages about a fault in that file.
struct FileOrigin {
  /// The commit.
  let commit: Commit
  /// The remote branch that has the commit, such as `origin/main`.
  let branch: String

  /// Finds the commit. Returns nil if the file has uncommitted changes, and if no remote branch has the commit.
  ///
  /// Returns nil also if history can't be read: the fault is reported without its origin then.
  /// - Complexity: linear in the commits since the last change of the file, if the box has remotes.
  init?(of path: [UInt8], in box: Box) {
    guard let found = try? Self.find(path, box) else { return nil }
    (commit, branch) = found
  }

  /// The commit and its branch in a message.
  var phrase: Phrase {
    "commit \(commit.id.hex.prefix(8)) of \(branch) changed it last (\(commit.author.name): \(commit.subject))"
  }

  private static func find(_ path: [UInt8], _ box: Box) throws(SlipboxError) -> (Commit, String)? {
    guard let tip = try box.tip(), let bytes = try box.bytes(at: path),
      try box.bytes(at: path, in: tip) == bytes
    else { return nil }
    let name = box.repositoryPath(path)
    return try box.git { repository throws(GitError) in
      let branches = try remoteBranches(of: repository)
      guard !branches.isEmpty else { return nil }
      var last: Commit?
      try repository.history.visit(from: tip, touching: [name], limit: 1) { commit in
        last = commit
        return false
      }
      guard let last else { return nil }
      for branch in branches where try repository.history.isAncestor(last.id, of: branch.tip) {
        return (last, branch.name)
      }
      return nil
    }
  }

  /// Returns the branch that the current one follows, then the branches of its name on each remote.
  private static func remoteBranches(
    of repository: Repository
  ) throws(GitError) -> [(name: String, tip: ObjectID)] {
    var branches = try repository.remotes.upstream().map { [(name: $0.name, tip: $0.tip)] } ?? []
    guard case .branch(let branch, _) = try repository.head() else { return branches }
    for remote in try repository.remotes.all() {
      let place = try repository.remotes.trackingName(branch, of: remote.name)
      if let tip = try repository.references[place] { branches.append(("\(remote.name)/\(branch)", tip)) }
    }
    return branches
  }
}

extension SlipboxError {
  /// Returns the error about a fault in a file of the box, with the fetched commit that last changed the file.
  func naming(originOf path: [UInt8], in box: Box) -> SlipboxError {
    guard kind == .configuration, let origin = FileOrigin(of: path, in: box) else { return self }
    return adding(hint: origin.phrase)
  }
}

extension FileOrigin {
  /// Returns a description of the fetched commit that last changed a file of the work tree, to be appended to a message;
  /// empty without such a commit.
  static func remark(of path: [UInt8], in snapshot: BoxSnapshot) -> Phrase {
    guard snapshot.source == .workTree, let origin = FileOrigin(of: path, in: snapshot.box) else { return "" }
    return "; \(origin.phrase)"
  }
}
