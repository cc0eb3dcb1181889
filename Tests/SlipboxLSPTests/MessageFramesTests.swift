import Testing

@testable import SlipboxLSP

struct MessageFramesTests {
  private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test func messagesAreCutWhereverTheStreamIs() throws {
    let stream = Array("Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x\r\n\r\n[1]".utf8)
    for size in 1...stream.count {
      var frames = MessageFrames()
      var found: [String] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        frames.append(stream[start..<min(start + size, stream.count)])
        while let message = try frames.next() { found.append(Self.text(message) ?? "") }
      }
      #expect(found == ["{}", "[1]"])
      #expect(frames.isBetweenMessages)
    }
  }

  @Test(arguments: [
    "X: 1\r\n\r\n{}", "Content-Length: two\r\n\r\n{}", "Content-Length: -2\r\n\r\n{}",
    "Content-Length:\r\n\r\n",
    "\r\n\r\n", String(repeating: "x", count: 9_000),
    "Content-Length: 99999999999999999999999\r\n\r\n",
  ])
  func aStreamWithoutALengthCannotBeRead(stream: String) {
    var frames = MessageFrames()
    frames.append(Array(stream.utf8))
    #expect(throws: MessageFrames.Fault.noLength) { try frames.next() }
  }

  @Test func aMessageThatIsTooLongIsRefused() {
    var frames = MessageFrames()
    frames.append(Array("Content-Length: \(MessageFrames.longest + 1)\r\n\r\n".utf8))
    #expect(throws: MessageFrames.Fault.tooLong) { try frames.next() }
  }

  @Test func aFramedMessageIsReadBack() throws {
    var frames = MessageFrames()
    frames.append(MessageFrames.framed(Array("{\"ü\":1}".utf8)))
    #expect(Self.text(try frames.next()) == "{\"ü\":1}")
  }
}
