import NoteIndex
import Notes
import Synchronization

/// The notes of the commits that were read before, for the next one: those that did not change are not made again.
///
/// Of each path the last note is kept.
final class PastNotes: Sendable {
  private struct Known {
    let content: ContentID
    let note: Note
  }

  private let notes = Mutex<[[UInt8]: Known]>([:])

  /// The note of a file, where the last one at its path had the same content.
  func note(at path: [UInt8], _ content: ContentID) -> Note? {
    notes.withLock { notes in
      guard let known = notes[path], known.content == content else { return nil }
      return known.note
    }
  }

  /// Keeps the note of a file in place of an older one at its path.
  func keep(_ note: Note, _ content: ContentID) {
    notes.withLock { $0[note.path] = Known(content: content, note: note) }
  }
}
