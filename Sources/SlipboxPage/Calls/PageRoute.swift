/// A request that is answered: its method, its path, what it takes, and how.
struct PageRoute: Sendable {
  let method: String
  let path: String
  /// The names of the arguments that it takes.
  let arguments: [String]
  /// Where it waits for its turn, unless it asks about a point in the past.
  let queue: PageQueue
  let answer: @Sendable (PageCall) throws -> PageResponse

  /// A question.
  static func get(
    _ path: String, _ arguments: [String] = [], in queue: PageQueue = .questions,
    _ answer: @escaping @Sendable (PageCall) throws -> PageResponse
  ) -> PageRoute {
    PageRoute(method: "GET", path: path, arguments: arguments, queue: queue, answer: answer)
  }

  /// A change.
  static func post(
    _ path: String, _ answer: @escaping @Sendable (PageCall) throws -> PageResponse
  ) -> PageRoute { PageRoute(method: "POST", path: path, arguments: [], queue: .changes, answer: answer) }

  /// Where a request for it waits for its turn.
  func queue(of target: RequestTarget) -> PageQueue {
    arguments.contains("at") && target.isOfPast ? .past : queue
  }
}
