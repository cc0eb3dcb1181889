import NoteIndex
import Notes
import SlipboxCore

/// What other pages say of a note.
struct SiteNote: Sendable {
  let title: String
  /// The day on which it was made, by its own clock.
  let day: String
  let kind: String
  let tags: [String]
  let modified: Timestamp
  /// Whether there is something left to do; true for a plain note.
  let isOpen: Bool
  let connections: [Connection]
}

/// A note that links or refers to another one.
struct SiteBacklink: Sendable {
  /// The number of the note that holds the links.
  let source: Int
  /// The fields in which they stand, without those of the text.
  var fields: [String]
  /// The sentences around those of the text.
  var sentences: [Snippet]
}
