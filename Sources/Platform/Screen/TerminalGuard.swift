import Glibc

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
