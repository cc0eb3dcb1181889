/// The names that the language of queries itself knows.
enum QueryNames {
  /// The names that have a meaning of their own, whatever fields notes have.
  static let fields: Set<String> = [
    "body", "created", "has", "id", "is", "kind", "limit", "linked-by", "links", "modified", "path", "sort",
    "tag",
    "tags", "title",
  ]
  /// The fields whose relative dates look ahead; a list with a range of one is ordered by it.
  static let datesAhead: Set<String> = ["due", "my-day", "scheduled"]
  /// The states that `is:` asks for.
  static let states = ["active", "blocked", "blocking", "conflicted", "orphan", "untitled", "waiting"]
}
