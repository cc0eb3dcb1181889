import NIOCore
import NIOHTTP1
import NIOPosix
import Platform
import SlipboxCore
import SlipboxPage
import Text

/// The sockets of the server, on loopback addresses only: 127.0.0.1, and ::1 if the machine has it.
final class Listener {
  /// The port of both addresses.
  let port: Int
  private let group: MultiThreadedEventLoopGroup
  private let answering: Answering
  private let connections: NIOLoopBoundBox<Connections>
  private let channels: [any Channel]

  /// - Parameters:
  ///   - ports: the ports to try, one after the other; 0 is any free one.
  ///   - server: makes the server that answers, once the port is known.
  /// - Throws: if none of them is free.
  init(ports: [Int], _ server: (_ port: Int) -> any RequestAnswering) throws {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let answering = Answering()
    self.answering = answering
    let loop = group.next()
    let connections = NIOLoopBoundBox.makeBoxSendingValue(Connections(), eventLoop: loop)
    self.connections = connections
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.prepare(channel, answering, connections.value)
        }
      }
    var failure: (any Error)?
    var first: (any Channel)?
    for port in ports where first == nil {
      do { first = try bootstrap.bind(host: "127.0.0.1", port: port).wait() } catch { failure = error }
    }
    guard let first, let port = first.localAddress?.port else { throw Self.refusal(ports, failure) }
    self.port = port
    answering.serve(server(port))
    // A machine need not have the newer address.
    let second = try? bootstrap.bind(host: "::1", port: port).wait()
    channels = [first] + [second].compactMap { $0 }
  }

  private static func refusal(_ ports: [Int], _ failure: (any Error)?) -> SlipboxError {
    let port = ports.first.flatMap { $0 == 0 ? nil : "port \($0)" } ?? "any port"
    return SlipboxError(
      .unavailable, "can't listen on \(port): \(failure.map { "\($0)" } ?? "refused")",
      hints: ["omit --port to use a free port"])
  }

  /// Serves until the program receives a signal to end.
  func serve() throws {
    EndSignals.wait()
    for channel in channels { try? channel.close().wait() }
    // Open reads are dropped, because no client waits for them; a change in progress is completed.
    try? group.next().submit { [connections] in connections.value.closeAll() }.wait()
    answering.end()
    try? group.syncShutdownGracefully()
  }

  private static func prepare(
    _ channel: any Channel, _ answering: Answering, _ connections: Connections
  ) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 16 << 10
    limits.maxHeaderListSize = 32 << 10
    limits.maxHeaderFieldCount = 100
    let pipeline = channel.pipeline.syncOperations
    let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
    try pipeline.addHandlers([
      HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerPipelineHandler(),
      BrowserConnection(answering, connections),
    ])
  }
}

/// The open connections, oldest first. Used on the one event loop only.
///
/// If there are too many, the oldest one that waits for a request is closed. A client that opens thousands of idle
/// connections can't keep others out.
final class Connections {
  private static let most = 256

  private var open: [BrowserConnection] = []

  /// Takes a connection; another one may have to go for it.
  func add(_ connection: BrowserConnection) {
    open.append(connection)
    guard open.count > Self.most else { return }
    let idle = open.first { !$0.hasAsked && $0.isWaiting } ?? open.first { $0.isWaiting } ?? open[0]
    idle.close()
  }

  /// Ends all connections.
  func closeAll() {
    for connection in open { connection.close() }
  }

  func remove(_ connection: BrowserConnection) { open.removeAll { $0 === connection } }
}

/// The signals that end the server: Ctrl-C, and the polite request to go.
struct EndSignals {
  private static let numbers = [Signals.interrupt, Signals.terminate, Signals.hangUp]

  /// Holds the signals back from all threads that are started from now on, so that they are waited for.
  static func hold() { Signals.hold(numbers) }

  /// Waits until one of them comes.
  static func wait() { Signals.wait(for: numbers) }
}
