/// Decides which requests are looked at: those that the page of this very server makes, with the token that only the user's
/// browser was given.
///
/// A name that resolves to this machine is no other way in: `Host` has to be one of three, exactly. Nothing is allowed to
/// other origins, and no cookie is asked for.
package struct RequestGuard: Sendable {
  /// The most bytes of a body.
  package static let mostBytes = 4 << 20

  private let hosts: [String]
  private let token: [UInt8]

  /// - Parameters:
  ///   - port: the port that the server listens to.
  ///   - token: the secret of the user's browser, in hexadecimal digits.
  package init(port: Int, token: String) {
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    self.token = Array(token.utf8)
  }

  /// What every request has to be, before its path counts for anything.
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

  /// What a request for the data of the box has to be besides.
  func checkData(_ request: PageRequest) throws(PageError) {
    let sites = request.values(of: "sec-fetch-site")
    guard sites.allSatisfy({ $0 == "same-origin" }) else {
      throw PageError(.forbidden, "cross-origin requests are refused")
    }
    let origins = request.values(of: "origin")
    let own = "http://" + (request.value(of: "host") ?? "")
    guard origins.allSatisfy({ $0.utf8.elementsEqual(own.utf8) }) else {
      throw PageError(.forbidden, "cross-origin requests are refused")
    }
    guard let given = request.value(of: "slip-token"), Self.areSame(Array(given.utf8), token) else {
      throw PageError(
        .unauthorized, "the token is missing or invalid",
        hints: ["open the address that slip page printed"])
    }
    guard request.method == "POST" else { return }
    guard let type = request.value(of: "content-type"), Self.isJSON(type) else {
      throw PageError(.badRequest, "the body must be application/json", status: 415)
    }
    guard request.body.count <= Self.mostBytes else { throw Self.tooLong }
  }

  static let tooLong = PageError(.badRequest, "the body is longer than 4 MB", status: 413)

  /// Whether two texts are the same, in a time that does not tell where they differ.
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
