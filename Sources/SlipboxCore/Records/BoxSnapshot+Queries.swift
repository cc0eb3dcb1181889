package import NoteIndex
import Notes

/// What queries find.
extension BoxSnapshot {
  /// The notes that a query finds, in its order.
  package func matches(_ query: Query) throws(SlipboxError) -> [Match] {
    let (query, catalogue) = (try named(query), try catalogue())
    let found = catalogue.matches(
      query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// How many notes a query finds.
  package func count(_ query: Query) throws(SlipboxError) -> Int {
    let (query, catalogue) = (try named(query), try catalogue())
    let found = catalogue.count(
      query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// The places in the catalogue of the notes that each of some queries finds, worked out in one pass over all notes.
  package func places(ofEach queries: [Query]) throws(SlipboxError) -> [[Int]] {
    let catalogue = try catalogue()
    var known: [Query] = []
    for query in queries { known.append(try named(query)) }
    let found = catalogue.places(
      ofEach: known, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// The notes that a query finds, best first, with the lines that show why.
  package func search(_ query: Query) throws(SlipboxError) -> [Match] {
    try withSnippets(try ranked(query), of: query)
  }

  /// The notes that a query finds, best first, without the lines that show why: for those who show a few of many.
  package func ranked(_ query: Query) throws(SlipboxError) -> [Match] {
    let (query, catalogue) = (try named(query), try catalogue())
    let found = catalogue.ranked(
      query, modified: { [self] in modified(at: $0, in: catalogue.entries) }, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// Notes that a query found, with the lines that show why.
  package func withSnippets(_ matches: [Match], of query: Query) throws(SlipboxError) -> [Match] {
    let found = Catalogue.withSnippets(matches, of: query, executor: Self.executor)
    try refuseUnreadTexts()
    return found
  }

  /// The query with the notes that its terms about links name.
  private func named(_ query: Query) throws(SlipboxError) -> Query {
    guard !query.references.isEmpty else { return query }
    return try query.naming { (reference) throws(SlipboxError) in try entry(reference, fuzzy: false).note }
  }
}
