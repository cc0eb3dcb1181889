/// A request that is answered: its method, its path, what it takes, and how.
struct PageRoute: Sendable {
  let method: String
  let path: String
  /// The names of the arguments that it takes.
  let arguments: [String]
  let answer: @Sendable (PageCall) throws -> PageResponse

  /// A question.
  static func get(
    _ path: String, _ arguments: [String] = [],
    _ answer: @escaping @Sendable (PageCall) throws -> PageResponse
  ) -> PageRoute { PageRoute(method: "GET", path: path, arguments: arguments, answer: answer) }

  /// A change.
  static func post(
    _ path: String, _ answer: @escaping @Sendable (PageCall) throws -> PageResponse
  ) -> PageRoute { PageRoute(method: "POST", path: path, arguments: [], answer: answer) }
}
