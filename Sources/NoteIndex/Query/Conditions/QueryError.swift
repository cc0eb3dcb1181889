/// A fault in a query, with its place.
package struct QueryError: Error, Sendable, Equatable {
  /// One line, as a person would say it; it may quote the query, which is not made safe for a terminal.
  package let message: String
  /// The query as it was read: the arguments with a blank between them.
  package let query: String
  /// Where the fault is, for the caret: UTF-8 offsets in `query`.
  package let range: Range<Int>
  /// The text to write in its place, where that is known.
  package let hint: String?

  init(_ message: String, query: String, range: Range<Int>, hint: String? = nil) {
    self.message = message
    self.query = query
    self.range = range
    self.hint = hint
  }

  init(_ fault: QueryFault, in query: [UInt8]) {
    self.init(
      fault.message, query: String(decoding: fault.filter ?? query, as: UTF8.self), range: fault.range,
      hint: fault.hint)
  }
}

/// A fault in a part of a query, without the query: what the parts of the parser throw.
struct QueryFault: Error {
  let message: String
  /// Offsets in the bytes of the query.
  let range: Range<Int>
  let hint: String?
  /// The query of the filter that the range lies in; nil for the query itself.
  let filter: [UInt8]?

  init(_ message: String, at range: Range<Int>, hint: String? = nil, filter: [UInt8]? = nil) {
    self.message = message
    self.range = range
    self.hint = hint
    self.filter = filter
  }
}
