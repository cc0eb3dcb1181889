import Glibc
import SlipboxPage

/// Asks whether a server that was started before still answers.
enum ServerProbe {
  /// The longest wait, in seconds.
  private static let patience = 2

  /// Whether a server answers at the port of a record with its token, and serves the box.
  static func answers(_ record: ServerRecord, box: [UInt8]) -> Bool {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(record.port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected, send(question(to: record), on: socket) else { return false }
    let answer = String(decoding: received(from: socket), as: UTF8.self)
    return answer.hasPrefix("HTTP/1.1 200") && answer.contains("\r\nSlip-State: ")
  }

  private static func question(to record: ServerRecord) -> [UInt8] {
    Array(
      ("GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:\(record.port)\r\nSlip-Token: \(record.token)\r\n"
        + "Connection: close\r\n\r\n").utf8)
  }

  private static func send(_ bytes: [UInt8], on socket: Int32) -> Bool {
    Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// What comes until the other side has said all, or the patience is at its end.
  private static func received(from socket: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while all.count < 1 << 16 {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      all += buffer[..<count]
    }
    return all
  }
}
