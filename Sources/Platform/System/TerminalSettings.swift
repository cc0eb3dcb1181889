#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The settings of a terminal. Wraps termios(3).
struct TerminalSettings {
  private var value: termios

  /// Reads the settings of a descriptor; nil if it is not a terminal.
  init?(of descriptor: Int32) {
    var value = termios()
    guard tcgetattr(descriptor, &value) == 0 else { return nil }
    self.value = value
  }

  /// The same settings, but every byte comes at once and unchanged. Wraps cfmakeraw(3).
  var raw: TerminalSettings {
    var raw = self
    cfmakeraw(&raw.value)
    return raw
  }

  /// Applies the settings to a descriptor.
  /// - Parameter afterOutput: whether written output is drained first.
  func apply(to descriptor: Int32, afterOutput: Bool) {
    var value = value
    _ = retrying { tcsetattr(descriptor, afterOutput ? TCSADRAIN : TCSANOW, &value) }
  }
}

/// The size of a terminal in cells; 0 if the terminal does not report it.
struct WindowSize {
  let columns: Int
  let rows: Int

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Reads the size of the terminal on a descriptor; nil if it is not a terminal. Wraps `TIOCGWINSZ` of ioctl(2).
  init?(of descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    self.init(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Sets the size of the terminal on a descriptor. Wraps `TIOCSWINSZ` of ioctl(2).
  func apply(to descriptor: Int32) {
    var size = winsize()
    size.ws_col = UInt16(clamping: columns)
    size.ws_row = UInt16(clamping: rows)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }
}

/// A pseudoterminal without a window: bytes written to one end are read at the other, unchanged.
package final class Pseudoterminal: Sendable {
  let ownEnd: Descriptor
  let otherEnd: Descriptor

  /// The descriptor of who plays the window.
  package var own: Int32 { ownEnd.number }
  /// The descriptor of the program that runs in it.
  package var other: Int32 { otherEnd.number }

  /// - Throws: if the system gives none.
  package init(columns: Int, rows: Int) throws(SystemError) {
    ownEnd = try Descriptor.open(Array("/dev/ptmx".utf8), [.both, .withoutTerminal])
    otherEnd = try Descriptor.open(try Self.otherName(of: ownEnd), [.both, .withoutTerminal])
    TerminalSettings(of: otherEnd.number)?.raw.apply(to: otherEnd.number, afterOutput: false)
    WindowSize(columns: columns, rows: rows).apply(to: otherEnd.number)
  }

  /// The path of the other end, which can be opened from now on.
  private static func otherName(of end: Descriptor) throws(SystemError) -> [UInt8] {
    #if os(Linux)
      // `TIOCSPTLCK`, `TIOCGPTN`. Source: ioctl_tty(2).
      let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      var lock: Int32 = 0
      var number: Int32 = 0
      guard ioctl(end.number, setLock, &lock) == 0, ioctl(end.number, getNumber, &number) == 0 else {
        throw SystemError("open terminal", [])
      }
      return Array("/dev/pts/\(number)".utf8)
    #else
      guard grantpt(end.number) == 0, unlockpt(end.number) == 0, let name = ptsname(end.number) else {
        throw SystemError("open terminal", [])
      }
      return Array(String(cString: name).utf8)
    #endif
  }
}

/// Resets the terminal if the program crashes.
///
/// The handler runs in a broken process: all that it needs is prepared before, and it calls only functions that
/// signal-safety(7) allows.
enum CrashRestore {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// From here on a crash writes the bytes to the terminal and sets it as it was.
  static func arm(_ input: Int32, _ settings: TerminalSettings, _ output: Int32, _ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    terminalAtCrash = CrashedTerminal(
      input: input, settings: settings.forCrash, output: output, bytes: copy, count: bytes.count)
    for signal in signals { Signals.replace(signal, by: Signals.calling(restoreTerminal)) }
  }

  static func disarm() {
    for signal in signals { Signals.replace(signal, by: Signals.standard) }
    terminalAtCrash?.bytes.deallocate()
    terminalAtCrash = nil
  }
}

extension TerminalSettings {
  fileprivate var forCrash: termios { value }
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
