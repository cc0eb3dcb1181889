/// Measures text in the cells of a terminal.
///
/// Wide characters take two cells, marks none, an emoji sequence or a flag two. Control characters count
/// nothing: what may hold them goes through `Visible` first.
package enum CellWidth {
  /// Returns how many cells the text takes.
  ///
  /// - Complexity: O(n).
  package static func of(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { of($0.span) }
  }

  /// Returns how many cells UTF-8 bytes take; an invalid byte counts one.
  ///
  /// - Complexity: O(n).
  package static func of(_ bytes: Span<UInt8>) -> Int {
    var cells = 0
    var offset = 0
    while offset < bytes.count {
      let cluster = GraphemeCluster(in: bytes, at: offset)
      cells += cluster.cells
      offset += cluster.length
    }
    return cells
  }

  /// Cuts the text so that it takes at most `cells` cells, `mark` included where something was cut.
  ///
  /// A wide character is never cut in two; where not even the mark fits, it is left out.
  /// - Complexity: O(n) in the length of the result.
  package static func truncate(_ text: String, to cells: Int, mark: String = "…") -> String {
    guard cells > 0 else { return "" }
    let markCells = of(mark)
    let showsMark = markCells <= cells
    let room = showsMark ? cells - markCells : cells
    var text = text
    let cut: Int? = text.withUTF8 { cutOffset(in: $0.span, cells: cells, room: room) }
    guard let cut else { return text }
    return String(decoding: text.utf8.prefix(cut), as: UTF8.self) + (showsMark ? mark : "")
  }

  /// Finds where to cut bytes that take more than `cells`, so that `room` is enough; nil when all fits.
  private static func cutOffset(in bytes: Span<UInt8>, cells: Int, room: Int) -> Int? {
    var used = 0
    var offset = 0
    var cut: Int?
    while offset < bytes.count {
      let cluster = GraphemeCluster(in: bytes, at: offset)
      if used + cluster.cells > room && cut == nil { cut = offset }
      used += cluster.cells
      if used > cells { return cut }
      offset += cluster.length
    }
    return nil
  }

  /// Adds blanks until the text takes `cells` cells; longer text is returned as it is.
  package static func pad(_ text: String, to cells: Int) -> String {
    let missing = cells - of(text)
    return missing > 0 ? text + String(repeating: " ", count: missing) : text
  }
}

extension CellWidth {
  /// Cuts the middle out of the text so that it takes at most `cells` cells, `mark` included where something was cut;
  /// more is left of the end than of the beginning.
  ///
  /// - Complexity: O(n).
  package static func truncateMiddle(_ text: String, to cells: Int, mark: String = "…") -> String {
    guard of(text) > cells else { return text }
    let room = cells - of(mark)
    guard room > 1 else { return truncate(text, to: cells, mark: mark) }
    var end: [Character] = []
    var taken = 0
    for character in text.reversed() {
      let width = of(String(character))
      guard taken + width <= room * 2 / 3 else { break }
      taken += width
      end.append(character)
    }
    return truncate(text, to: room - taken, mark: "") + mark + String(end.reversed())
  }
}
