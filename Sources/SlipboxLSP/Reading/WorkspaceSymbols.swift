import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore

/// The notes of all boxes that a query finds: by their names, by the query language, and by their texts; and the open check
/// boxes with its words.
struct WorkspaceSymbols {
  /// So many are sent.
  private static let most = 200
  /// A word of fewer letters is looked for in names alone.
  private static let shortestWord = 2

  private let request: Request

  init(_ request: Request) { self.request = request }

  /// A query that can't be read is no error: names may be found.
  func found(_ query: String) throws -> [SymbolInformation] {
    var symbols: [SymbolInformation] = []
    for view in try request.views() where symbols.count < Self.most {
      let paths = try paths(query, view).prefix(Self.most - symbols.count)
      try request.checkCancelled()
      symbols += try symbolsOfNotes(at: Array(paths), view)
      symbols += try symbolsOfBoxes(query, view).prefix(Self.most - symbols.count)
    }
    return symbols
  }

  /// The paths of the notes, the best first, each once.
  private func paths(_ text: String, _ view: BoxView) throws -> [[UInt8]] {
    let isQuery = text.utf8.contains { "+:@\"()".utf8.contains($0) }
    let named = isQuery ? [] : view.matches(text, most: Self.most).map(\.note.path)
    guard named.count < Self.most, text.utf8.count >= Self.shortestWord else { return named }
    var seen = Set(named)
    let others = try search(text, view).filter { seen.insert($0).inserted }
    if isQuery, others.isEmpty { return view.matches(text, most: Self.most).map(\.note.path) }
    return named + others
  }

  private func search(_ text: String, _ view: BoxView) throws -> [[UInt8]] {
    var query: Query
    do throws(QueryError) {
      query = try view.snapshot.query([text])
    } catch {
      return []
    }
    query.limit = min(query.limit ?? Self.most, Self.most)
    let matches = try view.snapshot.matches(query)
    return matches.map { $0.entries.path(at: $0.place) }
  }

  /// The open check boxes with the words of the query, or those that its terms `is:todo`, `todo:` and `todo-due:` find.
  private func symbolsOfBoxes(_ text: String, _ view: BoxView) throws -> [SymbolInformation] {
    guard text.utf8.count >= Self.shortestWord else { return [] }
    let snapshot = view.snapshot
    let isQuery = text.utf8.contains { "+:@\"()".utf8.contains($0) }
    guard !isQuery || text.contains("todo") else { return [] }
    let terms = isQuery ? [text] : text.split(separator: " ").map { "todo:\($0)" }
    // Words in a form that no query has find no box.
    guard let query = try? snapshot.query(terms) else { return [] }
    let entries = try snapshot.matches(query.withOpenBoxes).prefix(Self.most).compactMap {
      try snapshot.catalogue().entry(path: $0.entries.path(at: $0.place))
    }
    return snapshot.todos(in: entries, [.open], query: query).prefix(Self.most).map { todo in
      let placed = PlacedNote(todo.entry.note, view, request.client.encoding)
      return SymbolInformation(
        name: todo.text, kind: symbolKind,
        location: placed.location(of: placed.lines.content(ofLine: todo.line - 1)),
        containerName: "todo · \(todo.entry.note.title)")
    }
  }

  /// The kind of symbols for notes and boxes: clients may know no files.
  private var symbolKind: SymbolKind {
    request.client.capabilities.workspaceSymbolKinds.contains(SymbolKind.file.rawValue) ? .file : .string
  }

  private func symbolsOfNotes(at paths: [[UInt8]], _ view: BoxView) throws -> [SymbolInformation] {
    let encoding = request.client.encoding
    let kind = symbolKind
    return concurrentMap(paths) { path -> SymbolInformation? in
      // A note that can't be read any more is left out.
      guard let note = (try? view.snapshot.note(at: path)) ?? nil else { return nil }
      let placed = PlacedNote(note, view, encoding)
      return SymbolInformation(
        name: note.title, kind: kind, location: placed.location(of: placed.titleRange),
        containerName: "\(view.snapshot.kind(of: note)) · \(String(decoding: path, as: UTF8.self))")
    }.compactMap { $0 }
  }
}
