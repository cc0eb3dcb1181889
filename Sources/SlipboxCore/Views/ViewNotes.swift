package import NoteIndex

/// The notes that a view shows, in its order.
package struct ViewNotes: Sendable {
  package let matches: [Match]
  /// The one kind that the view is about; nil for none or several.
  package let kind: String?

  /// - Parameter filter: a further query that the notes match; its order and limit come before those of the view.
  /// - Throws: `QueryError` and `SlipboxError` if the query or the order can't be read.
  package init(_ view: View, filter: String = "", in snapshot: BoxSnapshot) throws {
    var query = try snapshot.query(view.query)
    if !view.isTable, let sort = view.sort { query.sort = try SortKey.parse(sort) }
    if !view.isTable, let limit = view.limit { query.limit = limit }
    var narrowing: Query?
    if !filter.isEmpty {
      narrowing = try snapshot.query([filter])
      if let narrowing, !narrowing.sort.isEmpty { query.sort = narrowing.sort }
    }
    var found = try snapshot.matches(query)
    if let narrowing {
      let places = Set(try snapshot.places(ofEach: [narrowing])[0])
      found = found.filter { places.contains($0.place) }
      if let limit = narrowing.limit { found = Array(found.prefix(limit)) }
    }
    matches = view.isReversed && !view.isTable ? found.reversed() : found
    kind = query.kindName ?? narrowing?.kindName
  }
}

extension View {
  /// Whether its notes are the rows of a table.
  package var isTable: Bool { form == .table || form == .list && columns != nil }
}

extension TableRequest {
  /// The table of a view.
  /// - Parameter kind: the one kind that the view is about.
  /// - Throws: `.usage` with a caret for a column that can't be read.
  package init(_ view: View, kind: String?) throws(SlipboxError) {
    self.kind = kind
    if let text = view.columns { columns = try TableColumn.read(text) }
    if let text = view.by { groups = try TableColumn.read(text, option: "--by") }
    hasTotal = view.hasTotal
    sort = view.sort.map { TableSort.read($0) } ?? []
    isReversed = view.isReversed
    limit = view.limit
  }
}
