import NoteIndex
import Notes
import Testing

/// Notes of several kinds under a schema, for the tests of what kinds mean to queries.
struct KindBox {
  let schema: Schema
  let catalogue: Catalogue

  /// - Parameters:
  ///   - kinds: the text of each kind's file, by its name.
  ///   - notes: the front-matter of each note, by its name.
  init(kinds: [String: String] = [:], _ notes: KeyValuePairs<String, String>) {
    let read = Schema.reading(kinds.map { (name: "\($0.key).yaml", bytes: Array($0.value.utf8)) })
    #expect(read.problems == [])
    let matcher = KindMatcher(read.schema, clock: clock)
    #expect(matcher.problems.isEmpty)
    schema = read.schema
    catalogue = Catalogue(
      notes.map { name, fields in
        let plain = entry("\(name).md", "---\n\(fields)\n---\n\nThe text of it.\n")
        let kind = matcher.kind(of: plain.note, created: plain.created)
        return Entry(note: plain.note, created: plain.created, kind: kind)
      })
  }

  /// The names of the notes that a query finds, in its order.
  func found(_ arguments: [String], filters: [String: String] = [:]) throws -> String {
    let inOrder = try Query.parse(arguments, clock: clock, schema: schema, filters: filters, names: names)
    _ = try QueryForms.ask(arguments, schema: schema, filters: filters, names: names) { query in
      Set(catalogue.matches(query, modified: \.created).map(Self.name))
    }
    return catalogue.matches(inOrder, modified: \.created).map(Self.name).joined(separator: " ")
  }

  /// The names and values that the notes have.
  func names() -> KnownNames? { catalogue.knownNames(schema) }

  /// The names in alphabetical order.
  func set(_ query: String, filters: [String: String] = [:]) throws -> String {
    try found([query], filters: filters).split(separator: " ").sorted().joined(separator: " ")
  }

  /// The message of the fault in a query; nil where there is none.
  func fault(_ query: String, filters: [String: String] = [:]) -> String? {
    do {
      _ = try Query.parse([query], clock: clock, schema: schema, filters: filters)
      return nil
    } catch {
      return error.message
    }
  }

  private static func name(_ match: Match) -> String {
    String(decoding: match.entry.note.path.dropLast(3), as: UTF8.self)
  }
}
