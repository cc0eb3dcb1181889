/// Names of fields that mean something of their own in a note.
enum ReservedNames {
  private static let all: Set<String> = [
    "id", "identifier", "title", "aliases", "alias", "kind", "created", "date", "modified", "tags", "tag",
    "keywords", "categories", "path", "body", "conflicts",
  ]

  /// The name for a field of another program: its own, or with a word before it where the own one is taken.
  static func free(_ name: String, _ program: String) -> String {
    all.contains(name.lowercased()) ? "\(program)-\(name)" : name
  }

  static func contains(_ name: String) -> Bool { all.contains(name.lowercased()) }
}
