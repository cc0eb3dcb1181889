import Bytes
import CUTF8Proc

/// Measures text in the cells of a terminal.
///
/// Wide characters take two cells, marks none, an emoji sequence or a flag two. Control characters have no width: text
/// that may contain them is passed through `Visible` first.
package enum CellWidth {
  /// Returns the number of cells of the text.
  ///
  /// - Complexity: O(n).
  package static func of(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { of($0.span) }
  }

  /// Returns the number of cells of UTF-8 bytes; an invalid byte counts one.
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

  /// Truncates the text to at most `cells` cells, including `mark` if it was cut.
  ///
  /// A wide character is never split; if even the mark does not fit, it is omitted.
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

  /// Finds the offset at which bytes that take more than `cells` are cut to `room`; nil if all bytes fit.
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
  /// Cuts out the middle of the text so that it takes at most `cells` cells, including `mark` if it was cut. More of the
  /// end remains than of the beginning.
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

/// One character as a reader sees it: its number of bytes, and its width in cells of a terminal.
///
/// Source: UAX 29 through utf8proc; UAX 11 and UTS 51 for the width.
package struct GraphemeCluster: Equatable, Sendable {
  /// The number of bytes, at least 1.
  package let length: Int
  /// The number of terminal cells; 0 for a control character or a lone mark.
  package let cells: Int

  /// Reads the cluster that begins at `offset`, which must be inside `bytes`.
  ///
  /// Invalid UTF-8 counts as the replacement character.
  /// - Complexity: O(n) in the length of the cluster.
  @inline(__always)
  package init(in bytes: Span<UInt8>, at offset: Int) {
    let byte = bytes[offset]
    if byte < 0x80 && (offset + 1 == bytes.count || bytes[offset + 1] < 0x80) {
      length = 1
      cells = byte >= 0x20 && byte != 0x7F ? 1 : 0
    } else {
      self = GraphemeCluster(scalarsOf: bytes, at: offset)
    }
  }

  private init(scalarsOf bytes: Span<UInt8>, at offset: Int) {
    let first = DecodedScalar(in: bytes, at: offset)
    var previous = Int32(bitPattern: first.value)
    var width = ClusterWidth(first: previous)
    var state: Int32 = 0
    var end = offset + first.length
    while end < bytes.count {
      let next = DecodedScalar(in: bytes, at: end)
      let value = Int32(bitPattern: next.value)
      guard !utf8proc_grapheme_break_stateful(previous, value, &state) else { break }
      width.add(value)
      previous = value
      end += next.length
    }
    length = end - offset
    cells = width.cells
  }
}

/// Adds up the width of a cluster.
private struct ClusterWidth {
  private let firstKind: UInt32
  private var sum: Int
  private var hasEmojiForm = false

  init(first value: Int32) {
    let property = utf8proc_get_property(value).pointee
    firstKind = property.boundclass
    sum = Int(property.charwidth)
  }

  mutating func add(_ value: Int32) {
    let property = utf8proc_get_property(value).pointee
    switch (firstKind, property.boundclass) {
    case (UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR.rawValue, UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR.rawValue):
      hasEmojiForm = true
    case (_, UTF8PROC_BOUNDCLASS_V.rawValue), (_, UTF8PROC_BOUNDCLASS_T.rawValue):
      break
    case (UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC.rawValue, _):
      // A joiner's partner and a skin tone take the place of the picture.
      if property.charwidth > 1 || value == 0xFE0F { hasEmojiForm = true }
    default:
      if value == 0xFE0F { hasEmojiForm = true }
      sum += Int(property.charwidth)
    }
  }

  var cells: Int { hasEmojiForm ? 2 : sum }
}
