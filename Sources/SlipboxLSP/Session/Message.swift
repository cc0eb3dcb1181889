import Bytes
import Presentation
import SlipboxCore
import Text

/// The parts of a message that tell requests, notifications and answers apart.
struct MessageHead: Decodable {
  /// Nil for a notification.
  let id: RequestID?
  /// Nil for an answer.
  let method: String?
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

  private static func encoded(_ value: some Encodable) -> [UInt8] { JSONValue(encoding: value).written }

  /// Reads a message.
  ///
  /// - Throws: `parseError` if it is not well formed.
  /// - Complexity: O(n).
  static func read(_ bytes: [UInt8]) throws(ResponseError) -> JSONValue {
    do throws(JSONProblem) {
      return JSONValue(try JSONReader.whole(bytes, .replacing))
    } catch {
      throw ResponseError(.parseError, "the message is not JSON: line \(error.line): \(error.message)")
    }
  }

  /// Reads a message, or a part of it, as one of a type.
  ///
  /// - Throws: `invalidParams` if it has another form.
  static func decoded<Value: Decodable>(
    _ type: Value.Type, _ message: JSONValue
  ) throws(ResponseError) -> Value {
    do {
      return try message.decode(type, at: [])
    } catch let error as DecodingError {
      throw ResponseError(.invalidParams, error.message)
    } catch {
      throw ResponseError(.invalidParams, "\(error)")
    }
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
