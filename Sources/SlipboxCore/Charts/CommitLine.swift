import Git

/// The commits from HEAD on, each the first parent of the one before it: the states that the box was in.
struct CommitLine {
  /// The newest first; none before the first commit.
  let commits: [DatedCommit]

  /// - Complexity: linear in the commits of the line, once an index of history is kept.
  init(of box: Box, _ context: CommandContext) throws(SlipboxError) {
    guard let tip = try box.tip() else {
      commits = []
      return
    }
    let index = try box.historyIndex(at: tip, context.reporter)
    commits = try box.git { _ throws(GitError) in try index.firstParents() }
  }

  /// The last commit that was made before an instant, in seconds since 1970; nil where there is none.
  func commit(before instant: Int64) -> ObjectID? { commits.first { $0.committed < instant }?.id }
}
