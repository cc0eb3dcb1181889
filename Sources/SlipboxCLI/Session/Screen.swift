import Glibc
import Platform
import Presentation
import SlipboxCore
import Text

/// Draws lines from the top of the terminal on, over what was drawn before.
struct Screen {
  private let console: Console
  private let end: UInt8
  private let hasLinePerNote: Bool

  /// - Parameters:
  ///   - end: what ends a line of what is drawn.
  ///   - hasLinePerNote: whether each line is a note, so that those left out can be counted.
  init(_ console: Console, end: UInt8, hasLinePerNote: Bool) {
    self.console = console
    self.end = end
    self.hasLinePerNote = hasLinePerNote
  }

  /// The lines of the terminal, less one for the cursor.
  var rows: Int { max(2, (Terminal.rows(STDOUT_FILENO) ?? 24) - 1) }

  /// Draws results, and messages under them; lines that there is no room for are left out.
  func draw(_ captured: Console.Captured, leftOut: Int) throws {
    var lines = captured.output.split(separator: end, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let messages = captured.messages.prefix(rows / 2)
    let room = rows - messages.count
    if lines.count > room || leftOut > 0 {
      let cut = max(0, lines.count - room + 1)
      lines.removeLast(cut)
      lines.append(Array((hasLinePerNote ? "and \(leftOut + cut) more" : "and more").utf8))
    }
    lines = lines.map { TerminalText.spellingOut($0) }
    lines += messages.map { Array(Visible.escape($0).utf8) }
    // Long lines end at the edge while this is drawn; all of it is one write, so that nothing flickers.
    var frame = Array("\u{1B}[?7l\u{1B}[H".utf8)
    // A line is erased before it is written: after a full one the cursor stands on its last cell.
    for line in lines { frame += Array("\u{1B}[K".utf8) + line + Array("\r\n".utf8) }
    frame += Array("\u{1B}[J\u{1B}[?7h".utf8)
    try write(frame)
  }

  private func write(_ frame: [UInt8]) throws(SlipboxError) {
    try Signals.deferring { () throws(SlipboxError) in
      try console.draw(frame)
    }
  }
}
