package import Notes
import Text

/// The headings of a note as a list.
package struct OutlineRows {
  private struct Row {
    let line: Int
    let level: Int
    let text: String
    let words: Int
    let open: Int
    let done: Int
  }

  private let headings: [Row]

  package init(_ text: NoteText) {
    let anchors = HeadingAnchors(text)
    let boxes = CheckBox.all(in: text)
    let lines = text.positions(of: anchors.headings.map(\.lines.lowerBound)).map(\.line)
    var box = 0
    headings = anchors.headings.indices.map { number in
      let own = text.own(ofHeading: number, among: anchors)
      var (open, done) = (0, 0)
      while box < boxes.count, boxes[box].mark < own.upperBound {
        if boxes[box].mark >= own.lowerBound {
          open += boxes[box].state == .open ? 1 : 0
          done += boxes[box].state == .done ? 1 : 0
        }
        box += 1
      }
      let words = text.bytes[own].split { $0 <= 0x20 }.filter(Self.isWord)
      return Row(
        line: lines[number], level: anchors.headings[number].level, text: anchors.texts[number],
        words: words.count, open: open, done: done)
    }
  }

  /// Whether letters between blanks are a word: not the mark of a list, of a box or of a table.
  private static func isWord(_ letters: ArraySlice<UInt8>) -> Bool {
    if letters.count == 3, letters.first == UInt8(ascii: "["), letters.last == UInt8(ascii: "]") {
      return false
    }
    let isNumbered = letters.dropLast().allSatisfy { (0x30...0x39).contains($0) }
    if letters.count > 1, isNumbered, letters.last.map({ ".)".utf8.contains($0) }) == true { return false }
    return letters.contains { $0 >= 0x80 || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
  }

  /// A row for each heading with tabs between its columns.
  package func rows() -> [String] {
    headings.map { row in
      NoteColumns.row([
        String(row.line), String(row.level), row.text, String(row.words), String(row.open), String(row.done),
      ])
    }
  }

  /// The headings indented by their level.
  package func table(_ display: Display) -> [String] {
    let style = display.style
    let width = String(headings.map(\.line).max() ?? 0).utf8.count + 1
    return headings.map { row in
      let indent = String(repeating: "  ", count: row.level - 1)
      var remark = row.words > 0 ? "\(row.words) \(row.words == 1 ? "word" : "words")" : ""
      if row.open + row.done > 0 {
        remark += (remark.isEmpty ? "" : ", ") + "\(row.done)/\(row.open + row.done)"
      }
      let number = style.dim(CellWidth.pad("\(row.line):", to: width))
      return "\(number) \(indent)\(Visible.escape(row.text))"
        + (remark.isEmpty ? "" : "  " + style.dim(remark))
    }
  }

  /// One object with the headings.
  package func json() -> [UInt8] {
    JSONDocument.list("headings", headings) { row, writer in
      writer.object { writer in
        writer.member("line", row.line)
        writer.member("level", row.level)
        writer.member("text", row.text)
        writer.member("words", row.words)
        writer.member("open", row.open)
        writer.member("done", row.done)
      }
    }
  }
}
