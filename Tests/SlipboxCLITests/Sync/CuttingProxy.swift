import Foundation
import Synchronization

/// Hands connections on to another port, and cuts them all once so many bytes have passed either way.
final class CuttingProxy: Sendable {
  let port: Int
  private let listener: Int32
  private let state: Mutex<State>

  private struct State {
    var carried = 0
    let limit: Int
    var isStopped = false
  }

  init(to target: Int, cuttingAfter limit: Int = .max) throws {
    (listener, port) = try TestServer.listening()
    state = Mutex(State(limit: limit))
    Thread.detachNewThread { [self] in accept(to: target) }
  }

  /// The bytes that have passed.
  var carried: Int { state.withLock { $0.carried } }

  /// Takes no more connections.
  func stop() {
    state.withLock { $0.isStopped = true }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func accept(to target: Int) {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { break }
      guard !state.withLock({ $0.isStopped || $0.carried >= $0.limit }),
        let server = TestServer.connected(to: target)
      else {
        close(client)
        continue
      }
      Thread.detachNewThread { [self] in
        relay(client, server)
        close(client)
        close(server)
      }
    }
    close(listener)
  }

  /// Moves bytes both ways until an end closes or the limit is reached.
  private func relay(_ client: Int32, _ server: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      var polled = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, 2, 20_000) > 0 else { return }
      for (from, to) in [(0, server), (1, client)] where polled[from].revents != 0 {
        let room = state.withLock { min(buffer.count, $0.limit - $0.carried) }
        guard room > 0 else { return }
        let count = recv(polled[from].fd, &buffer, room, 0)
        guard count > 0 else { return }
        state.withLock { $0.carried += count }
        var sent = 0
        while sent < count {
          let step = buffer.withUnsafeBytes { bytes in
            send(to, bytes.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
          }
          guard step > 0 else { return }
          sent += step
        }
      }
    }
  }
}
