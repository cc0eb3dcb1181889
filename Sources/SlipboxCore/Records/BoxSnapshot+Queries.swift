package import NoteIndex
package import Notes
import Platform
import Text

extension BoxSnapshot {
  /// Returns the links of notes of the box.
  package func linkGraph() throws(SlipboxError) -> LinkGraph {
    LinkGraph(try catalogue(), executor: Processors.all)
  }

  /// Returns the kind of a given note: its own, or the one whose `match:` matches it.
  package func kind(of note: Note) -> String {
    kindMatcher().kind(of: note, created: note.created ?? clock.now)
  }

  /// Parses a query with the kinds and filters of this box, and resolves the names of records in it.
  ///
  /// - Parameter filters: the filters that it may use; by default those of the box.
  /// - Throws: `QueryError` also for an invalid value of a field, and for a name that means no record, or several.
  package func query(
    _ arguments: [String], filters: [String: String]? = nil
  ) throws(QueryError) -> Query {
    let query = try Query.parse(
      arguments, clock: clock, schema: schema(), filters: filters ?? settings.filters
    ) { (try? self.catalogue())?.knownNames(self.schema()) }
    // Without notes no name means a record; the later request that runs the query reports why there are none.
    guard query.needsCatalogue || query.hasComparisonAsText, let catalogue = try? catalogue() else {
      return query
    }
    return try catalogue.binding(query)
  }

  /// Returns the notes that a query finds, in its order.
  package func matches(_ query: Query) throws(SlipboxError) -> [Match] {
    let query = try NoteLookup(in: self).naming(query)
    return try asking { catalogue in
      catalogue.matches(
        query, modified: ModificationTimes(in: self).modified(in: catalogue.entries), executor: Processors.all
      )
    }
  }

  /// Returns the number of notes that a query finds.
  package func count(_ query: Query) throws(SlipboxError) -> Int {
    let query = try NoteLookup(in: self).naming(query)
    return try asking { catalogue in
      catalogue.count(
        query, modified: ModificationTimes(in: self).modified(in: catalogue.entries), executor: Processors.all
      )
    }
  }

  /// Returns the places in the catalogue of the notes that each of some queries finds, in one pass over all notes.
  package func places(ofEach queries: [Query]) throws(SlipboxError) -> [[Int]] {
    var known: [Query] = []
    for query in queries { known.append(try NoteLookup(in: self).naming(query)) }
    return try asking { catalogue in
      catalogue.places(
        ofEach: known, modified: ModificationTimes(in: self).modified(in: catalogue.entries),
        executor: Processors.all)
    }
  }

  /// Returns the notes that a query finds, best first, with the matching lines.
  package func search(_ query: Query) throws(SlipboxError) -> [Match] {
    try withSnippets(try ranked(query), of: query)
  }

  /// Returns the notes that a query finds, best first, without the matching lines: for callers that show a few of many.
  package func ranked(_ query: Query) throws(SlipboxError) -> [Match] {
    let query = try NoteLookup(in: self).naming(query)
    return try asking { catalogue in
      catalogue.ranked(
        query, modified: ModificationTimes(in: self).modified(in: catalogue.entries), executor: Processors.all
      )
    }
  }

  /// Returns notes that a query found, with the matching lines.
  package func withSnippets(_ matches: [Match], of query: Query) throws(SlipboxError) -> [Match] {
    try asking { _ in Catalogue.withSnippets(matches, of: query, executor: Processors.all) }
  }

  /// Returns the places of the notes among some for which a test of records is true; plain notes are open.
  func active(_ matches: [Match], _ question: ActiveTest.Question) -> [Int] {
    guard let entries = matches.first?.entries else { return [] }
    return entries.places(
      matches.map(\.place).sorted(), active: ActiveTest(question, schema: schema(), clock: clock),
      Processors.all)
  }

  /// Answers a request to the catalogue that may read texts, or that uses `Note.textOrEmpty`.
  ///
  /// - Throws: the failure to read a text meanwhile.
  package func asking<Answer>(
    _ ask: (Catalogue) throws(SlipboxError) -> Answer
  ) throws(SlipboxError) -> Answer {
    let catalogue = try catalogue()
    return try texts.answer { () throws(SlipboxError) in try ask(catalogue) }
  }
}

/// The processors of this machine.
package enum Processors {
  /// Runs the work of the index in parallel on all of them.
  package static var all: ParallelExecutor { { stretches, work in _ = concurrentMap(stretches, work) } }
}

extension Settings {
  /// The prefix of the settings that are filters: `filter-NAME: QUERY`, flat, so that each merges on its own.
  static let filterPrefix = "filter-"

  /// The box's own filters by name.
  package var filters: [String: String] {
    var filters: [String: String] = [:]
    for (name, value) in values where name.hasPrefix(Self.filterPrefix) {
      filters[String(name.dropFirst(Self.filterPrefix.count))] = value
    }
    return filters
  }

  /// The built-in filters, then the box's own by name.
  package var allFilters: [(name: String, query: String)] {
    SmartFilters.builtIn + filters.map { (name: $0.key, query: $0.value) }.sorted { $0.name < $1.name }
  }
}
