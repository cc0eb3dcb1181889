import Bytes
package import Git
package import Notes

/// What later work did that keeps an operation from being taken back in one note.
package struct UndoConflict: Sendable {
  /// The note's path in the box, now or when it was last there.
  package let path: [UInt8]
  package let id: NoteID?
  /// The note's title as the operation knew it.
  package let title: String
  /// What is in the way.
  package let reason: Reason

  package enum Reason: Sendable, Equatable {
    /// These fields were set again; `body` is the text, `front-matter` the whole of it.
    case changed([String])
    /// It was deleted since.
    case deleted
    /// It was moved since, and the operation made or moved it.
    case moved
    /// Another file stands where it was.
    case occupied
    /// Its id is that of another note now, at a path.
    case taken(by: [UInt8])
    /// It was made by the operation and changed since: to delete it would lose that.
    case grown
    /// Another program put more into the commit than the operation recorded, for instance by `git commit --amend`.
    case amended(ObjectID)
    /// Records that were made since refer to it.
    case referred([[UInt8]])
  }
}

/// The versions of one note that an operation lies between, to be gone back from one to the other.
struct FileReversal {
  /// The note as it is to be again; nil where there was none.
  let target: NoteVersion?
  /// The note as the operation left it; nil where it deleted it.
  let source: NoteVersion?

  var id: NoteID? { source?.id ?? target?.id }

  /// The paths to which notes go back, by those at which the operation left them.
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

  /// Carries the way back over to a text that may have changed since.
  ///
  /// - Parameters:
  ///   - source: the bytes that the operation left.
  ///   - target: the bytes before it.
  ///   - isUnchanged: whether git stores the text as what the operation left.
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
    let merged = NoteMerge.merge(base: NoteText(source), one: NoteText(current), other: NoteText(target))
    guard let merged else { return .failure(UndoFields(names: [MergePart.frontMatter.name])) }
    return merged.conflicts.isEmpty
      ? .success(merged.text.bytes) : .failure(UndoFields(names: merged.conflicts.map(\.name)))
  }
}

/// The fields that two changes have in common.
struct UndoFields: Error {
  let names: [String]
}
