import NIOCore
import NIOPosix
import SlipboxPage
import Synchronization

/// Has requests answered on threads that may wait for the disk.
final class Answering: Sendable {
  private let pool: NIOThreadPool
  private let server = Mutex<PageServer?>(nil)

  init(_ pool: NIOThreadPool) { self.pool = pool }

  /// From here on requests are answered.
  func serve(_ server: PageServer) { self.server.withLock { $0 = server } }

  /// The box that is served.
  var box: PageBox? { server.withLock { $0?.box } }

  func answer(_ request: PageRequest, _ loop: any EventLoop) -> EventLoopFuture<PageResponse> {
    guard let server = server.withLock({ $0 }) else { return loop.makeSucceededFuture(PageServer.overrun) }
    return pool.runIfActive(eventLoop: loop) { server.answer(request) }
  }
}
