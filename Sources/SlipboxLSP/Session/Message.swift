import FoundationEssentials
import SlipboxCore

/// The parts of a message by which it is told what it is.
struct MessageHead: Decodable {
  let id: RequestID?
  let method: String?
  /// Why the client did not answer a request of the server.
  let error: ResponseError?
}

/// The parameters of a request or a notification.
struct MessageParams<Params: Decodable>: Decodable {
  let params: Params
}

/// The client's answer to a request of the server.
struct ClientAnswer<Result: Decodable>: Decodable {
  let result: Result?
}

/// Makes the messages of the server.
enum Message {
  private struct Response<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: RequestID
    let result: Result

    private enum CodingKeys: CodingKey { case jsonrpc, id, result }

    // A result that is nil is written as null: a response without one would be none.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(jsonrpc, forKey: .jsonrpc)
      try container.encode(id, forKey: .id)
      try container.encode(result, forKey: .result)
    }
  }

  private struct Refusal: Encodable {
    let jsonrpc = "2.0"
    let id: RequestID?
    let error: ResponseError

    private enum CodingKeys: CodingKey { case jsonrpc, id, error }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(jsonrpc, forKey: .jsonrpc)
      try container.encode(id, forKey: .id)
      try container.encode(error, forKey: .error)
    }
  }

  private struct Call<Params: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: RequestID?
    let method: String
    let params: Params
  }

  static func response(_ id: RequestID, _ result: some Encodable) -> [UInt8] {
    encoded(Response(id: id, result: result))
  }

  static func refusal(_ id: RequestID?, _ error: ResponseError) -> [UInt8] {
    encoded(Refusal(id: id, error: error))
  }

  /// A notification, or with an id a request.
  static func call(_ method: String, _ params: some Encodable, id: RequestID? = nil) -> [UInt8] {
    encoded(Call(id: id, method: method, params: params))
  }

  private static func encoded(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // All numbers are whole and all texts UTF-8: no value is refused.
    return (try? encoder.encode(value)).map { Array($0) } ?? []
  }

  /// Reads a message, or a part of it.
  static func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws(ResponseError) -> Value {
    guard isShallow(bytes) else {
      throw ResponseError(.parseError, "lists and objects are nested too deeply")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw ResponseError(.invalidParams, "the message can't be read: \(error)")
    }
  }

  /// Lists and objects inside of each other that are read; the decoder traps on some deeper ones.
  private static let deepest = 256

  /// Whether no more lists and objects are inside of each other than are read.
  private static func isShallow(_ bytes: [UInt8]) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        depth += 1
        if depth > deepest { return false }
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        depth -= 1
      }
    }
    return true
  }
}

/// The id of a request, which its answer repeats.
enum RequestID: Hashable, Sendable {
  case number(Int)
  case text(String)
}

extension RequestID: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}

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
