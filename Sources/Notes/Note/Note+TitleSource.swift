extension Note {
  /// Where the title of a note comes from.
  package enum TitleSource: Sendable {
    case field
    /// The first heading of the first level.
    case heading
    /// The name of the file.
    case file
    /// The first heading, below the first level; it names a part of the note too.
    case section
    case none
  }

  package var titleSource: TitleSource {
    if hasOwnTitle { return .field }
    if let heading, heading.isTop { return .heading }
    if Note.title(ofFile: path, id: id) != nil { return .file }
    return heading == nil ? .none : .section
  }

  /// The titles that somebody gave the note.
  package var givenTitles: [String] { (titleSource == .none ? [] : [title]) + aliases }

  /// The title as it would be shown: on one line, without blanks around it.
  package static func titleOnOneLine(_ text: String) -> String { oneLine(text) }
}
