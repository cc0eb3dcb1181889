import Glibc

/// An editor that talks to a language server: it sends messages and waits for answers.
final class EditorClient {
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var buffer: [UInt8] = []
  private var lastID = 0

  /// Starts a server in a folder and greets it.
  init(_ arguments: [String], in folder: String) throws {
    guard chdir(folder) == 0 else { throw BenchError.system(folder) }
    var toServer: [Int32] = [-1, -1]
    var fromServer: [Int32] = [-1, -1]
    guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { throw BenchError.system("pipe") }
    for end in toServer + fromServer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    process = try Command.spawn(arguments, input: toServer[0], output: fromServer[1])
    close(toServer[0])
    close(fromServer[1])
    (input, output) = (toServer[1], fromServer[0])
    _ = try ask(
      "initialize",
      """
      {"processId":null,"rootUri":"file://\(folder)","capabilities":{"general":{"positionEncodings":["utf-8"]}}}
      """)
    try tell("initialized", "{}")
  }

  deinit {
    close(input)
    close(output)
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Ends the server.
  /// - Returns: its largest resident memory, in bytes.
  func end() throws -> Int {
    let memory = ProcessMemory.peakBytes(of: process)
    _ = try ask("shutdown", "null")
    try tell("exit", "null")
    return memory
  }

  /// Sends a notification.
  func tell(_ method: String, _ parameters: String) throws {
    try send("{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":\(parameters)}")
  }

  /// Sends a request and waits for its answer.
  func ask(_ method: String, _ parameters: String) throws -> String {
    lastID += 1
    try send("{\"jsonrpc\":\"2.0\",\"id\":\(lastID),\"method\":\"\(method)\",\"params\":\(parameters)}")
    while true {
      let message = try next()
      // What the server tells by itself has no result.
      if message.contains("\"id\":\(lastID),"), message.contains("\"result\":") { return message }
      if message.contains("\"error\":") { throw BenchError("refused: \(message.prefix(200))") }
    }
  }

  private func send(_ body: String) throws {
    var bytes = Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw BenchError.system("write") }
      bytes = bytes.dropFirst(max(0, count))
    }
  }

  /// The body of the next message.
  private func next() throws -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let start = buffer.indices.first(where: { buffer[$0...].starts(with: end) }) {
        let digits = buffer[..<start].filter { (0x30...0x39).contains($0) }
        let length = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        let body = start + end.count..<start + end.count + length
        if buffer.count >= body.upperBound {
          defer { buffer.removeSubrange(..<body.upperBound) }
          return String(decoding: buffer[body], as: UTF8.self)
        }
      }
      try Interruption.check()
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &chunk, chunk.count)
      guard count > 0 || count < 0 && errno == EINTR else { throw BenchError("the server is gone") }
      buffer += chunk[..<max(0, count)]
    }
  }
}
