import Glibc

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
