import Git
import NoteIndex
package import Notes
import Text

/// Reads what stands after `--as-of` and `--at`.
extension Box {
  /// The point in the past that a text names: a revision of git's, an operation, or the end of a date.
  ///
  /// A text that is a date and also the exact name of a branch, a tag or a commit is that; the beginning of a commit's
  /// name is not exact.
  /// - Throws: `.usage` for an empty text, a date that lies ahead, and what fits several commits or operations;
  ///   `.notFound` where there is no such commit, or the date lies before the first one.
  package func pastPoint(
    _ text: String, _ context: CommandContext
  ) throws(SlipboxError) -> PastPoint {
    guard text.utf8.contains(where: { $0 > 0x20 }) else {
      throw SlipboxError(
        .usage, "an empty text is not a revision or date",
        hints: ["a branch, a tag, a commit, an operation, or a date such as yesterday or 2026-11-01"])
    }
    guard let tip = try tip() else {
      throw SlipboxError(.notFound, "the box has no commits yet", hints: ["slip commit"])
    }
    let exact = try git { repository throws(GitError) in try repository.isExactName(text) }
    if !exact, let interval = Self.date(text, context.clock) {
      return try point(text, interval, tip, context)
    }
    let distant = try distantCommit(text, tip, context)
    let commit = if let distant { distant } else { try commit(text, tip) }
    let seconds = try git { repository throws(GitError) in try repository.read(commit) }.committer.seconds
    return PastPoint(name: text, commit: commit, clock: context.clock.at(seconds))
  }

  /// A length of time is the day so long ago, not the time since.
  private static func date(_ text: String, _ clock: ClockReading) -> DateInterval? {
    DateInterval.point(text, clock: clock, looking: .back)
      ?? DateInterval.parse(text, clock: clock, looking: .back)
  }

  /// The last commit of the line of first parents that is not after the end of a date.
  private func point(
    _ text: String, _ date: DateInterval, _ tip: ObjectID, _ context: CommandContext
  ) throws(SlipboxError) -> PastPoint {
    let now = context.clock.now.seconds
    if let start = date.start(clock: context.clock), start > now {
      throw SlipboxError(
        .usage, "\(Visible.escape(text)) is in the future", hints: ["give a date up to today"])
    }
    let last = min((date.end(clock: context.clock) ?? .max) - 1, now)
    let index = try historyIndex(at: tip, context.reporter)
    let found = try git { _ throws(GitError) in try index.lastCommit(notAfter: last) }
    if let found { return PastPoint(name: text, commit: found, clock: context.clock.at(last)) }
    let first = try git { _ throws(GitError) in try index.oldestCommit().seconds }
    throw beginning(after: text, context.clock.at(first).now)
  }

  /// The refusal of a date before the first commit.
  private func beginning(after text: String, _ first: Timestamp) -> SlipboxError {
    let time = String(first.rfc3339.prefix(16))
    let day = String(time.prefix(10))
    return SlipboxError(
      .notFound,
      "\(Visible.escape(text)) is before the first commit\(isCut ? " of this clone" : ""), of \(time)",
      hints: isCut ? [Self.deepening] : ["\(day) is the first day with a commit"])
  }

  private var isCut: Bool { withRepository { $0.isShallow } }

  private static let deepening =
    "this clone is shallow: git fetch --unshallow fetches the rest of its history"
}

extension Box {
  /// So many generations libgit2 finds faster than an index of history is opened.
  private static let near = 256

  /// The commit that lies many generations before HEAD, such as `HEAD~50000`; nil for other texts and where history is
  /// shorter.
  ///
  /// Libgit2 would read every commit between.
  private func distantCommit(
    _ text: String, _ tip: ObjectID, _ context: CommandContext
  ) throws(SlipboxError) -> ObjectID? {
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let generations = Int(parts[1]), generations > Self.near else { return nil }
    let start: ObjectID?
    do throws(GitError) {
      start = try withRepository { repository throws(GitError) in
        try repository.commit(revision: String(parts[0]))
      }
    } catch {
      // What is wrong with the name is said where the whole of it is looked up.
      return nil
    }
    guard start == tip else { return nil }
    let index = try historyIndex(at: tip, context.reporter)
    return try git { _ throws(GitError) in try index.ancestor(generations) }
  }

  /// The commit of a revision or an operation.
  private func commit(_ text: String, _ tip: ObjectID) throws(SlipboxError) -> ObjectID {
    let operations = OperationLookup(self, tip)
    if let id = OperationID(text), let commit = try operations.commit(of: id) { return commit }
    let found: ObjectID?
    do throws(GitError) {
      found = try withRepository { repository throws(GitError) in try repository.commit(revision: text) }
    } catch {
      guard error.reason == .ambiguous else { throw SlipboxError(error) }
      throw SlipboxError(
        .usage, "\(Visible.escape(text)) is an ambiguous commit id",
        hints: ["give more characters"])
    }
    if let found { return found }
    if let commit = try operations.commit(beginning: text) { return commit }
    let shown = text.count > 100 ? text.prefix(100) + "…" : text[...]
    let hints = ["slip log shows the commits; dates are 2026-11-01, yesterday, 3w"]
    throw SlipboxError(
      .notFound, "there is no revision, operation or date \(Visible.escape(String(shown)))",
      hints: (isCut ? [Self.deepening] : []) + hints)
  }
}

extension BoxSnapshot {
  /// When the first commit of the box's history was made, as far as this clone has it; nil before the first one.
  package func beginning() throws(SlipboxError) -> Timestamp? {
    guard let index = try historyIndex() else { return nil }
    let seconds = try box.git { _ throws(GitError) in try index.oldestCommit().seconds }
    return clock.at(seconds).now
  }
}
