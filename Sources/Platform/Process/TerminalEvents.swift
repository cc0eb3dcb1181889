import Glibc
import Synchronization

/// What a program on a full screen waits for: keys, signals, and word of its own other threads.
package final class TerminalEvents: Sendable {
  /// What ended a wait.
  package enum Awakening: Sendable, Equatable {
    /// The bytes of keys.
    case keys([UInt8])
    /// Another thread has called `wake`.
    case woken
    /// Signals that came, each once.
    case signals(Set<Int32>)
    /// The terminal is gone.
    case closed
    case timeout
  }

  /// The signals that are told of; they do nothing else any more.
  private static let heard = [SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  private let input: Int32
  private let reading: Descriptor
  private let writing: Descriptor
  private let signals = Mutex<Set<Int32>>([])

  /// - Throws: where the system gives no pipe.
  package init(input: Int32) throws(SystemError) {
    self.input = input
    (reading, writing) = try Descriptor.pipe()
    for end in [reading, writing] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
  }

  /// From here on signals end waits; to be called before any other thread is started.
  package func hearSignals() {
    var set = Signals.set(of: Self.heard)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    _ = Threads.detach { [self] in
      var set = Signals.set(of: Self.heard)
      var number: Int32 = 0
      while sigwait(&set, &number) == 0 {
        signals.withLock { _ = $0.insert(number) }
        wake()
      }
    }
  }

  /// Ends the wait of now, or the next one; may be called on any thread.
  package func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = Glibc.write(writing.number, &byte, 1)
  }

  /// Waits for something to happen.
  ///
  /// - Parameter milliseconds: how long at most; negative: without end.
  package func wait(_ milliseconds: Int32) -> Awakening {
    var streams = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0),
    ]
    let count = retrying { Int(poll(&streams, 2, milliseconds)) }
    guard count > 0 else { return .timeout }
    if streams[1].revents != 0 {
      Self.drain(reading.number)
      let came = signals.withLock { signals in
        defer { signals = [] }
        return signals
      }
      return came.isEmpty ? .woken : .signals(came)
    }
    var keys = [UInt8](repeating: 0, count: 4_096)
    let length = retrying { read(input, &keys, keys.count) }
    return length > 0 ? .keys(Array(keys.prefix(length))) : .closed
  }

  private static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  /// Stops the program and those of its job, as Ctrl-Z does, until the shell lets them go on.
  package func suspend() {
    stoppable { _ = kill(0, SIGTSTP) }
    signals.withLock { _ = $0.remove(SIGTSTP) }
  }

  /// Runs a body in which another program has the terminal: Ctrl-Z stops both, and what Ctrl-C and its like meant for the
  /// other one is not told of.
  package func handingOver<Result>(_ body: () -> Result) -> Result {
    let result = stoppable(body)
    signals.withLock { $0.subtract([SIGTSTP, SIGINT, SIGQUIT]) }
    return result
  }

  /// Runs a body in which SIGTSTP stops the program.
  private func stoppable<Result>(_ body: () -> Result) -> Result {
    var stop = Signals.set(of: [SIGTSTP])
    let action = Signals.replace(SIGTSTP, by: Signals.standard)
    pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    defer {
      pthread_sigmask(SIG_BLOCK, &stop, nil)
      Signals.replace(SIGTSTP, by: action)
    }
    return body()
  }
}
