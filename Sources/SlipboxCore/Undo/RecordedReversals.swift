import Git
import Notes

/// The changes of a commit that its operation recorded, to be undone; changes that another program added are not among
/// them.
///
/// `git commit --amend` and a squash put other work into slip's commit, under slip's message.
struct RecordedReversals {
  private(set) var reversals: [FileReversal] = []
  /// The notes of the operation whose recorded versions can't be told from the added work.
  private(set) var amended: [FileReversal] = []

  /// - Parameter pairs: the versions of each file before and after the commit.
  init(
    _ pairs: [(old: NoteVersion?, new: NoteVersion?)], _ operation: Operation, _ box: Box
  ) throws(SlipboxError) {
    guard operation.isWhole else {
      // The message has only the number of notes.
      reversals = pairs.map { FileReversal(target: $0.old, source: $0.new) }
      return
    }
    for (pair, change) in zip(pairs, NoteChange.changes(of: pairs)) {
      let reversal = FileReversal(target: pair.old, source: pair.new)
      guard let change else {
        reversals.append(reversal)
        continue
      }
      guard let recorded = operation.changes.first(where: { $0.note == change.note }) else { continue }
      if recorded == change || recorded.body.map({ $0.old == nil && $0.new == nil }) == true {
        reversals.append(reversal)
      } else if let known = Self.reversal(of: recorded, pair, box), recorded.file == change.file {
        reversals.append(known)
      } else {
        amended.append(reversal)
      }
    }
  }

  /// The reversal between the versions that the operation recorded; nil if it recorded none, or they are gone.
  private static func reversal(
    of recorded: NoteChange, _ pair: (old: NoteVersion?, new: NoteVersion?), _ box: Box
  ) -> FileReversal? {
    guard let body = recorded.body, let old = body.old, let new = body.new, let before = pair.old,
      let after = pair.new, let oldBytes = try? box.blob(old), let newBytes = try? box.blob(new)
    else { return nil }
    return FileReversal(
      target: NoteVersion(path: before.path, bytes: oldBytes, blob: old),
      source: NoteVersion(path: after.path, bytes: newBytes, blob: new))
  }
}
