/// Filters as JSON.
package enum FilterJSON {
  /// A list of filters with their queries.
  package static func list(_ filters: [(name: String, query: String)]) -> [UInt8] {
    JSONDocument.list("filters", filters) { filter, writer in
      writer.object {
        $0.member("name", filter.name)
        $0.member("query", filter.query)
      }
    }
  }
}
