import Glibc
import Platform
import Rendering
import SlipboxCore

/// Draws lines from the top of the terminal on, over what was drawn before.
struct Screen {
  private let end: UInt8
  private let hasLinePerNote: Bool

  /// - Parameters:
  ///   - end: what ends a line of what is drawn.
  ///   - hasLinePerNote: whether each line is a note, so that those left out can be counted.
  init(end: UInt8, hasLinePerNote: Bool) {
    self.end = end
    self.hasLinePerNote = hasLinePerNote
  }

  /// How many lines there is room for, less one for the cursor.
  var rows: Int { max(2, (Terminal.rows(STDOUT_FILENO) ?? 24) - 1) }

  /// Draws what was written, and under it what was complained of; what there is no room for is left out.
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
    lines += messages.map { Array($0.utf8) }
    // Long lines end at the edge while this is drawn; all of it is one write, so that nothing flickers.
    var frame = Array("\u{1B}[?7l\u{1B}[H".utf8)
    for line in lines { frame += line + Array("\u{1B}[K\r\n".utf8) }
    frame += Array("\u{1B}[J\u{1B}[?7h".utf8)
    try Self.write(frame)
  }

  private static func write(_ frame: [UInt8]) throws(SlipboxError) {
    try Signals.deferring { () throws(SlipboxError) in
      Console.write(frame)
      try Console.flush()
    }
  }
}
