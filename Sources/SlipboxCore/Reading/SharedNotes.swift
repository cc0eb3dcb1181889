import NoteIndex
import Notes
import Synchronization

/// The notes of the commits that were read before, for the next one: those that did not change are not made again.
///
/// Of each path the last note is kept.
final class SharedNotes: Sendable {
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

extension SharedNotes {
  /// The entries of those files whose notes are known, and the files that are left.
  func entries(
    of files: [CommitNotes.File], _ making: CatalogueMaking
  ) -> (entries: [Entry], missing: [CommitNotes.File]) {
    var entries: [Entry] = []
    var missing: [CommitNotes.File] = []
    for file in files {
      if let note = note(at: file.path, file.content) {
        entries.append(making.entry(of: note))
      } else {
        missing.append(file)
      }
    }
    return (entries, missing)
  }

  /// Keeps the notes of files that were read.
  func keep(_ entries: [Entry], of files: [CommitNotes.File]) {
    let contents = Dictionary(files.map { ($0.path, $0.content) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      if let content = contents[entry.note.path] { keep(entry.note, content) }
    }
  }
}
