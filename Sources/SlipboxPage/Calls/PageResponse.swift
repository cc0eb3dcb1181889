/// A response to a browser.
package struct PageResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// The states of the box, a line each, for as long as the browser listens.
    case events
  }

  package let status: Int
  package private(set) var headers: [(name: String, value: String)]
  package let body: Body

  init(_ status: Int, _ body: Body, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.body = body
    self.headers = headers
  }

  /// The value of a header; nil where there is none.
  package func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }

  /// The bytes; none of a stream.
  package var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// The same with a header in the place of one of that name.
  func with(_ name: String, _ value: String) -> PageResponse {
    var response = self
    response.headers.removeAll { $0.name == name }
    response.headers.append((name, value))
    return response
  }

  /// An answer of JSON.
  static func json(_ bytes: [UInt8], status: Int = 200) -> PageResponse {
    PageResponse(status, .bytes(bytes), headers: [("Content-Type", "application/json")])
  }
}

extension PageResponse {
  /// The header that names the state of the box that an answer is of.
  static let stateHeader = "Slip-State"

  /// What a page of this server may do: run its own scripts, and talk to this server alone.
  package static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

  /// The headers that every response has.
  private static let common = [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
  ]

  /// The same with the headers that every response has; those of its own stay.
  var guarded: PageResponse {
    var response = self
    for (name, value) in Self.common where header(name) == nil { response.headers.append((name, value)) }
    return response
  }
}
