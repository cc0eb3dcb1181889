import Glibc
import Platform

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
      // Notifications of the server have no result.
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

/// A browser that asks the server of a page.
final class PageClient {
  private let process: pid_t
  private let socket: Int32
  private let port: Int
  private let token: String

  /// Starts a server in a folder and waits for its address.
  init(_ slip: String, in folder: String) throws {
    guard chdir(folder) == 0 else { throw BenchError.system(folder) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    process = try Command.spawn([slip, "page", "--no-open"], input: STDIN_FILENO, output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(ends[0], &bytes, bytes.count)
    let address = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    let parts = address.split { ":/#=\n".contains($0) }
    guard parts.count == 5, let number = Int(parts[2]) else { throw BenchError("no address: \(address)") }
    (port, token) = (number, String(parts[4]))
    socket = try Self.connection(to: number)
  }

  deinit {
    close(socket)
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  private static func connection(to port: Int) throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw BenchError.system("connect") }
    return socket
  }

  /// The whole answer to a question, with its headers.
  func get(_ target: String) throws -> String {
    let question = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nSlip-Token: \(token)\r\n\r\n"
    let bytes = Array(question.utf8)
    guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw BenchError.system("send")
    }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !Self.isWhole(answer) {
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { throw BenchError("the server is gone") }
      answer += chunk[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Whether an answer is as long as it says.
  private static func isWhole(_ answer: [UInt8]) -> Bool {
    let end = Array("\r\n\r\n".utf8)
    guard let head = answer.indices.first(where: { answer[$0...].starts(with: end) }) else { return false }
    let lines = String(decoding: answer[..<head], as: UTF8.self).split(separator: "\r\n")
    let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
    return answer.count >= head + end.count + length
  }

  /// The largest resident memory of the server, in bytes.
  func peakBytes() -> Int { ProcessMemory.peakBytes(of: process) }
}

/// A terminal window in which `slip browse` runs.
final class ScreenClient {
  private let process: pid_t
  private let terminal: Pseudoterminal
  /// How many bytes the last frame took.
  private(set) var frameBytes = 0

  private static let frameEnd = Array("\u{1B}[?2026l".utf8)
  private static let longestMilliseconds: Int32 = 20_000

  /// Starts the screen in a folder.
  init(_ slip: String, in folder: String) throws {
    guard chdir(folder) == 0 else { throw BenchError.system(folder) }
    terminal = try Pseudoterminal(columns: 120, rows: 40)
    process = try Command.spawn([slip, "browse"], input: terminal.other, output: terminal.other)
  }

  deinit {
    kill(process, SIGTERM)
    // The last output has to be read, or the server blocks.
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 { _ = read(within: 10) }
  }

  /// Waits for a frame that shows a text; any for an empty one.
  func frame(showing text: String = "") throws {
    var bytes: [UInt8] = []
    let wanted = Array(text.utf8)
    while true {
      let chunk = read(within: Self.longestMilliseconds)
      guard !chunk.isEmpty else { throw BenchError("no frame: the screen is silent") }
      bytes += chunk
      frameBytes = bytes.count
      let isWhole = bytes.suffix(Self.frameEnd.count).elementsEqual(Self.frameEnd)
      if isWhole, wanted.isEmpty || bytes.indices.contains(where: { bytes[$0...].starts(with: wanted) }) {
        return
      }
    }
  }

  /// Takes what still comes, until nothing has come for a moment.
  func settle() { while !read(within: 300).isEmpty {} }

  /// Presses a key.
  func press(_ key: String) throws {
    let bytes = Array(key.utf8)
    guard write(terminal.own, bytes, bytes.count) == bytes.count else { throw BenchError.system("write") }
  }

  private func read(within milliseconds: Int32) -> [UInt8] {
    var stream = pollfd(fd: terminal.own, events: Int16(POLLIN), revents: 0)
    guard poll(&stream, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(terminal.own, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// The largest resident memory of the screen, in bytes.
  func peakBytes() -> Int { ProcessMemory.peakBytes(of: process) }
}
