import Foundation
import SlipboxTesting

/// A program that listens on a port of this machine as long as its value lives.
final class TestServer {
  let port: Int
  private let process: Int32

  /// Starts a program and waits until it listens.
  ///
  /// - Parameters:
  ///   - folder: where it runs, and where what it says is kept.
  ///   - command: the line of a shell that starts it on a port.
  init(in folder: String, _ command: (_ port: Int) throws -> String) throws {
    port = try Self.freePort()
    let line = "cd '\(folder)' && exec \(try command(port)) > server.log 2>&1 < /dev/null"
    process = try Self.started(line)
    for _ in 0..<200 {
      if let socket = Self.connected(to: port) {
        close(socket)
        return
      }
      usleep(25_000)
    }
    let log = FileManager.default.contents(atPath: folder + "/server.log") ?? Data()
    throw CommandFailure(command: [line], status: -1, errors: String(decoding: log, as: UTF8.self))
  }

  /// Starts a line of a shell in a session of its own, with no signal held back and no open file of this process.
  ///
  /// `Process` would wait for whatever holds its files open, so it can't leave a program behind.
  private static func started(_ line: String) throws -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | newSession)
    let typed: [String] = ["sh", "-c", line]
    var words: [UnsafeMutablePointer<CChar>?] = typed.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      testEnvironment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let status = posix_spawn(&process, "/bin/sh", nil, &attributes, &words, &variables)
    guard status == 0 else { throw CommandFailure(command: [line], status: status, errors: "") }
    return process
  }

  deinit {
    guard process > 1 else { return }
    kill(-process, SIGTERM)
    waitpid(process, nil, 0)
  }

  /// A socket of TCP on this machine, connected to a port; nil where nobody listens there.
  static func connected(to port: Int) -> Int32? {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = address(port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
    }
    if status == 0 { return socket }
    close(socket)
    return nil
  }

  /// A socket that listens on a free port of this machine.
  static func listening() throws -> (socket: Int32, port: Int) {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) | listen(socket, 16) | getsockname(socket, pointer, &length)
      }
    }
    guard status == 0 else { throw CommandFailure(command: ["listen"], status: errno, errors: "") }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func freePort() throws -> Int {
    let (socket, port) = try listening()
    close(socket)
    return port
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
  }
}
