/// The names that the language of queries itself knows.
enum QueryNames {
  /// The names that have a meaning of their own, whatever fields notes have.
  static let fields: Set<String> = [
    "body", "created", "has", "id", "is", "kind", "limit", "linked-by", "links", "modified", "path", "sort",
    "tag",
    "tags", "title",
  ]
  /// The states that `is:` asks for.
  static let states = ["active", "blocked", "blocking", "conflicted", "orphan", "untitled", "waiting"]
}
