import NoteIndex

/// A list that is asked for.
struct ListRequest: Equatable, Sendable {
  let query: String
  let sort: String?
  /// Whether deleted notes are asked for.
  var isOfDeleted = false
}

/// The notes of a list in their order.
struct ListOrder: Sendable {
  let query: Query
  /// Without the lines that show why: these are found for the window that is asked for.
  let matches: [Match]

  /// Whether words were looked for, so that snippets belong to the notes.
  var isSearch: Bool { query.hasText }
}
