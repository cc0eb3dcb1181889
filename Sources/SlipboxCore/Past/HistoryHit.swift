package import Git
package import NoteIndex
package import Notes

/// A time for which a note held what was looked for.
package struct HistoryHit: Sendable {
  /// A commit at an end of it.
  package struct End: Sendable, Equatable {
    package let commit: ObjectID
    package let time: Timestamp
  }

  /// The note as it last held it.
  package let entry: Entry
  /// The id of that content.
  package let blob: ObjectID
  package let began: End
  /// The commit that took it out or deleted the note; nil where the note holds it still.
  package let ended: End?
  /// How many contents of the note held it one after the other.
  package let versions: Int
  /// Lines of the last of them with what was looked for.
  package let snippets: [Snippet]
}
