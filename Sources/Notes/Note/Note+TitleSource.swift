extension Note {
  /// Where the title of a note comes from.
  package enum TitleSource: Sendable {
    case field
    /// The heading that opens the body.
    case heading
    /// The name of the file.
    case file
    case none
  }

  package var titleSource: TitleSource {
    if hasOwnTitle { return .field }
    if heading != nil { return .heading }
    return Note.title(ofFile: path, id: id) == nil ? .none : .file
  }

  /// The titles that somebody gave the note.
  package var givenTitles: [String] { (titleSource == .none ? [] : [title]) + aliases }

  /// The title as it would be shown: on one line, without blanks around it.
  package static func titleOnOneLine(_ text: String) -> String { oneLine(text) }
}
