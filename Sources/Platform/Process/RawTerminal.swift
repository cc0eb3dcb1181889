import Glibc
import Synchronization

/// The terminal while a program draws on all of it: keys come one by one, and what stood there comes back at the end.
///
/// Nothing is ever asked of the terminal that would have to be waited for.
package final class RawTerminal: @unchecked Sendable {
  package let input: Int32
  package let output: Int32
  private let usesMouse: Bool
  private var before: termios
  private var isEntered = false

  /// - Returns: nil where one of the descriptors is no terminal.
  package init?(input: Int32, output: Int32, usesMouse: Bool) {
    var settings = termios()
    guard isatty(output) == 1, tcgetattr(input, &settings) == 0 else { return nil }
    self.input = input
    self.output = output
    self.usesMouse = usesMouse
    before = settings
  }

  /// Takes the terminal: its other screen, every key at once, no cursor. Its settings of now come back with `leave`.
  package func enter() {
    guard !isEntered else { return }
    var now = termios()
    if tcgetattr(input, &now) == 0 { before = now }
    CrashRestore.arm(input, before, output, Self.leaving)
    var raw = before
    cfmakeraw(&raw)
    _ = retrying { tcsetattr(input, TCSADRAIN, &raw) }
    write(Self.entering + (usesMouse ? Self.mouse : []))
    isEntered = true
  }

  /// Gives the terminal back as it was.
  package func leave() {
    guard isEntered else { return }
    write(Self.leaving)
    _ = retrying { tcsetattr(input, TCSADRAIN, &before) }
    CrashRestore.disarm()
    isEntered = false
  }

  /// The cells of a line, and the lines; as terminals usually have them where it does not tell.
  package var size: (columns: Int, rows: Int) {
    (Terminal.columns(output) ?? 80, Terminal.rows(output) ?? 24)
  }

  /// Writes all of some bytes. A terminal that is gone ends the program by other ways.
  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = retrying { rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) } }
      guard count > 0 else { return }
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

/// Gives the terminal back where the program crashes.
///
/// The handler runs in a broken process: all that it needs is laid out before, and it calls nothing but functions that
/// signal-safety(7) allows.
enum CrashRestore {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// From here on a crash writes the bytes to the terminal and sets it as it was.
  static func arm(_ input: Int32, _ settings: termios, _ output: Int32, _ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    terminalAtCrash = CrashedTerminal(
      input: input, settings: settings, output: output, bytes: copy, count: bytes.count)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = restoreTerminal
    for signal in signals { Signals.replace(signal, by: action) }
  }

  static func disarm() {
    for signal in signals { Signals.replace(signal, by: Signals.standard) }
    terminalAtCrash?.bytes.deallocate()
    terminalAtCrash = nil
  }
}

private struct CrashedTerminal {
  let input: Int32
  var settings: termios
  let output: Int32
  let bytes: UnsafeMutablePointer<UInt8>
  let count: Int
}

// Written by the thread that draws alone, while no handler is armed; read by the handler.
nonisolated(unsafe) private var terminalAtCrash: CrashedTerminal?

/// A free function: a callback written in a main-actor context would trap.
private func restoreTerminal(_ signal: Int32) {
  if var terminal = terminalAtCrash {
    _ = write(terminal.output, terminal.bytes, terminal.count)
    _ = tcsetattr(terminal.input, TCSANOW, &terminal.settings)
  }
  var action = sigaction()
  sigaction(signal, &action, nil)
  raise(signal)
}

/// A small process that gives the terminal back where a program on a full screen is killed.
///
/// It holds the settings of the terminal and waits for its input to end. Where the program has said goodbye, it does
/// nothing.
package enum TerminalGuard {
  /// The command of slip that is a guard.
  package static let command = "guard-terminal"
  private static let goodbye = UInt8(ascii: "q")

  /// The guard of a program; leaves in peace once `dismiss` was called.
  package final class Watched: Sendable {
    private let pipe: Descriptor

    fileprivate init(_ pipe: Descriptor) { self.pipe = pipe }

    package func dismiss() {
      var byte = TerminalGuard.goodbye
      _ = write(pipe.number, &byte, 1)
    }
  }

  /// Starts a guard.
  ///
  /// - Parameter arguments: a program that calls `run`.
  /// - Throws: where it can't be started.
  package static func start(_ arguments: [[UInt8]]) throws(SystemError) -> Watched {
    let (reading, writing) = try Descriptor.pipe()
    var setup = try SpawnSetup(standardSignals: [])
    // Of its own group, so that what ends the program's job does not end it too.
    setup.startsGroup = true
    try setup.pass(reading, as: STDIN_FILENO)
    _ = try setup.spawn(arguments, nil)
    return Watched(writing)
  }

  /// Waits for the end of standard input; gives the terminal of standard output back where there was no goodbye.
  package static func run() {
    for signal in [SIGTTOU, SIGTTIN, SIGTSTP, SIGINT, SIGQUIT, SIGHUP, SIGTERM] {
      Signals.replace(signal, by: Signals.ignoring)
    }
    var settings = termios()
    guard tcgetattr(STDOUT_FILENO, &settings) == 0 else { return }
    var byte: UInt8 = 0
    while retrying({ read(STDIN_FILENO, &byte, 1) }) == 1 {
      if byte == goodbye { return }
    }
    _ = RawTerminal.leaving.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    _ = retrying { Int(tcsetattr(STDOUT_FILENO, TCSANOW, &settings)) }
  }
}

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
