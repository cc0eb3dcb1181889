import NoteIndex

/// What a rename at a place of a text gives another name.
struct RenamePlace {
  enum Target {
    case note(Entry)
    /// A heading by its number among those of its note.
    case heading(Entry, number: Int)
    case tag(String)
  }

  let target: Target
  /// The bytes of the name in the text.
  let range: Range<Int>
  /// The name now.
  let name: String
}
