import Synchronization

/// The terminal in full-screen mode: keys arrive one by one, and the old content is restored at the end.
///
/// It never sends a query whose answer would have to be waited for.
package final class RawTerminal: @unchecked Sendable {
  package let input: Int32
  package let output: Int32
  private let usesMouse: Bool
  private var before: TerminalSettings
  private var isEntered = false

  /// - Returns: nil if one of the descriptors is not a terminal.
  package init?(input: Int32, output: Int32, usesMouse: Bool) {
    guard Terminal.isTerminal(output), let settings = TerminalSettings(of: input) else { return nil }
    self.input = input
    self.output = output
    self.usesMouse = usesMouse
    before = settings
  }

  /// Takes the terminal: its other screen, every key at once, no cursor. Its settings of now come back with `leave`.
  package func enter() {
    guard !isEntered else { return }
    before = TerminalSettings(of: input) ?? before
    CrashRestore.arm(input, before, output, Self.leaving)
    before.raw.apply(to: input, afterOutput: true)
    write(Self.entering + (usesMouse ? Self.mouse : []))
    isEntered = true
  }

  /// Gives the terminal back as it was.
  package func leave() {
    guard isEntered else { return }
    write(Self.leaving)
    before.apply(to: input, afterOutput: true)
    CrashRestore.disarm()
    isEntered = false
  }

  /// The columns and rows of the terminal; common defaults if it does not report them.
  package var size: (columns: Int, rows: Int) {
    (Terminal.columns(output) ?? 80, Terminal.rows(output) ?? 24)
  }

  /// Writes all of some bytes. A terminal that is gone ends the program by other ways.
  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let (count, code) = rest.withUnsafeBytes { Descriptor.writeSome(output, $0) }
      guard count > 0 || code == SystemError.Code.interrupted else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The other screen, no cursor, no wrapping at the edge, pasted text in brackets.
  private static let entering = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J".utf8)
  private static let mouse = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
  /// All that `enter` has set, the other way round; also the end of a frame that was cut off.
  static let leaving = Array(
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
}

/// A small process that resets the terminal if a full-screen program is killed.
///
/// It holds the settings of the terminal and waits for the end of its input. If the program has ended normally, it
/// does nothing.
package enum TerminalGuard {
  /// The command of slip that is a guard.
  package static let command = "guard-terminal"
  private static let goodbye = UInt8(ascii: "q")

  /// The guard of a program; leaves in peace once `dismiss` was called.
  package final class Watched: Sendable {
    private let pipe: Descriptor

    fileprivate init(_ pipe: Descriptor) { self.pipe = pipe }

    package func dismiss() {
      [TerminalGuard.goodbye].withUnsafeBytes { _ = Descriptor.writeSome(pipe.number, $0) }
    }
  }

  /// Starts a guard.
  ///
  /// - Parameter arguments: a program that calls `run`.
  /// - Throws: if it can't be started.
  package static func start(_ arguments: [[UInt8]]) throws(SystemError) -> Watched {
    let (reading, writing) = try Descriptor.pipe()
    var setup = try SpawnSetup(standardSignals: [])
    // A process group of its own, so that a signal to the program's job does not end it too.
    setup.startsGroup = true
    try setup.pass(reading, as: StandardStream.input)
    _ = try setup.spawn(arguments, nil)
    return Watched(writing)
  }

  /// Waits for the end of standard input; gives the terminal of standard output back if there was no goodbye.
  package static func run() {
    Signals.ignoreThoseOfJobs()
    guard let settings = TerminalSettings(of: StandardStream.output) else { return }
    while let byte = Descriptor.readSome(StandardStream.input, atMost: 1).bytes.first {
      if byte == goodbye { return }
    }
    RawTerminal.leaving.withUnsafeBytes { _ = Descriptor.writeSome(StandardStream.output, $0) }
    settings.apply(to: StandardStream.output, afterOutput: false)
  }
}

/// The events of a full-screen program: keys, signals, and wake-ups by its own threads.
package final class TerminalEvents: Sendable {
  /// The cause that ended a wait.
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

  /// The signals that are reported as events. Their default actions are off.
  private static let heard = [
    Signals.resize, Signals.resume, Signals.stop, Signals.terminate, Signals.hangUp, Signals.interrupt,
    Signals.quit,
  ]

  private let input: Int32
  private let reading: Descriptor
  private let writing: Descriptor
  private let signals = Mutex<Set<Int32>>([])

  /// - Throws: if the system gives no pipe.
  package init(input: Int32) throws(SystemError) {
    self.input = input
    (reading, writing) = try Descriptor.pipe()
    for end in [reading, writing] { end.refuseWaiting() }
  }

  /// From here on signals end waits; to be called before any other thread is started.
  package func hearSignals() {
    Signals.hold(Self.heard)
    _ = Threads.detach { [self] in
      while let number = Signals.wait(for: Self.heard) {
        signals.withLock { _ = $0.insert(number) }
        wake()
      }
    }
  }

  /// Ends the wait of now, or the next one; may be called on any thread.
  package func wake() {
    // A full pipe wakes as well.
    [0].withUnsafeBytes { _ = Descriptor.writeSome(writing.number, $0) }
  }

  /// Waits for something to happen.
  ///
  /// - Parameter milliseconds: how long at most; negative: without end.
  package func wait(_ milliseconds: Int32) -> Awakening {
    var streams = Polled([(input, .reading), (reading.number, .reading)])
    guard streams.waitOn(milliseconds: milliseconds) > 0 else { return .timeout }
    if streams.isReady(1) {
      Self.drain(reading.number)
      let came = signals.withLock { signals in
        defer { signals = [] }
        return signals
      }
      return came.isEmpty ? .woken : .signals(came)
    }
    let keys = Descriptor.readSome(input, atMost: 4_096).bytes
    return keys.isEmpty ? .closed : .keys(keys)
  }

  private static func drain(_ descriptor: Int32) {
    while Descriptor.readSome(descriptor, atMost: 256).bytes.count == 256 {}
  }

  /// Stops the program and those of its job, as Ctrl-Z does, until the shell lets them go on.
  package func suspend() {
    stoppable {
      // 0 is the group of this process.
      Signals.send(Signals.stop, to: 0)
    }
    signals.withLock { _ = $0.remove(Signals.stop) }
  }

  /// Runs a body while another program has the terminal. Ctrl-Z stops both; Ctrl-C and similar signals for the other
  /// program are not reported.
  package func handingOver<Result>(_ body: () -> Result) -> Result {
    let result = stoppable(body)
    signals.withLock { $0.subtract([Signals.stop, Signals.interrupt, Signals.quit]) }
    return result
  }

  /// Runs a body in which SIGTSTP stops the program.
  private func stoppable<Result>(_ body: () -> Result) -> Result {
    let action = Signals.replace(Signals.stop, by: Signals.standard)
    Signals.release([Signals.stop])
    defer {
      Signals.hold([Signals.stop])
      Signals.replace(Signals.stop, by: action)
    }
    return body()
  }
}
