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
