import NIOCore
import NIOPosix
import SlipboxPage
import Synchronization

/// Has requests answered on threads that may wait for the disk, those of each queue on its own.
final class Answering: Sendable {
  private let pools: [PageQueue: NIOThreadPool]
  private let server = Mutex<PageServer?>(nil)

  init() {
    pools = Dictionary(
      uniqueKeysWithValues: PageQueue.allCases.map { ($0, NIOThreadPool(numberOfThreads: $0.threads)) })
    for pool in pools.values { pool.start() }
  }

  /// From here on requests are answered.
  func serve(_ server: PageServer) { self.server.withLock { $0 = server } }

  /// The box that is served.
  var box: PageBox? { server.withLock { $0?.box } }

  /// - Parameter caller: the connection that asks.
  func answer(
    _ request: PageRequest, for caller: Caller, _ loop: any EventLoop
  ) -> EventLoopFuture<PageResponse> {
    guard let server = server.withLock({ $0 }), let pool = pools[server.queue(of: request)] else {
      return loop.makeSucceededFuture(PageServer.overrun)
    }
    return pool.runIfActive(eventLoop: loop) { server.answer(request, for: caller) }
  }

  /// Ends the threads, once what is under way is done.
  func end() {
    for pool in pools.values { try? pool.syncShutdownGracefully() }
  }
}
