import NoteIndex
import Presentation
import SlipboxCore

/// A window of the notes that were deleted, those first that were deleted last.
enum DeletedAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let (from, limit) = (
      try call.number("from", else: 0), try call.number("limit", else: 200, most: ListAnswer.most)
    )
    guard let deleted = try moment.deleted() else { return .json(document(0) { $0.strings([]) }) }
    let request = ListRequest(query: try call.argument("q") ?? "", sort: nil, isOfDeleted: true)
    let order = try moment.list(request) {
      let query = try deleted.snapshot.query([request.query])
      return ListOrder(query: query, matches: try deleted.matches(query))
    }
    let objects = try NoteObjects(deleted.snapshot)
    let bytes = document(order.matches.count) { writer in
      writer.beginArray()
      objects.write(
        order.matches.dropFirst(from).prefix(limit), deletion: { deleted.deletion(of: $0.note) }, to: &writer
      ) { _, _ in }
      writer.endArray()
    }
    try deleted.snapshot.refuseUnreadTexts()
    return .json(bytes)
  }

  private static func document(_ total: Int, _ notes: (inout JSONWriter) -> Void) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("total", total)
      writer.key("notes")
      notes(&writer)
    }
  }
}
