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
  let matches: [Match]
  /// Whether words were looked for, so that snippets belong to the notes.
  let isSearch: Bool
  /// What may be meant by a query that finds little; nil for nothing to say.
  let hint: String?
}
