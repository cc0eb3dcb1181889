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
    let all = pairs.map { FileReversal(target: $0.old, source: $0.new) }
    let isIntact = operation.filesDigest.map { $0 == Self.digest(of: pairs) }
    if isIntact == true || isIntact == nil && !operation.isWhole {
      reversals = all
      return
    }
    guard operation.isWhole else {
      // The message has only the number of notes.
      amended = all
      return
    }
    let changes = NoteChange.changes(of: pairs)
    let own = zip(pairs, changes).filter { _, change in
      guard let change else { return false }
      return operation.changes.contains { $0.note == change.note }
    }
    if isIntact == false, operation.filesDigest == Self.digest(of: own.map { $0.0 }) {
      // Only other files were added.
      reversals = own.map { pair, _ in FileReversal(target: pair.old, source: pair.new) }
      return
    }
    for (pair, change) in zip(pairs, changes) {
      let reversal = FileReversal(target: pair.old, source: pair.new)
      guard let change else {
        reversals.append(reversal)
        continue
      }
      guard let recorded = operation.changes.first(where: { $0.note == change.note }) else { continue }
      // Only the digest of the files tells what a new note held.
      if isIntact == false, pair.old == nil {
        amended.append(reversal)
      } else if recorded == change || recorded.body.map({ $0.old == nil && $0.new == nil }) == true {
        reversals.append(reversal)
      } else if let known = Self.reversal(of: recorded, pair, box), recorded.file == change.file {
        reversals.append(known)
      } else {
        amended.append(reversal)
      }
    }
  }

  private static func digest(of pairs: [(old: NoteVersion?, new: NoteVersion?)]) -> String {
    var files: [[UInt8]: FilesDigest.File] = [:]
    for version in pairs.compactMap(\.old) {
      files[version.path] = FilesDigest.File(path: version.path, old: version.blob, new: nil)
    }
    for version in pairs.compactMap(\.new) {
      files[version.path] = FilesDigest.File(
        path: version.path, old: files[version.path]?.old, new: version.blob)
    }
    return FilesDigest.of(Array(files.values))
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
