import Notes

/// The fields that the columns of a table, or the members of objects, are.
///
/// `id`, `title`, `kind`, `created`, `tags` and `body` mean what they do in a note, in any case.
package struct ColumnNames: Sendable {
  private let fields: [(column: String, field: String)]
  static let own = ["id", "title", "kind", "created", "tags", "body"]

  /// - Parameter fields: the fields of columns whose names say something else.
  package init(_ fields: [(column: String, field: String)] = []) { self.fields = fields }

  /// The field that a column is.
  func field(_ column: String) -> String {
    let name = fields.first { $0.column.isSameName(as: column) }?.field ?? column
    return Self.own.first { $0.isSameName(as: name) } ?? name
  }

  /// The columns that are given a field and are not among some names.
  func missing(among columns: [String]) -> [String] {
    fields.map(\.column).filter { name in !columns.contains { $0.isSameName(as: name) } }
  }
}

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
