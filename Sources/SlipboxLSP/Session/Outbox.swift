import Platform

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
