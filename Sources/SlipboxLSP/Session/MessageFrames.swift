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
