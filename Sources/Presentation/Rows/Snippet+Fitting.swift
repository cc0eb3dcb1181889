import NoteIndex
import Text

extension Snippet {
  /// The part around the first highlight that fits into so many cells.
  ///
  /// - Parameter mark: the sign for what is left out, at either end.
  func fitted(to room: Int, mark: String) -> Snippet {
    guard CellWidth.of(Visible.escape(text)) > room else { return self }
    let bytes = Array(text.utf8)
    let letters = text.map { (bytes: $0.utf8.count, cells: CellWidth.of(Visible.escape(String($0)))) }
    let hit = highlights.first ?? 0..<0
    let markWidth = CellWidth.of(mark)
    var start = 0
    var first = 0
    // Where the highlight would not fit behind the beginning, a third of the room is for what stands before it.
    if CellWidth.of(Visible.escape(bytes[..<min(hit.upperBound, bytes.count)])) > room - markWidth {
      var before = CellWidth.of(Visible.escape(bytes[..<min(hit.lowerBound, bytes.count)]))
      while first < letters.count, before > room / 3, start + letters[first].bytes <= hit.lowerBound {
        start += letters[first].bytes
        before -= letters[first].cells
        first += 1
      }
    }
    var end = start
    var left = room - (start > 0 ? markWidth : 0)
    let rest = letters[first...].reduce(0) { $0 + $1.cells }
    let isWhole = rest <= left
    if !isWhole { left -= markWidth }
    for letter in letters[first...] {
      guard isWhole || letter.cells <= left else { break }
      left -= letter.cells
      end += letter.bytes
    }
    let opening = start > 0 ? mark : ""
    let shift = opening.utf8.count - start
    let shown = highlights.filter { $0.lowerBound >= start && $0.lowerBound < end }.map {
      ($0.lowerBound + shift)..<(min($0.upperBound, end) + shift)
    }
    let part = String(decoding: bytes[start..<end], as: UTF8.self)
    return Snippet(line: line, text: opening + part + (isWhole ? "" : mark), highlights: shown)
  }
}
