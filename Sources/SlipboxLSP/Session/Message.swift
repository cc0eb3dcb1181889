import FoundationEssentials
import Presentation
import SlipboxCore
import Text

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
    let lines = WindowMessage(toClient: error.message, hints: error.hints).lines
    self.init(.requestFailed, lines.joined(separator: "\n"))
  }
}

/// Cuts a stream of bytes into messages: each is a header, an empty line and so many bytes of JSON.
///
/// Source: Language Server Protocol 3.17, "Base Protocol".
struct MessageFrames {
  /// Why a stream can't be read any further: where the next message begins is not known.
  enum Fault: Error, Equatable {
    case noLength
    case tooLong
  }

  /// The longest message that is read, in bytes.
  static let longest = 512 << 20
  /// The longest header that is read, in bytes.
  static let longestHeader = 8 << 10

  private var buffer: [UInt8] = []
  /// Where the bytes begin that are not read yet.
  private var start = 0

  /// Whether the stream may end here: no message has begun.
  var isBetweenMessages: Bool { start == buffer.count }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer += bytes
  }

  /// The next whole message, without its header; nil until more bytes are there.
  mutating func next() throws(Fault) -> [UInt8]? {
    guard let header = headerEnd() else {
      if buffer.count - start > Self.longestHeader { throw .noLength }
      return nil
    }
    guard let length = Self.contentLength(in: buffer[start..<header]) else { throw .noLength }
    guard length <= Self.longest else { throw .tooLong }
    guard buffer.count - header >= length else { return nil }
    defer { start = header + length }
    return Array(buffer[header..<header + length])
  }

  /// Where the body after the next header begins.
  private func headerEnd() -> Int? {
    var place = start
    while place + 3 < buffer.count {
      if buffer[place] == 0x0D, buffer[place + 1] == 0x0A, buffer[place + 2] == 0x0D,
        buffer[place + 3] == 0x0A
      {
        return place + 4
      }
      place += 1
    }
    return nil
  }

  private static func contentLength(in header: ArraySlice<UInt8>) -> Int? {
    for line in header.split(separator: 0x0A) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name == "content-length" else { continue }
      let digits = line[(colon + 1)...].filter { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }
      let isNumber = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      return isNumber ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
    return nil
  }

  /// A message with its header.
  static func framed(_ body: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}

/// Any value of JSON, for what has no type of its own here: capabilities, settings and arguments of commands.
enum JSONValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member of a name; null where there is none.
  subscript(_ name: String) -> JSONValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  /// The element of a list; null where there is none.
  subscript(_ index: Int) -> JSONValue { elements.indices.contains(index) ? elements[index] : .null }

  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var integer: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }
  /// The elements of a list; none of any other value.
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  /// The texts in a list.
  var strings: [String] { elements.compactMap(\.string) }
  var isNull: Bool { self == .null }
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .number(let value):
      if let integer = Int(exactly: value) {
        try container.encode(integer)
      } else {
        try container.encode(value)
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}
