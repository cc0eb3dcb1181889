import Glibc

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
