import Presentation

/// What may be meant by a query that finds little.
///
/// It may take longer than the list itself, which is therefore shown before it is asked for.
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
