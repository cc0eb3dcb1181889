import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Why a request is not answered.
struct PageError: Error, Sendable {
  /// The stable code for programs.
  enum Code: String, Sendable {
    case badRequest = "bad-request"
    case badQuery = "bad-query"
    case notFound = "not-found"
    case hasReferrers = "has-referrers"
    case ambiguous, conflict, changed, refused
    case readOnly = "read-only"
    case busy, failed, unauthorized, forbidden

    var status: Int {
      switch self {
      case .badRequest, .badQuery, .ambiguous: 400
      case .unauthorized: 401
      case .readOnly, .forbidden: 403
      case .notFound: 404
      case .conflict, .changed: 409
      case .refused, .hasReferrers: 422
      case .failed: 500
      case .busy: 503
      }
    }
  }

  let code: Code
  let status: Int
  /// One line without a full stop.
  let message: String
  let hints: [String]
  /// The fields that were changed elsewhere to something else.
  var conflicts: [FieldConflict] = []
  /// The field whose value is refused; nil for other errors.
  private var field: String?

  init(_ code: Code, _ message: String, hints: [String] = [], status: Int? = nil) {
    self.code = code
    self.status = status ?? code.status
    self.message = message
    self.hints = hints
  }

  /// A refusal of the core.
  init(_ error: SlipboxError) {
    let code: Code =
      switch error.kind {
      case _ where error.fact == .hasReferrers: .hasReferrers
      case .notFound: .notFound
      case .busy: .busy
      case .bug, .inputOutput: .failed
      case .usage, .badData, .unavailable, .cannotCreate, .notPermitted, .configuration: .refused
      }
    let window = WindowMessage(error)
    self.init(code, window.message, hints: window.hints)
    if case .badValue(let field)? = error.fact { self.field = field }
  }

  /// A query that can't be read.
  init(_ error: QueryError) {
    self.init(.badQuery, error.message, hints: [error.hint].compactMap { $0 })
  }

  /// Any error of a route.
  init(any error: any Error) {
    switch error {
    case let error as PageError: self = error
    case let error as SlipboxError: self.init(error)
    case let error as QueryError: self.init(error)
    default: self.init(.failed, "\(error)")
    }
  }

  var response: PageResponse {
    .json(
      JSONDocument.object { writer in
        writer.key("error")
        writer.object { writer in
          writer.member("code", code.rawValue)
          writer.member("message", message)
          if let field { writer.member("field", field) }
          writer.member("hints", of: hints) { $1.string($0) }
        }
        if !conflicts.isEmpty { writer.member("conflicts", of: conflicts) { $0.write(to: &$1) } }
      }, status: status)
  }
}

/// A field of a note that was changed here and elsewhere to different values.
struct FieldConflict: Sendable {
  /// The note as requests name it.
  let ref: String
  /// The field, or `body`; `note` if the note as a whole was changed.
  let field: String
  let base: FieldValue?
  let mine: FieldValue?
  let theirs: FieldValue?

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("ref", ref)
      writer.member("field", field)
      for (name, value) in [("base", base), ("mine", mine), ("theirs", theirs)] {
        writer.key(name)
        if let value { writer.json(value.json) } else { writer.null() }
      }
    }
  }
}
