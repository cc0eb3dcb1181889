import SlipboxCore

/// Why a request is not answered.
struct ResponseError: Error, Codable, Equatable, Sendable {
  let code: Int
  let message: String

  /// Source: JSON-RPC 2.0 and Language Server Protocol 3.17, "ErrorCodes".
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case serverNotInitialized = -32002
    case requestFailed = -32803
    case requestCancelled = -32800
  }

  init(_ code: Code, _ message: String) {
    self.code = code.rawValue
    self.message = message
  }

  /// A refusal of the core in one text: what is wrong, and what to do.
  init(_ error: SlipboxError) {
    self.init(.requestFailed, ([error.message] + error.hints).joined(separator: "\n"))
  }
}
