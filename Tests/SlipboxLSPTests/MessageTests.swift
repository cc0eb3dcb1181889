import Foundation
import Notes
import Platform
import SlipboxCore
import SlipboxTesting
import Testing

@testable import SlipboxLSP

/// Messages of clients that are wrong, careless or hostile.
@Suite struct MessageTests {
  /// What a server sends to a client that sends some bytes, waits for answers, and then shuts the server down.
  ///
  /// - Parameters:
  ///   - stream: what the client sends, as it is.
  ///   - count: the number of messages that it waits for.
  ///   - endsItself: whether the server ends without being told to.
  private static func answers(
    to stream: [UInt8], waitingFor count: Int, endsItself: Bool = false
  ) throws -> (answers: [JSONValue], exitCode: Int32) {
    let (toServer, fromServer) = (Pipe(), Pipe())
    let ids = IDSource(SplitMix64(seed: 5))
    let circumstances = Circumstances(
      input: toServer.fileHandleForReading.fileDescriptor,
      output: fromServer.fileHandleForWriting.fileDescriptor,
      context: { place, reporter in
        CommandContext(
          clock: ClockReading(now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 0), offset: { _ in 0 }),
          workingDirectory: place, configurationFolder: nil, boxVariable: nil, device: "desk", ids: ids,
          reporter: reporter)
      })
    let exitCode = Mailbox<Int32>()
    _ = Threads.detach { exitCode.put(LanguageServer(circumstances, version: "test").run()) }
    try toServer.fileHandleForWriting.write(contentsOf: Data(stream))
    var frames = MessageFrames()
    var answers: [JSONValue] = []
    func read() throws -> Bool {
      let bytes = fromServer.fileHandleForReading.availableData
      frames.append(Array(bytes))
      while let message = try frames.next() { answers.append(try Message.read(message)) }
      return !bytes.isEmpty
    }
    while answers.count < count, try read() {}
    if !endsItself {
      try toServer.fileHandleForWriting.write(contentsOf: Data(framed([shutdown])))
      while answers.last?["id"] != .string("end"), try read() {}
      try toServer.fileHandleForWriting.write(contentsOf: Data(framed([exit])))
    }
    let code = exitCode.next() ?? -1
    try fromServer.fileHandleForWriting.close()
    while try read() {}
    #expect(frames.isBetweenMessages)
    return (answers, code)
  }

  private static func framed(_ messages: [String]) -> [UInt8] {
    messages.flatMap { MessageFrames.framed(Array($0.utf8)) }
  }

  private static let initialize =
    #"{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"capabilities":{}}}"#
  private static let shutdown = #"{"jsonrpc":"2.0","id":"end","method":"shutdown"}"#
  private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

  /// The id and the code of an error, or the id alone.
  private static func outline(_ answer: JSONValue) -> String {
    let id = String(decoding: answer["id"].written, as: UTF8.self)
    return answer["error"].isNull ? id : "\(id) \(answer["error"]["code"].integer ?? 0)"
  }

  @Test(arguments: [
    // Not JSON.
    ("", "null -32700"), ("{", "null -32700"), ("{}}", "null -32700"), ("{'id':1}", "null -32700"),
    (#"{"id":1,"method":"x"#, "null -32700"), (#"{"id":01,"method":"x"}"#, "null -32700"),
    (#"{"id":1,"method":"\x"}"#, "null -32700"), ("\u{0}", "null -32700"),
    (String(repeating: "[", count: 1_000_000), "null -32700"),
    (#"{"id":1,"method":"x","params":"# + String(repeating: "[", count: 500), "null -32700"),
    // JSON, but no message.
    ("null", "null -32600"), ("[]", "null -32600"), ("1e999", "null -32600"),
    (#""initialize""#, "null -32600"),
    (#"{"id":1,"method":7}"#, "1 -32600"), (#"{"id":1.5,"method":"x"}"#, "null -32600"),
    (#"{"id":{},"method":"x"}"#, "null -32600"), (#"{"id":true,"method":"x"}"#, "null -32600"),
    (#"{"id":9223372036854775808,"method":"x"}"#, "null -32600"),
    // Messages with ids of every sort.
    (#"{"id":0,"method":"x"}"#, "0 -32601"), (#"{"id":-1,"method":"x"}"#, "-1 -32601"),
    (#"{"id":9007199254740993,"method":"x"}"#, "9007199254740993 -32601"),
    (#"{"id":1.0,"method":"x"}"#, "1 -32601"), (#"{"id":"","method":"x"}"#, #""" -32601"#),
    (#"{"id":"\u0000\ud83d\ude00\"","method":"x"}"#, #""\u0000😀\"" -32601"#),
    (#"{"id":"\ud83d","method":"x"}"#, "\"\u{FFFD}\" -32601"),
    (#"{"id":1,"id":2,"method":"x","method":"y"}"#, "1 -32601"),
    // Requests with the wrong parameters.
    (#"{"id":1,"method":"textDocument/hover"}"#, "1 -32602"),
    (#"{"id":1,"method":"textDocument/hover","params":[]}"#, "1 -32602"),
    (#"{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":1}}}"#, "1 -32602"),
    (
      #"{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"x"},"position":{"line":1e99,"character":0}}}"#,
      "1 -32602"
    ),
    (#"{"id":1,"method":"initialize","params":{"capabilities":{}}}"#, "1 -32600"),
  ])
  func `answers a wrong message with its code and serves the next one`(message: String, outline: String)
    throws
  {
    let (answers, exitCode) = try Self.answers(
      to: Self.framed([Self.initialize, message]), waitingFor: 2)
    #expect(answers.map(Self.outline).sorted() == [#""start""#, outline, #""end""#].sorted())
    #expect(exitCode == 0)
  }

  @Test func `answers bytes that are not UTF-8 with a parse error`() throws {
    for bytes: [UInt8] in [
      [0xFF, 0xFE], Array(#"{"id":1,"method":""#.utf8) + [0xC0, 0x80] + Array("\"}".utf8),
    ] {
      let stream = Self.framed([Self.initialize]) + MessageFrames.framed(bytes)
      let (answers, exitCode) = try Self.answers(to: stream, waitingFor: 2)
      #expect(answers.map(Self.outline).sorted() == [#""end""#, #""start""#, "null -32700"])
      #expect(exitCode == 0)
    }
  }

  @Test(arguments: [
    // Notifications and answers that are wrong get no answer.
    #"{"method":"x"}"#, #"{"method":"x","id":null}"#, #"{"id":7}"#, #"{"id":"slip-1","result":{}}"#,
    #"{"id":7,"error":"none"}"#, "{}", #"{"method":"$/cancelRequest","params":{"id":{}}}"#,
  ])
  func `gives no answer to notifications and answers`(message: String) throws {
    let (answers, exitCode) = try Self.answers(
      to: Self.framed([Self.initialize, message]), waitingFor: 1)
    #expect(answers.filter { $0["method"].isNull }.map(Self.outline).sorted() == [#""end""#, #""start""#])
    #expect(exitCode == 0)
  }

  @Test func `reads headers in any order and case`() throws {
    let (start, other) = (Self.initialize, #"{"id":8,"method":"x"}"#)
    var stream = Array(
      "content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:\t\(start.utf8.count)  \r\n\r\n\(start)"
        .utf8)
    stream += Array("Content-Length: \(other.utf8.count)\r\nX-Other: 1: 2\r\n\r\n\(other)".utf8)
    let (answers, exitCode) = try Self.answers(to: stream, waitingFor: 2)
    #expect(answers.map(Self.outline).sorted() == [#""end""#, #""start""#, "8 -32601"])
    #expect(exitCode == 0)
  }

  @Test func `stops at a stream without a length`() throws {
    let (answers, exitCode) = try Self.answers(
      to: Self.framed([Self.initialize]) + Array("X: 1\r\n\r\n{}".utf8), waitingFor: 2, endsItself: true)
    #expect(answers.map(Self.outline).sorted() == [#""start""#, "null -32700"])
    #expect(exitCode == 1)
  }

  @Test func `keeps the text of an editor exactly`() throws {
    var numbers = SplitMix64(seed: 17)
    var texts = [String(repeating: "A line with \"quotes\", \\ and é.\n", count: 10_000)]
    for _ in 0..<50 {
      texts.append(
        String(decoding: (0..<40).map { _ in UInt16.random(in: 0...0xFFFF, using: &numbers) }, as: UTF16.self)
      )
    }
    for text in texts {
      let params = JSONValue.object([
        "textDocument": .object([
          "uri": .string("file:///a.md"), "version": .integer(1), "text": .string(text),
        ])
      ])
      let message = try Message.read(Message.call("textDocument/didOpen", params))
      let opened = try Message.decoded(MessageParams<DidOpenParams>.self, message).params.textDocument
      #expect(Array(opened.text.utf8) == Array(text.utf8))
      #expect(opened.version == 1)
    }
  }
}
