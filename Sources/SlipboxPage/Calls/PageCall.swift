import Bytes
import Git
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Synchronization

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

  /// The note that a request names at a moment; of the past also by its path of now.
  func entry(_ ref: String, in moment: PageMoment, readAs etag: ObjectID? = nil) throws -> Entry {
    do {
      return try RequestedNotes(in: moment.snapshot).entry(ref, readAs: etag)
    } catch let error as SlipboxError {
      guard error.kind == .notFound, isOfPast, let at = try argument("at"),
        let former = try box.formerEntry(ref, at: at, in: moment)
      else { throw error }
      return former
    }
  }

  /// Whether the past is asked about.
  var isOfPast: Bool { target.isOfPast }

  /// An argument as text; nil if there is none.
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
      throw PageError(.badRequest, "\(name) must be a number from 0")
    }
    return min(number, most)
  }

  /// The id of the bytes that the page has read of a note; nil if it names none.
  func etag() throws(PageError) -> ObjectID? {
    guard let text = target.text("etag"), !text.isEmpty else { return nil }
    guard let id = ObjectID(hex: text) else { throw PageError(.badRequest, "the etag is invalid") }
    return id
  }

  /// Refuses arguments that the route does not know: one that is overlooked would be a silent mistake.
  func refuseUnknown(_ known: [String]) throws(PageError) {
    guard let other = target.names.first(where: { !known.contains($0) }) else { return }
    throw PageError(
      .badRequest, "there is no argument \(other)",
      hints: ["the arguments are: \(known.joined(separator: ", "))"])
  }
}

/// A request of the interface: its method, its path, its arguments, and its handler.
struct PageRoute: Sendable {
  let method: String
  let path: String
  /// The names of the arguments that it takes.
  let arguments: [String]
  /// The queue in which it waits, unless it is about a point in the past.
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
    _ path: String, in queue: PageQueue = .changes,
    _ answer: @escaping @Sendable (PageCall) throws -> PageResponse
  ) -> PageRoute { PageRoute(method: "POST", path: path, arguments: [], queue: queue, answer: answer) }

  /// The queue in which a request for it waits.
  func queue(of target: RequestTarget) -> PageQueue {
    arguments.contains("at") && target.isOfPast ? .past : queue
  }
}

/// The queue of a request: slow requests do not block others.
package enum PageQueue: Sendable, CaseIterable {
  /// Questions that are answered at once.
  case questions
  /// Questions about the past, which may have to walk through all commits.
  case past
  /// Changes, one after the other.
  case changes
  /// The exchange with a remote, which may take minutes.
  case network

  /// How many requests are worked on at a time.
  package var threads: Int {
    switch self {
    case .questions: max(4, Threads.processors)
    case .past: 2
    case .changes, .network: 1
    }
  }

  /// Whether a complete request runs although the connection is closed: a page that is closed sends its last change
  /// without waiting for the answer.
  var outlivesCaller: Bool { self == .changes || self == .network }
}

/// The browser that asks: whether it still waits for the answer. Safe for several threads.
package final class Caller: Sendable {
  private let hasLeft = Atomic(false)

  package init() {}

  /// Whether the connection is closed.
  package var isGone: Bool { hasLeft.load(ordering: .relaxed) }

  /// Notes that the connection is closed.
  package func leave() { hasLeft.store(true, ordering: .relaxed) }

  /// - Throws: if the connection is closed.
  func refuseGone() throws(PageError) {
    guard !isGone else { throw PageError(.busy, "the client has disconnected") }
  }
}
