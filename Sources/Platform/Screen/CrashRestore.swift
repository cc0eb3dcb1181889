import Glibc

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
