import Bytes

/// A part of a line around what was found in it.
struct Excerpt {
  /// The most bytes of the line that are shown.
  private static let longest = 160
  /// How much stands before what was found where the line is cut.
  private static let lead = 48

  private let bytes: [UInt8]
  private let line: Range<Int>
  private let range: Range<Int>
  private let highlights: [Range<Int>]

  /// - Parameter highlights: in bytes of the file, in order, none over another.
  init(of bytes: [UInt8], line: Range<Int>, highlights: [Range<Int>]) {
    var (start, end) = (line.lowerBound, line.upperBound)
    while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
    while end > start, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
    self.bytes = bytes
    self.line = start..<end
    self.highlights = highlights
    range = Self.cut(bytes, start..<end, around: highlights.first ?? start..<start)
  }

  /// The excerpt as text; bytes that are not UTF-8 become U+FFFD.
  func snippet(_ number: Int) -> Snippet {
    var text = range.lowerBound > line.lowerBound ? "…" : ""
    var marks: [Range<Int>] = []
    var offset = range.lowerBound
    for highlight in highlights {
      let part = highlight.clamped(to: range)
      guard !part.isEmpty, part.lowerBound >= offset else { continue }
      text += String(decoding: bytes[offset..<part.lowerBound], as: UTF8.self)
      let start = text.utf8.count
      text += String(decoding: bytes[part], as: UTF8.self)
      marks.append(start..<text.utf8.count)
      offset = part.upperBound
    }
    text += String(decoding: bytes[offset..<range.upperBound], as: UTF8.self)
    if range.upperBound < line.upperBound { text += "…" }
    return Snippet(line: number, text: text, highlights: marks)
  }

  /// Cuts a line at the borders of words, or where there are none, of characters.
  private static func cut(_ bytes: [UInt8], _ line: Range<Int>, around found: Range<Int>) -> Range<Int> {
    guard line.count > longest else { return line }
    let first = min(max(found.lowerBound, line.lowerBound), line.upperBound)
    var start = min(max(line.lowerBound, first - lead), line.upperBound - longest)
    if start > line.lowerBound {
      let blank = start < first ? bytes[start..<first].firstIndex(where: ASCII.isBlank) : nil
      start = blank.map { $0 + 1 } ?? min(characterEnd(bytes, start), first)
    }
    var end = min(line.upperBound, start + longest)
    if end < line.upperBound {
      let limit = min(max(start, found.upperBound), end)
      end = bytes[limit..<end].lastIndex(where: ASCII.isBlank) ?? characterStart(bytes, end)
    }
    return start..<end
  }

  /// The offset itself, or the end of the character that it is inside of.
  private static func characterEnd(_ bytes: [UInt8], _ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, end - offset < 3, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }

  /// The offset itself, or the beginning of the character that it is inside of.
  private static func characterStart(_ bytes: [UInt8], _ offset: Int) -> Int {
    var start = offset
    while start > 0, offset - start < 3, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }
}
