import NoteIndex
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
    let bytes = JSONDocument.object { writer in
      writer.member("query", request.query)
      writer.member("from", from)
      writer.member("total", order.matches.count)
      writer.key("notes")
      writer.beginArray()
      objects.write(window, to: &writer) { match, writer in
        moment.writeState(of: match.entry, objects, to: &writer)
        guard order.isSearch, let snippet = match.snippets.first else { return }
        writer.key("snippet")
        snippet.writeParts(to: &writer)
      }
      writer.endArray()
      writer.key("titles")
      objects.writeTitles(of: window.lazy.map(\.entry), to: &writer)
    }
    try moment.snapshot.refuseUnreadTexts()
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
