import SlipboxTesting
import Testing

@testable import SlipboxScreen

/// What is written shows the frame that was meant, whatever stood there before.
struct FrameWriterTests {
  private static let texts = [
    "a", "plain text", "漢字", "한글 and more", "e\u{301}e\u{301}", "👩‍👩‍👧‍👦!", "🇩🇪", "שלום", "\u{1B}[1mbold\u{1B}[22m",
    "",
    "\u{1B}[31mred\u{1B}[39m \u{1B}[2mdim\u{1B}[22m", "control\u{7}\u{9}", "          ", "│",
  ]

  private static func change(_ frame: inout Frame, _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let cells = CellLine.cells(texts.randomElement(using: &random) ?? "")
      frame.put(
        cells, row: Int.random(in: -1...frame.rows, using: &random),
        column: Int.random(in: 0...frame.columns, using: &random),
        width: Int.random(in: 0...frame.columns + 3, using: &random),
        adding: Bool.random(using: &random) ? .reverse : [])
    }
    frame.cursor =
      Bool.random(using: &random)
      ? nil
      : (Int.random(in: 0..<frame.rows, using: &random), Int.random(in: 0..<frame.columns, using: &random))
  }

  /// Whether each wide character has its second half behind it, and no half stands alone.
  private static func isWhole(_ frame: Frame) -> Bool {
    (0..<frame.rows).allSatisfy { row in
      let cells = Array(frame.row(row))
      return cells.indices.allSatisfy { place in
        cells[place].width == 0
          ? place > 0 && cells[place - 1].width == 2
          : cells[place].width == 1 || (place + 1 < cells.count && cells[place + 1].width == 0)
      }
    }
  }

  @Test(arguments: 0..<300)
  func aTerminalShowsTheFrame(_ seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let (columns, rows) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...8, using: &random))
    var terminal = TerminalInTest(columns: columns, rows: rows)
    var frame = Frame(columns: columns, rows: rows)
    var shown: Frame?
    for _ in 0..<8 {
      Self.change(&frame, &random)
      #expect(Self.isWhole(frame))
      terminal.take(FrameWriter.bytes(from: shown, to: frame))
      #expect(terminal.frame == frame)
      shown = frame
    }
    #expect(terminal.unknown.isEmpty)
    #expect(FrameWriter.bytes(from: frame, to: frame).isEmpty)
  }

  @Test func aSmallChangeIsFewBytes() {
    var frame = Frame(columns: 120, rows: 40)
    for row in 0..<40 { frame.put("line \(row) of a screen full of text", row: row, column: 0, width: 120) }
    let before = frame
    frame.put("line 7 of a screen full of texts", row: 7, column: 0, width: 120)
    #expect(FrameWriter.bytes(from: before, to: frame).count < 60)
  }

  @Test(arguments: [1, 2, 3, 7, 20]) func linesAreCutToTheirWidth(_ width: Int) {
    for text in Self.texts + ["a long line of several words that goes on 漢字漢字漢字漢字"] {
      let lines = CellLine.wrapped(text, to: width)
      #expect(lines.allSatisfy { $0.count <= max(2, width) && $0.first?.width != 0 })
      let letters = { (cells: [Cell]) in cells.map(\.text).filter { $0 != " " }.joined() }
      #expect(letters(lines.flatMap { $0 }) == letters(CellLine.cells(text)))
    }
  }
}
