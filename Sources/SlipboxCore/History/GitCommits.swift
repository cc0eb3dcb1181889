package import Git

/// The commits that later commits of `git revert` reversed, collected from the newest commit to the oldest.
struct GitReverts {
  private static let mark = "This reverts commit "
  /// Git abbreviates ids to this length or more.
  private static let leastDigits = 4

  /// The ids as the messages spell them, possibly abbreviated.
  private var ids: [String] = []

  /// Reads the message of a commit by git. A revert that was itself reverted counts for nothing.
  mutating func visit(_ commit: Commit) {
    guard commit.messageHolds(Array(Self.mark.utf8)), !contains(commit.id) else { return }
    for line in commit.message.split(whereSeparator: \.isNewline) where line.hasPrefix(Self.mark) {
      let id = line.dropFirst(Self.mark.count).prefix { $0.isASCII && $0.isHexDigit }
      if id.count >= Self.leastDigits { ids.append(id.lowercased()) }
    }
  }

  func contains(_ commit: ObjectID) -> Bool {
    guard !ids.isEmpty else { return false }
    let hex = commit.hex
    return ids.contains { hex.hasPrefix($0) }
  }
}

extension BoxSnapshot {
  /// The commits that other programs made since the last operation of a device, newest first. Undo does not reverse
  /// them.
  ///
  /// Merges are left out. Empty if the device has no operation in this history.
  /// - Parameter limit: the largest number of commits.
  package func commitsByGit(
    sinceOperationOf device: String, limit: Int
  ) throws(SlipboxError) -> [Commit] {
    var commits: [Commit] = []
    var hasOperation = false
    try visitCommits { commit in
      if commit.mayBeOperation {
        let operation = OperationTrailers.operation(of: commit)
        hasOperation = operation.id != nil && operation.device == device
      } else if commit.parents.count < 2, commits.count < limit {
        commits.append(commit)
      }
      return !hasOperation
    }
    return hasOperation ? commits : []
  }
}
