package import NoteIndex
package import Notes
import Platform

/// A check box of a note, for lists of what is to be done.
package struct Todo: Sendable {
  package let entry: Entry
  /// Counted from 1 in the file.
  package let line: Int
  package let state: CheckBox.State
  package let text: String
  package let due: CivilDate?
}

extension BoxSnapshot {
  /// The check boxes of notes, in the order of the notes and of their lines.
  ///
  /// - Complexity: O(n) in the bytes of the notes; the blocks are read of those alone that hold a box.
  package func todos(in entries: [Entry], _ states: Set<CheckBox.State>) -> [Todo] {
    concurrentMap(entries) { entry -> [Todo] in
      let text = entry.note.text
      guard text.hasBox else { return [] }
      return CheckBox.all(in: text).filter { states.contains($0.state) }.map { box in
        Todo(
          entry: entry, line: box.line, state: box.state,
          text: String(decoding: text.bytes[box.text], as: UTF8.self), due: box.due(in: text.bytes))
      }
    }.flatMap { $0 }
  }
}
