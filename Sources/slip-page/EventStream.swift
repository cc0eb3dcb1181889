import NIOCore
import SlipboxPage

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
