import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore

/// The notes of all boxes that a query finds: by their names, by the query language, and by their texts.
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

  private func symbolsOfNotes(at paths: [[UInt8]], _ view: BoxView) throws -> [SymbolInformation] {
    let encoding = request.client.encoding
    let kind =
      request.client.capabilities.workspaceSymbolKinds.contains(SymbolKind.file.rawValue)
      ? SymbolKind.file : .string
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
