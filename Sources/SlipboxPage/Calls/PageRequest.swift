import Bytes

/// A request of a browser, whole, as it came.
package struct PageRequest: Sendable {
  package let method: String
  /// The target as it is in the first line.
  package let target: String
  /// The headers in their order, with their names as they were sent.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  package init(
    _ method: String, _ target: String, headers: [(name: String, value: String)], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The values of a header, whose name is in small letters here.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased().utf8.elementsEqual(name.utf8) }.map(\.value)
  }

  /// The one value of a header; nil if there is none, or several.
  func value(of name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }
}

/// The path and the arguments of a request.
///
/// The path is compared as it is written, never decoded and never opened. Arguments are decoded as forms write them.
/// Source: RFC 9112, section 3.2.1; URL Standard, section 5.
struct RequestTarget: Sendable {
  let path: String
  private let items: [(name: String, value: [UInt8])]

  /// - Returns: nil for a target that is not in origin form, or with an invalid escape.
  init?(_ target: String) {
    let bytes = Array(target.utf8)
    let isClean = bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    guard isClean, bytes.first == UInt8(ascii: "/"), !bytes.starts(with: "//".utf8) else { return nil }
    let parts = bytes.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = String(decoding: parts[0], as: UTF8.self)
    var items: [(name: String, value: [UInt8])] = []
    for item in (parts.count > 1 ? parts[1] : []).split(separator: UInt8(ascii: "&")) {
      let sides = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count > 1 ? sides[1] : [])
      else { return nil }
      items.append((String(decoding: name, as: UTF8.self), value))
    }
    self.items = items
  }

  /// The names of the arguments.
  var names: [String] { items.map(\.name) }

  /// The bytes of the last argument of a name; nil if there is none.
  func bytes(_ name: String) -> [UInt8]? { items.last { $0.name == name }?.value }

  /// The last argument of a name as text; bytes that are not UTF-8 are mapped to reserved characters.
  func text(_ name: String) -> String? { bytes(name).map { ByteText.text(of: $0) } }

  /// Whether a point in the past is asked about.
  var isOfPast: Bool { bytes("at").map { !$0.isEmpty } ?? false }

  /// The bytes of an escaped text; nil if a percent sign is not followed by two hexadecimal digits.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    PercentEncoding.strictlyDecoded(text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
  }
}

/// Decides which requests are handled: those of this server's own page, with the token that only the user's
/// browser received.
///
/// It prevents DNS rebinding: `Host` has to be one of three, exactly. No other origin is allowed, and no cookies are
/// used.
package struct RequestGuard: Sendable {
  /// The most bytes of a body, but for a picture.
  package static let mostBytes = 4 << 20
  /// The path to which pictures are sent as they are.
  static let attachPath = "/api/attach"
  /// The most bytes of a picture.
  static let mostPictureBytes = 32 << 20

  /// The most bytes of the body of a request with a target.
  package static func mostBytes(ofTarget target: String) -> Int {
    isAttachment(target.prefix { $0 != "?" }) ? mostPictureBytes : mostBytes
  }

  private static func isAttachment(_ path: Substring) -> Bool {
    path.utf8.elementsEqual(attachPath.utf8)
  }

  private let hosts: [String]
  private let token: [UInt8]

  /// - Parameters:
  ///   - port: the port that the server listens to.
  ///   - token: the secret of the user's browser, in hexadecimal digits.
  package init(port: Int, token: String) {
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    self.token = Array(token.utf8)
  }

  /// Checks that apply to every request, before its path is read.
  func check(_ request: PageRequest) throws(PageError) -> RequestTarget {
    let named = request.values(of: "host")
    guard named.count == 1 else { throw PageError(.badRequest, "a request must have one Host header") }
    guard hosts.contains(where: { $0.utf8.elementsEqual(named[0].utf8) }) else {
      throw PageError(.forbidden, "the Host header does not name this server")
    }
    guard let target = RequestTarget(request.target) else {
      throw PageError(.badRequest, "invalid request target")
    }
    guard ["GET", "POST"].contains(request.method) else {
      throw PageError(.badRequest, "only GET and POST are supported", status: 405)
    }
    return target
  }

  /// Refuses a request that a page of another origin makes.
  func checkOrigin(_ request: PageRequest) throws(PageError) {
    let own = "http://" + (request.value(of: "host") ?? "")
    guard request.values(of: "origin").allSatisfy({ $0.utf8.elementsEqual(own.utf8) }) else {
      throw PageError(.forbidden, "cross-origin requests are refused")
    }
  }

  /// Further checks for requests of the box's data.
  func checkData(_ request: PageRequest) throws(PageError) {
    let sites = request.values(of: "sec-fetch-site")
    guard sites.allSatisfy({ $0 == "same-origin" }) else {
      throw PageError(.forbidden, "cross-origin requests are refused")
    }
    try checkOrigin(request)
    guard let given = request.value(of: "slip-token"), Self.areSame(Array(given.utf8), token) else {
      throw PageError(
        .unauthorized, "the token is missing or invalid",
        hints: ["open the address that slip page printed"])
    }
    guard request.method == "POST" else { return }
    let path = request.target.prefix { $0 != "?" }
    let type = request.value(of: "content-type") ?? ""
    if Self.isAttachment(path) {
      guard type == "application/octet-stream" else {
        throw PageError(.badRequest, "the body must be application/octet-stream", status: 415)
      }
    } else if !Self.isJSON(type) {
      throw PageError(.badRequest, "the body must be application/json", status: 415)
    }
    guard request.body.count <= Self.mostBytes(ofTarget: request.target) else {
      throw Self.tooLong(request.target)
    }
  }

  static func tooLong(_ target: String) -> PageError {
    let limit = mostBytes(ofTarget: target) >> 20
    return PageError(.badRequest, "the body is longer than \(limit) MB", status: 413)
  }

  /// Compares two texts in constant time, so that the time does not reveal the first difference.
  static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count, !one.isEmpty else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(one, other) { difference |= left ^ right }
    return difference == 0
  }

  private static func isJSON(_ type: String) -> Bool {
    let parts = type.lowercased().split(separator: ";", omittingEmptySubsequences: false)
    guard parts[0].filter({ $0 != " " }) == "application/json" else { return false }
    return parts.dropFirst().allSatisfy { $0.filter { $0 != " " } == "charset=utf-8" }
  }
}

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

  /// The value of a header; nil if there is none.
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

  /// The content security policy: the page runs only its own scripts, and connects to this server only.
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
