/// Queries with names, used as `@name`.
package enum SmartFilters {
  /// The filters that every box has, in the order in which they are shown.
  package static let builtIn: [(name: String, query: String)] = [
    ("all", ""),
    ("recent", "modified:7d"),
    ("issues", "kind:issue"),
    ("books", "kind:book"),
    ("tasks", "kind:task"),
    ("my-day", "kind:task my-day:today"),
    ("overdue", "is:active due:..yesterday"),
    ("leftover", "is:active my-day:..yesterday"),
    ("waiting", "is:waiting"),
  ]
}
