import Bytes
package import Git
package import Notes

/// The later work that prevents the reversal of an operation in one note.
package struct UndoConflict: Sendable {
  /// The note's present path in the box, or its last one.
  package let path: [UInt8]
  package let id: NoteID?
  /// The note's title at the time of the operation.
  package let title: String
  /// The reason for the conflict.
  package let reason: Reason

  package enum Reason: Sendable, Equatable {
    /// These fields were set again; `body` means the text, `front-matter` the whole front matter.
    case changed([String])
    /// The note was deleted since.
    case deleted
    /// The note was moved since, and the operation created or moved it.
    case moved
    /// Another file is at the former path.
    case occupied
    /// Another note, at a path, has its id now.
    case taken(by: [UInt8])
    /// The operation created the note, and it has changed since: its deletion would lose the change.
    case grown
    /// Another program put more into the commit than the operation recorded, for example with `git commit --amend`.
    case amended(ObjectID)
    /// Records that were created since refer to it.
    case referred([[UInt8]])
  }
}

/// The versions of one note before and after an operation, for the reversal from one to the other.
struct FileReversal {
  /// The version of the note to restore; nil if there was none.
  let target: NoteVersion?
  /// The version of the note after the operation; nil if the operation deleted it.
  let source: NoteVersion?

  var id: NoteID? { source?.id ?? target?.id }

  /// Returns the paths to which notes move back, by their paths after the operation.
  static func moves(_ reversals: [FileReversal]) -> [[UInt8]: [UInt8]] {
    var moves: [[UInt8]: [UInt8]] = [:]
    for reversal in reversals {
      guard let source = reversal.source, let target = reversal.target, source.path != target.path else {
        continue
      }
      moves[source.path] = target.path
    }
    return moves
  }
  var path: [UInt8] { source?.path ?? target?.path ?? [] }

  /// Applies the reversal to a text that may have changed since. Lines of baked blocks do not count as changes: the text
  /// keeps its own.
  ///
  /// - Parameters:
  ///   - source: the bytes after the operation.
  ///   - target: the bytes before it.
  ///   - isUnchanged: whether git stores the text as the version after the operation.
  /// - Returns: the text, or the fields that were changed since.
  static func carried(
    from source: [UInt8], to target: [UInt8], over current: [UInt8], at path: [UInt8], isUnchanged: Bool
  ) -> Result<[UInt8], UndoFields> {
    if current == source { return .success(target) }
    guard FileName.isNote(path) else {
      if isUnchanged { return .success(target) }
      let merged = LineMerge.merge(base: source, one: current, other: target)
      return merged.conflicts == 0
        ? .success(merged.bytes) : .failure(UndoFields(names: [MergePart.body.name]))
    }
    let text = NoteText(current)
    let merged = NoteMerge.merge(
      base: BakedBlock.aligning(NoteText(source), to: text), one: text,
      other: BakedBlock.aligning(NoteText(target), to: text))
    guard let merged else { return .failure(UndoFields(names: [MergePart.frontMatter.name])) }
    return merged.conflicts.isEmpty
      ? .success(merged.text.bytes) : .failure(UndoFields(names: merged.conflicts.map(\.name)))
  }
}

/// The fields that two changes have in common.
struct UndoFields: Error {
  let names: [String]
}

/// The changes of a commit that its operation recorded, to be undone. Changes that another program added are excluded.
///
/// `git commit --amend` and a squash put other work into slip's commit, under slip's message.
struct RecordedReversals {
  private(set) var reversals: [FileReversal] = []
  /// The notes of the operation whose recorded versions can't be distinguished from the added work.
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
      // Only the digest of the files identifies the content of a new note.
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

  /// Returns the reversal between the versions that the operation recorded; nil if it recorded none, or they are gone.
  private static func reversal(
    of recorded: NoteChange, _ pair: (old: NoteVersion?, new: NoteVersion?), _ box: Box
  ) -> FileReversal? {
    guard let body = recorded.body, let old = body.old, let new = body.new, let before = pair.old,
      let after = pair.new, let oldBytes = try? box.content(of: old, at: before.path),
      let newBytes = try? box.content(of: new, at: after.path)
    else { return nil }
    return FileReversal(
      target: NoteVersion(path: before.path, bytes: oldBytes, blob: old),
      source: NoteVersion(path: after.path, bytes: newBytes, blob: new))
  }
}

extension UndoConflict {
  /// The maximum number of operations that are named for one note.
  private static let mostNamed = 3

  /// Returns the later commits that prevent the reversal of an operation in the note, newest first.
  ///
  /// Empty if the note's file has uncommitted changes.
  /// - Complexity: linear in the commits of the note since the operation.
  package func operationsInTheWay(
    of past: PastOperation, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [HistoryEntry] {
    let history = BoxHistory(of: snapshot)
    var found: [HistoryEntry] = []
    let paths: [[UInt8]]
    if case .amended(let commit) = reason {
      let read = try snapshot.box.git { repository throws(GitError) in try repository.read(commit) }
      return try history.entry(of: read, HistoryFilter()).map { [$0] } ?? []
    }
    switch reason {
    case .referred(let referrers): paths = referrers
    case .taken(let path): paths = [path]
    case .changed, .deleted, .moved, .occupied, .grown, .amended: paths = [self.path]
    }
    for path in paths.prefix(Self.mostNamed) {
      let note = PastNote(path: path, id: path == self.path ? id : nil)
      try history.visit(of: [note], HistoryFilter(wantsChanges: true)) { entry in
        guard entry.commit.id != past.commit.id else { return false }
        if entry.operation.command == "bake" { return true }
        if entry.changes.contains(where: { $0.isInTheWay(reason) }) { found.append(entry) }
        return found.count < Self.mostNamed
      }
    }
    return found
  }
}

extension NoteChange {
  fileprivate func isInTheWay(_ reason: UndoConflict.Reason) -> Bool {
    guard case .changed(let names) = reason else { return true }
    return names.contains { name in
      switch name {
      case MergePart.body.name: body != nil
      case MergePart.frontMatter.name: true
      default: fields.contains { $0.name.hasSameBytes(as: name) }
      }
    }
  }
}
