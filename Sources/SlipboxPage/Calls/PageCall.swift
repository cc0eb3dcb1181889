import Bytes
import Git
import SlipboxCore

/// A request that has passed the guard, on its way to its answer.
struct PageCall: Sendable {
  let request: PageRequest
  let target: RequestTarget
  let box: PageBox
  let caller: Caller

  /// The moment that is asked about: now, or with `at` a point in the past.
  func moment() throws -> PageMoment {
    guard let at = try argument("at"), !at.isEmpty else { return box.now }
    return try box.moment(at: at)
  }

  /// Whether the past is asked about.
  var isOfPast: Bool { target.isOfPast }

  /// An argument as text; nil where there is none.
  func argument(_ name: String) throws(PageError) -> String? { target.text(name) }

  /// An argument that has to be there.
  func required(_ name: String) throws(PageError) -> String {
    guard let text = target.text(name), !text.isEmpty else {
      throw PageError(.badRequest, "\(name) is missing")
    }
    return text
  }

  /// An argument that is a whole number from 0.
  func number(_ name: String, else standard: Int, most: Int = .max) throws(PageError) -> Int {
    guard let text = target.text(name) else { return standard }
    guard let number = Int(text), number >= 0 else {
      throw PageError(.badRequest, "\(name) is a number from 0")
    }
    return min(number, most)
  }

  /// The id of the bytes that the page has read of a note; nil where it names none.
  func etag() throws(PageError) -> ObjectID? {
    guard let text = target.text("etag"), !text.isEmpty else { return nil }
    guard let id = ObjectID(hex: text) else { throw PageError(.badRequest, "the etag is invalid") }
    return id
  }

  /// Refuses arguments that the route does not know: one that is overlooked would be a silent mistake.
  func refuseUnknown(_ known: [String]) throws(PageError) {
    guard let other = target.names.first(where: { !known.contains($0) }) else { return }
    throw PageError(
      .badRequest, "there is no argument \(other)", hints: ["it takes: \(known.joined(separator: ", "))"])
  }
}
