import FoundationEssentials
import Platform
import Synchronization

/// The editor: what it can do, and the way to it.
final class Client: Sendable {
  let capabilities: ClientCapabilities
  let encoding: PositionEncoding
  private let outbox: Outbox
  private let state = Mutex(State())

  private struct State {
    var nextID = 1
    var waiting: [RequestID: Mailbox<[UInt8]>] = [:]
    var isGone = false
  }

  init(_ capabilities: JSONValue, _ outbox: Outbox) {
    self.capabilities = ClientCapabilities(capabilities)
    encoding = PositionEncoding(offered: self.capabilities.positionEncodings)
    self.outbox = outbox
  }

  func send(_ message: [UInt8]) { outbox.send(message) }

  func notify(_ method: String, _ params: some Encodable) { send(Message.call(method, params)) }

  /// The kinds of messages to people.
  enum MessageType: Int, Encodable {
    case error = 1
    case warning, info, log
  }

  private struct MessageParams: Encodable {
    let type: MessageType
    let message: String
  }

  /// Shows a message to the user.
  func show(_ type: MessageType, _ message: String) {
    notify("window/showMessage", MessageParams(type: type, message: message))
  }

  /// Writes a message into the client's log.
  func log(_ type: MessageType, _ message: String) {
    notify("window/logMessage", MessageParams(type: type, message: message))
  }

  /// Asks the client and waits for its answer; nil where it gives none, or refuses.
  func ask<Result: Decodable & Sendable>(
    _ method: String, _ params: some Encodable, for type: Result.Type
  ) -> Result? {
    let answer = Mailbox<[UInt8]>()
    let id: RequestID? = state.withLock { state in
      if state.isGone { return nil }
      let id = RequestID.text("slip-\(state.nextID)")
      state.nextID += 1
      state.waiting[id] = answer
      return id
    }
    guard let id else { return nil }
    send(Message.call(method, params, id: id))
    guard let message = answer.next() else { return nil }
    return (try? Message.decoded(ClientAnswer<Result>.self, message))?.result
  }

  /// Asks the client for something of which the answer does not matter.
  func request(_ method: String, _ params: some Encodable) {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return RequestID.text("slip-\(state.nextID)")
    }
    send(Message.call(method, params, id: id))
  }

  /// Takes the client's answer to a question.
  func take(answer message: [UInt8], to id: RequestID) {
    let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
    waiting?.put(message)
    waiting?.close()
  }

  /// Ends all waits for answers; what was asked counts as refused.
  func endQuestions() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for mailbox in waiting { mailbox.close() }
  }

  /// Ends all waits for answers, and asks nothing more.
  func leave() {
    state.withLock { $0.isGone = true }
    endQuestions()
  }
}

/// The one hand that writes messages to the client.
///
/// Whoever has a message puts it here and goes on: a client that does not read holds up nobody but itself.
final class Outbox: Sendable {
  private let messages = Mailbox<[UInt8]>()
  private let isDone = Mailbox<Void>()

  /// - Parameter descriptor: where the messages go.
  init(_ descriptor: Int32) {
    let (messages, isDone) = (messages, isDone)
    let write: @Sendable () -> Void = {
      let output = Output(descriptor: descriptor)
      while let waiting = messages.all(within: .max / 2_000_000) {
        for message in waiting { output.write(MessageFrames.framed(message)) }
        // Without a reader there is nobody to tell.
        guard (try? output.flush()) != nil else { break }
      }
      messages.close()
      isDone.close()
    }
    if !Threads.detach(write) { messages.close() }
  }

  func send(_ message: [UInt8]) { messages.put(message) }

  /// Writes what is left, and waits until that is done.
  func finish() {
    messages.close()
    _ = isDone.next()
  }
}
