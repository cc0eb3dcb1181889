import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// A window of a list of notes.
enum ListAnswer {
  /// The most notes of one answer.
  static let most = 500

  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let request = ListRequest(query: try call.argument("q") ?? "", sort: try call.argument("sort"))
    let (from, limit) = (try call.number("from", else: 0), try call.number("limit", else: 200, most: most))
    let order = try moment.list(request) { try self.order(request, moment.snapshot) }
    let objects = try moment.objects()
    let ranked = Array(order.matches.dropFirst(from).prefix(limit))
    let window = order.isSearch ? try moment.snapshot.withSnippets(ranked, of: order.query) : ranked
    let bytes = try JSONDocument.object { (writer) throws(SlipboxError) in
      writer.member("query", request.query)
      writer.member("from", from)
      writer.member("total", order.matches.count)
      writer.key("notes")
      writer.beginArray()
      try objects.write(window, to: &writer) { match, writer in
        moment.writeState(of: match.entry, objects, to: &writer)
        guard order.isSearch, let snippet = match.snippets.first else { return }
        writer.key("snippet")
        snippet.writeParts(to: &writer)
      }
      writer.endArray()
      writer.key("titles")
      objects.writeTitles(of: window.lazy.map(\.entry), to: &writer)
    }
    call.box.noteList(moment)
    return .json(bytes).with(PageResponse.stateHeader, call.isOfPast ? call.box.state : moment.state)
  }

  /// The notes of a list: in the order of `slip list`, of `slip search` where words are looked for.
  static func order(_ request: ListRequest, _ snapshot: BoxSnapshot) throws -> ListOrder {
    var query = try snapshot.query([request.query])
    if let sort = request.sort, !sort.isEmpty { query.sort = try SortKey.parse(sort) }
    return ListOrder(
      query: query, matches: query.hasText ? try snapshot.ranked(query) : try snapshot.matches(query))
  }
}

/// A window of the notes that were deleted, those first that were deleted last.
enum DeletedAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let (from, limit) = (
      try call.number("from", else: 0), try call.number("limit", else: 200, most: ListAnswer.most)
    )
    guard let deleted = try moment.deleted() else {
      return .json(document(0, { $0.strings([]) }, titles: { $0.object { _ in } }))
    }
    let request = ListRequest(query: try call.argument("q") ?? "", sort: nil, isOfDeleted: true)
    let order = try moment.list(request) {
      let query = try deleted.snapshot.query([request.query])
      return ListOrder(query: query, matches: try deleted.matches(query))
    }
    let objects = try NoteObjects(deleted.snapshot)
    let window = order.matches.dropFirst(from).prefix(limit)
    // A record that a deleted note refers to may be deleted too, or not.
    let present = try moment.objects()
    let bytes = try document(
      order.matches.count,
      { (writer) throws(SlipboxError) in
        writer.beginArray()
        try objects.write(window, deletion: { deleted.deletion(of: $0.note) }, to: &writer) { _, _ in }
        writer.endArray()
      }, titles: { present.writeTitles(of: window.lazy.map(\.entry), else: objects, to: &$0) })
    return .json(bytes)
  }

  private static func document<Failure: Error>(
    _ total: Int, _ notes: (inout JSONWriter) throws(Failure) -> Void, titles: (inout JSONWriter) -> Void
  ) throws(Failure) -> [UInt8] {
    try JSONDocument.object { (writer) throws(Failure) in
      writer.member("total", total)
      writer.key("notes")
      try notes(&writer)
      writer.key("titles")
      titles(&writer)
    }
  }
}

/// Suggestions for a query with few results.
///
/// They may take longer than the list itself, so the page requests them after it has shown the list.
enum HintAnswer {
  /// Of so many notes or more nothing is said of the beginnings of longer words.
  private static let enough = 10

  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let request = ListRequest(query: try call.argument("q") ?? "", sort: nil)
    let order = try moment.list(request) { try ListAnswer.order(request, moment.snapshot) }
    let hints = QueryHints(order.query, in: moment.snapshot)
    var lines = order.matches.isEmpty ? hints.unfit() : hints.unknownNames()
    if order.isSearch, order.matches.count < enough {
      lines += hints.beginnings(besides: order.matches.count)
    }
    return .json(JSONDocument.object { $0.member("hints", of: lines) { $1.string($0) } })
  }
}

/// The open check boxes of the notes that a query finds, those that are due first.
enum TodosAnswer {
  private static let most = 500

  static func answer(_ call: PageCall) throws -> PageResponse {
    let snapshot = try call.moment().snapshot
    let query = try snapshot.query([try call.argument("q") ?? ""])
    let todos = try TodoList(in: snapshot).open(query).todos
    return .json(
      JSONDocument.object { writer in
        writer.member("total", todos.count)
        writer.member("todos", of: TodoOrder.due.sorted(todos).prefix(most)) { todo, writer in
          writer.object { writer in
            writer.member("ref", todo.note.name)
            writer.member("title", todo.note.names.title)
            writer.member("line", todo.line)
            writer.member("text", todo.text)
            writer.member("due", todo.due?.description)
          }
        }
      })
  }
}
