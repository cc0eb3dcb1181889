import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore

/// The outline of a document: the fields of a record, then its headings.
struct DocumentSymbols {
  /// The answer to `textDocument/documentSymbol`.
  enum Answer: Encodable, Sendable {
    case tree([DocumentSymbol])
    case list([SymbolInformation])

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .tree(let symbols): try symbols.encode(to: encoder)
      case .list(let symbols): try symbols.encode(to: encoder)
      }
    }
  }

  private let place: DocumentPlace
  private let lines: LineTable
  private let text: NoteText
  private let anchors: HeadingAnchors

  init(_ place: DocumentPlace) {
    self.place = place
    lines = place.document.lines
    text = place.text
    anchors = HeadingAnchors(text)
  }

  /// A tree if the client shows one, else a list.
  func answer(for client: ClientCapabilities) -> Answer {
    let tree = [fields].compactMap { $0 } + headings(anchors.headings.indices)
    return client.hasHierarchicalSymbols ? .tree(tree) : .list(tree.flatMap { flat($0, in: nil) })
  }

  private func flat(_ symbol: DocumentSymbol, in container: String?) -> [SymbolInformation] {
    let own = SymbolInformation(
      name: symbol.name, kind: symbol.kind,
      location: Location(uri: place.document.uri, range: symbol.range), containerName: container)
    return [own] + symbol.children.flatMap { flat($0, in: symbol.name) }
  }

  /// The headings of a stretch, those below another one in it.
  private func headings(_ numbers: Range<Int>) -> [DocumentSymbol] {
    var symbols: [DocumentSymbol] = []
    var number = numbers.lowerBound
    while number < numbers.upperBound {
      let section = anchors.section(of: number)
      let heading = anchors.headings[number]
      let end = trimmed(NoteLead.end(ofSection: number, anchors, text), from: heading.lines.upperBound)
      symbols.append(
        DocumentSymbol(
          name: anchors.texts[number].isEmpty
            ? String(repeating: "#", count: heading.level) : anchors.texts[number],
          kind: .string, range: lines.range(of: heading.lines.lowerBound..<end),
          selectionRange: lines.range(of: heading.lines),
          children: headings(number + 1..<section.upperBound)))
      number = section.upperBound
    }
    return symbols
  }

  /// The end of a section without the empty lines behind it.
  private func trimmed(_ end: Int, from start: Int) -> Int {
    var end = end
    while end > start, text.bytes[end - 1] <= 0x20 { end -= 1 }
    return end
  }

  /// The front-matter with its fields; nil if there is none.
  private var fields: DocumentSymbol? {
    let places = FieldPlace.all(in: text)
    guard let block = text.block, let first = places.first, let last = places.last else { return nil }
    let children = places.map { place in
      let span =
        place.field.span.lowerBound..<trimmed(place.field.span.upperBound, from: place.name.upperBound)
      return DocumentSymbol(
        name: place.field.name.isEmpty ? "?" : place.field.name,
        detail: place.values.isEmpty ? nil : place.values.map(\.text).joined(separator: ", "),
        kind: .property,
        range: lines.range(of: span), selectionRange: lines.range(of: place.name))
    }
    return DocumentSymbol(
      name: place.box.map { $0.snapshot.kind(of: place.note) } ?? place.note.kind, kind: .namespace,
      range: lines.range(of: block.lowerBound..<trimmed(block.upperBound, from: block.lowerBound)),
      selectionRange: lines.range(
        of: first.name.lowerBound..<max(first.name.upperBound, last.name.upperBound)),
      children: children)
  }
}

/// The kinds of symbols; the numbers of the protocol.
enum SymbolKind: Int, Encodable, Sendable {
  case file = 1
  case namespace = 3
  case property = 7
  case string = 15
}

/// A symbol with its place, for clients that know no trees, and for the symbols of a workspace.
struct SymbolInformation: Encodable, Sendable {
  let name: String
  let kind: SymbolKind
  let location: Location
  let containerName: String?
}

/// A symbol of a document with those in it.
struct DocumentSymbol: Encodable, Sendable {
  let name: String
  var detail: String?
  let kind: SymbolKind
  let range: PositionRange
  let selectionRange: PositionRange
  var children: [DocumentSymbol] = []
}

/// Lines that can be folded into their first one; both counted from 0.
struct FoldingRange: Encodable, Hashable, Sendable {
  let startLine: Int
  let endLine: Int
}

/// The front-matter, the sections and the blocks of code of a document.
struct FoldingRanges {
  private let text: NoteText
  private let lines: LineTable

  init(_ document: OpenDocument) {
    text = document.text
    lines = document.lines
  }

  /// - Parameter limit: how many the client takes; the outermost come first.
  func all(limit: Int?) -> [FoldingRange] {
    let anchors = HeadingAnchors(text)
    let sections = anchors.headings.indices.map { number in
      anchors.headings[number].lines.lowerBound..<NoteLead.end(ofSection: number, anchors, text)
    }
    let blocks = [text.block].compactMap { $0 } + sections + FencedCode.all(in: text)
    let ranges = blocks.compactMap(range).sorted {
      ($0.startLine, $1.endLine) < ($1.startLine, $0.endLine)
    }
    guard let limit, limit < ranges.count else { return ranges }
    let widest = ranges.sorted { $0.endLine - $0.startLine > $1.endLine - $1.startLine }.prefix(max(0, limit))
    return ranges.filter(Set(widest).contains)
  }

  /// The lines of a stretch without the empty ones at its end; nil if there is one alone.
  private func range(_ stretch: Range<Int>) -> FoldingRange? {
    var end = stretch.upperBound
    while end > stretch.lowerBound, text.bytes[end - 1] <= 0x20 { end -= 1 }
    let (first, last) = (lines.line(at: stretch.lowerBound), lines.line(at: max(stretch.lowerBound, end - 1)))
    return last > first ? FoldingRange(startLine: first, endLine: last) : nil
  }
}

/// The notes of all boxes that a query finds: by their names, by the query language, and by their texts; and the open check
/// boxes with its words.
struct WorkspaceSymbols {
  /// So many are sent.
  private static let most = 200
  /// A word of fewer letters is looked for in names alone.
  private static let shortestWord = 2

  private let request: Request

  init(_ request: Request) { self.request = request }

  /// A query that can't be read is not an error: names may be found.
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
    let matches = Array(try snapshot.matches(query.withOpenBoxes).prefix(Self.most))
    return try TodoList(in: snapshot).todos(in: matches, [.open], query: query).prefix(Self.most).map {
      todo in
      let placed = try PlacedNote(todo.note.entry.note, view, request.client.encoding)
      return SymbolInformation(
        name: todo.text, kind: symbolKind,
        location: placed.location(of: placed.lines.content(ofLine: todo.line - 1)),
        containerName: "todo · \(todo.note.names.title)")
    }
  }

  /// The kind of symbols for notes and boxes: clients may know no files.
  private var symbolKind: SymbolKind {
    request.client.capabilities.workspaceSymbolKinds.contains(SymbolKind.file.rawValue) ? .file : .string
  }

  private func symbolsOfNotes(at paths: [[UInt8]], _ view: BoxView) throws -> [SymbolInformation] {
    let encoding = request.client.encoding
    let kind = symbolKind
    return try concurrentMap(throwing: paths) { (path) throws(SlipboxError) -> SymbolInformation? in
      // A note that can't be read any more is left out.
      guard let note = (try? view.snapshot.note(at: path)) ?? nil else { return nil }
      let placed = try PlacedNote(note, view, encoding)
      return SymbolInformation(
        name: note.title, kind: kind, location: placed.location(of: placed.titleRange),
        containerName: "\(view.snapshot.kind(of: note)) · \(String(decoding: path, as: UTF8.self))")
    }.compactMap { $0 }
  }
}
