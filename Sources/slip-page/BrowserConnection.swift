import NIOCore
import NIOHTTP1
import NIOPosix
import SlipboxPage
import Synchronization

/// One connection of a browser: requests one after the other, each answered before the next is read.
final class BrowserConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// How long the first request, and each further one, is waited for.
  private static let firstPatience = TimeAmount.seconds(20)
  private static let nextPatience = TimeAmount.seconds(90)
  /// How long a body is waited for, and how long a browser may take to read an answer.
  private static let bodyPatience = TimeAmount.seconds(30)
  private static let readingPatience = TimeAmount.seconds(60)

  private let answering: Answering
  private let connections: Connections
  private var context: ChannelHandlerContext?
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var deadline: Scheduled<Void>?
  private var events: EventStream?
  /// Tells those who work on the answer whether it is waited for.
  private let caller = Caller()
  /// Whether a request has come whole.
  private(set) var hasAsked = false
  /// Whether nothing is being answered.
  private(set) var isWaiting = true
  /// Whether what still comes is thrown away.
  private var isEnding = false

  init(_ answering: Answering, _ connections: Connections) {
    self.answering = answering
    self.connections = connections
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    connections.add(self)
    wait(Self.firstPatience)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    caller.leave()
    events?.end()
    connections.remove(self)
    self.context = nil
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isEnding else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let part): take(part, context)
    case .end: answer(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, isWaiting, !isEnding, events == nil else {
      return context.close(promise: nil)
    }
    write(PageServer.unreadable, isLast: true, context)
  }

  /// Ends the connection.
  func close() { context?.close(promise: nil) }

  /// Ends the connection if nothing ends the wait in time.
  private func wait(_ time: TimeAmount) {
    deadline?.cancel()
    deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.close() }
  }
}

extension BrowserConnection {
  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    self.head = head
    body = []
    let length = head.headers["content-length"].first.flatMap { Int($0) } ?? 0
    guard length <= RequestGuard.mostBytes(ofTarget: head.uri) else {
      return write(PageServer.tooLong(head.uri), isLast: true, context)
    }
    wait(Self.bodyPatience)
    guard head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) else { return }
    let part = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(part)), promise: nil)
  }

  private func take(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
    let target = head?.uri ?? ""
    guard body.count + part.readableBytes <= RequestGuard.mostBytes(ofTarget: target) else {
      return write(PageServer.tooLong(target), isLast: true, context)
    }
    body.append(contentsOf: part.readableBytesView)
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let head else { return }
    deadline?.cancel()
    hasAsked = true
    isWaiting = false
    let headers = head.headers.map { (name: $0.name, value: $0.value) }
    let request = PageRequest(head.method.rawValue, head.uri, headers: headers, body: body)
    body = []
    let isLast = !head.isKeepAlive
    let answer = answering.answer(request, for: caller, context.eventLoop)
    answer.assumeIsolated().whenComplete { [weak self] result in
      guard let self, let context = self.context else { return }
      switch result {
      case .success(let response): self.write(response, isLast: isLast, context)
      case .failure: context.close(promise: nil)
      }
    }
  }

  /// Writes a response.
  ///
  /// - Parameter isLast: whether the connection ends with it.
  private func write(_ response: PageResponse, isLast: Bool, _ context: ChannelHandlerContext) {
    isEnding = isLast
    var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
    if isLast { headers.add(name: "Connection", value: "close") }
    let bytes = response.bytes
    let isStream = if case .events = response.body { true } else { false }
    if !isStream, response.status != 304 { headers.add(name: "Content-Length", value: "\(bytes.count)") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    guard !isStream else { return stream(context) }
    if !bytes.isEmpty, self.head?.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
    }
    wait(Self.readingPatience)
    let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    written.assumeIsolated().whenComplete { [weak self] _ in self?.written(isLast: isLast) }
  }

  private func written(isLast: Bool) {
    if isLast { return close() }
    isWaiting = true
    wait(Self.nextPatience)
  }

  private func stream(_ context: ChannelHandlerContext) {
    guard let box = answering.box else { return close() }
    deadline?.cancel()
    events = EventStream(box, context) { [weak self] line in
      guard let self, let context = self.context else { return }
      // A client that does not read gets no further events.
      guard context.channel.isWritable else { return self.close() }
      let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: line)))
      context.writeAndFlush(self.wrapOutboundOut(part), promise: nil)
    }
  }
}

/// Has requests answered on threads that may wait for the disk, those of each queue on its own.
final class Answering: Sendable {
  private let pools: [PageQueue: NIOThreadPool]
  private let server = Mutex<(any RequestAnswering)?>(nil)

  init() {
    pools = Dictionary(
      uniqueKeysWithValues: PageQueue.allCases.map { ($0, NIOThreadPool(numberOfThreads: $0.threads)) })
    for pool in pools.values { pool.start() }
  }

  /// From here on requests are answered.
  func serve(_ server: any RequestAnswering) { self.server.withLock { $0 = server } }

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

  /// Ends the threads after the requests in progress.
  func end() {
    for pool in pools.values { try? pool.syncShutdownGracefully() }
  }
}

/// Tells one listener of the states of the box, and now and then that the server is there.
final class EventStream {
  private static let pulse = TimeAmount.seconds(15)

  private let box: PageBox
  private let number: Int
  private let beat: RepeatedTask

  /// - Parameter write: writes a line, on the event loop of the connection.
  init(_ box: PageBox, _ context: ChannelHandlerContext, _ write: @escaping (String) -> Void) {
    self.box = box
    let loop = context.eventLoop
    let bound = NIOLoopBound(write, eventLoop: loop)
    let listening = box.listen { state in
      loop.execute { bound.value(Self.line(state)) }
    }
    number = listening.number
    beat = loop.scheduleRepeatedTask(initialDelay: Self.pulse, delay: Self.pulse) { _ in
      bound.value("{}\n")
    }
    write(Self.line(listening.state))
  }

  func end() {
    box.leave(number)
    beat.cancel()
  }

  private static func line(_ state: String) -> String { "{\"state\":\"\(state)\"}\n" }
}
