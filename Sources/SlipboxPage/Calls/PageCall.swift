import Bytes
import SlipboxCore

/// A request that has passed the guard, on its way to its answer.
struct PageCall: Sendable {
  let request: PageRequest
  let target: RequestTarget
  let box: PageBox

  /// The moment that is asked about: now, or with `at` a point in the past.
  func moment() throws -> PageMoment {
    guard let at = try argument("at"), !at.isEmpty else { return box.now }
    return try box.moment(at: at)
  }

  /// Whether the past is asked about.
  var isOfPast: Bool { target.bytes("at").map { !$0.isEmpty } ?? false }

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

  /// Refuses arguments that the route does not know: one that is overlooked would be a silent mistake.
  func refuseUnknown(_ known: [String]) throws(PageError) {
    guard let other = target.names.first(where: { !known.contains($0) }) else { return }
    throw PageError(
      .badRequest, "there is no argument \(other)", hints: ["it takes: \(known.joined(separator: ", "))"])
  }
}
