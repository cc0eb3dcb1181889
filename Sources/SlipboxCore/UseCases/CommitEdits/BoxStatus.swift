package import Git
import NoteIndex
import Notes
import Platform

/// What is not committed, and how the branch stands to the one it follows.
package struct BoxStatus: Sendable {
  package let branch: String?
  package let upstream: Repository.Upstream?
  package let changes: [OutsideChange]
  /// Files whose changes a flag of git's index hides; they are never committed.
  package let hiddenChanges: [HiddenChange]
  /// Changes of tracked files that slip leaves to git.
  package let leftToGit: [ChangeLeftToGit]
  /// Settings, kinds and templates that are not committed.
  package let settingsFiles: [[UInt8]]
  /// Files that notes link to and that are not committed.
  package let linkedFiles: [[UInt8]]
  /// Other files of the box that git does not track and no note links to.
  package let otherFileCount: Int
  package let operation: Repository.Operation?
  package let noteCount: Int
  /// The notes in which a merge left something to decide.
  package let conflictCount: Int
  package let unreadable: [UnreadableNote]
  /// Those of them that differ from the last commit.
  package let unreadChanges: [UnreadableNote]
  /// Texts that are in no note: drafts that an editor left, and what could not be saved.
  package let keptTexts: [KeptText]
}

extension BoxSnapshot {
  private func conflictCount() throws(SlipboxError) -> Int {
    // It is always a query.
    guard let query = try? query(["is:conflicted"]) else { return 0 }
    return try matches(query).count
  }

  /// What is not committed.
  /// - Complexity: one look at each file of the box.
  package func status() throws(SlipboxError) -> BoxStatus {
    let committed = try committedFiles()
    let linked = try uncommittedLinkedFiles().map(\.path)
    let known = Set(linked)
    var others = 0
    for path in try otherFiles().paths where !known.contains(path) {
      if try !committed.isTracked(path), try !box.isIgnored(path) { others += 1 }
    }
    let head = try box.git { repository throws(GitError) in try repository.head() }
    let branch: String? = if case .branch(let name, _) = head { name } else { nil }
    let (changes, hidden, unread) = (try outsideChanges(), try hiddenChanges(), try unreadChanges())
    let settings = try uncommittedSettings()
    let committable = changes.map(\.path) + settings + linked
    let refused = Set(try UncommittedFiles(committable, in: box).refusals.map(\.path))
    let isLeft = { (path: [UInt8]) in refused.contains(path) }
    let named = Set(committable + hidden.map(\.path) + unread.map(\.path))
    let left = try changesLeftToGit(besides: named)
    let refusals = try refused.map { (path) throws(SlipboxError) in
      let isValid = PathCheck.isValid(box.repositoryPath(path))
      let change: ChangeLeftToGit.Change = try committed.isTracked(path) ? .changed : .new
      return ChangeLeftToGit(path: path, change: isValid ? change : .unstorable)
    }
    return BoxStatus(
      branch: branch, upstream: try box.git { repository throws(GitError) in try repository.upstream() },
      changes: changes.filter { !isLeft($0.path) }, hiddenChanges: hidden,
      leftToGit: (left + refusals).sorted { $0.path.lexicographicallyPrecedes($1.path) },
      settingsFiles: settings.filter { !isLeft($0) }, linkedFiles: linked.filter { !isLeft($0) },
      otherFileCount: others, operation: box.withRepository { $0.operationUnderWay },
      noteCount: try catalogue().entries.count,
      conflictCount: try conflictCount(), unreadable: try unreadableNotes(),
      unreadChanges: unread,
      keptTexts: box.keptTexts())
  }
}
