package import Notes

/// One note in the catalogue.
package struct Entry: Sendable {
  package let note: Note
  /// When the note was made: by the note itself, its history or its file.
  package let created: Timestamp
  /// The kind that the note counts as: its own, or the one whose `match:` fits it.
  package let kind: String

  /// Puts a note into the catalogue's terms.
  ///
  /// - Parameter kind: nil for the note's own.
  package init(note: Note, created: Timestamp, kind: String? = nil) {
    self.note = note
    self.created = created
    self.kind = kind ?? note.kind
  }

  /// A note as an entry, for questions that depend on neither its date nor its kind.
  package init(undated note: Note) { self.init(note: note, created: Timestamp(seconds: 0, offsetSeconds: 0)) }

  /// The id of the note, else its path, which is not made safe for a terminal.
  package var name: String {
    note.id?.description ?? String(decoding: note.path, as: UTF8.self)
  }
}

extension Entry {
  /// Whether the entry stands before another one in the catalogue: newest first, then by id, then by path.
  func precedes(_ other: Entry) -> Bool {
    let (own, others) = (EntryKey(self), EntryKey(other))
    if own.precedes(others) { return true }
    return !others.precedes(own) && note.path.lexicographicallyPrecedes(other.note.path)
  }
}

extension EntryKey {
  init(_ entry: Entry) { self.init(created: entry.created, id: entry.note.id) }
}
