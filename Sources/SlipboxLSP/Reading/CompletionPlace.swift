import Bytes
import Notes

/// The construct that is being typed at a place of a note.
enum CompletionPlace: Equatable {
  /// The name in a wiki link, after its brackets.
  case wikiName(Range<Int>)
  /// A heading after the name in a wiki link; the name may be empty.
  case wikiHeading(name: Range<Int>, Range<Int>)
  /// A block after the name in a wiki link.
  case wikiBlock(name: Range<Int>, Range<Int>)
  /// The path in a Markdown link.
  case path(Range<Int>)
  /// The text after a bracket that may begin a Markdown link.
  case label(Range<Int>)
  /// The heading after the path in a Markdown link.
  case pathHeading(path: Range<Int>, Range<Int>)
  /// A tag in the text, after its `#`.
  case tag(Range<Int>)
  /// The name of a field at the beginning of a line of front-matter.
  case field(Range<Int>)
  /// A value of a field of front-matter.
  case value(field: String, Range<Int>)

  /// Reads the line before an offset; nil if nothing there is completed.
  init?(at offset: Int, in text: NoteText) {
    let bytes = text.bytes
    var start = offset
    while start > 0, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
    if let link = Self.wikiLink(bytes, start..<offset) {
      self = link
    } else if let block = text.frontMatter, block.lowerBound <= offset, offset <= block.upperBound {
      guard let place = Self.frontMatter(text, block, start..<offset) else { return nil }
      self = place
    } else if let link = Self.markdownLink(bytes, start..<offset) ?? Self.tag(bytes, start..<offset)
      ?? Self.label(bytes, start..<offset)
    {
      self = link
    } else {
      return nil
    }
  }

  private static func wikiLink(_ bytes: [UInt8], _ line: Range<Int>) -> CompletionPlace? {
    var (place, bar) = (line.upperBound - 1, Int?.none)
    while place > line.lowerBound {
      if bytes[place] == UInt8(ascii: "]") { return nil }
      if bytes[place] == UInt8(ascii: "|") {
        guard TextConventions.has(.labelsFirst), bar == nil else { return nil }
        bar = place
      }
      if bytes[place] == UInt8(ascii: "["), bytes[place - 1] == UInt8(ascii: "[") { break }
      place -= 1
    }
    guard place > line.lowerBound else { return nil }
    let typed = (bar ?? place) + 1..<line.upperBound
    guard let mark = bytes[typed].firstIndex(of: UInt8(ascii: "#")) else { return .wikiName(typed) }
    let name = typed.lowerBound..<mark
    if mark + 1 < typed.upperBound, bytes[mark + 1] == UInt8(ascii: "^") {
      return .wikiBlock(name: name, mark + 2..<typed.upperBound)
    }
    let last = (bytes[typed].lastIndex(of: UInt8(ascii: "#")) ?? mark) + 1
    return .wikiHeading(name: name, last..<typed.upperBound)
  }

  private static func markdownLink(_ bytes: [UInt8], _ line: Range<Int>) -> CompletionPlace? {
    var place = line.upperBound - 1
    while place > line.lowerBound {
      if [UInt8(ascii: ")"), UInt8(ascii: "\"")].contains(bytes[place]) { return nil }
      if bytes[place] == UInt8(ascii: "("), bytes[place - 1] == UInt8(ascii: "]") { break }
      place -= 1
    }
    guard place > line.lowerBound else { return nil }
    let typed = place + 1..<line.upperBound
    guard let mark = bytes[typed].firstIndex(of: UInt8(ascii: "#")) else { return .path(typed) }
    return .pathHeading(path: typed.lowerBound..<mark, mark + 1..<typed.upperBound)
  }

  private static func label(_ bytes: [UInt8], _ line: Range<Int>) -> CompletionPlace? {
    guard let open = bytes[line].lastIndex(where: { "[]".utf8.contains($0) }),
      bytes[open] == UInt8(ascii: "["), open + 1 < line.upperBound, bytes[open + 1] != UInt8(ascii: "^")
    else { return nil }
    let before = bytes[line.lowerBound..<open]
    if let last = before.last, "[!\\".utf8.contains(last) { return nil }
    // A mark of a list and a bracket begin the box of a task.
    let isBox = before.filter { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: ">") }.count == 1
    if isBox, let mark = before.last(where: { $0 != 0x20 }), "-*+".utf8.contains(mark) { return nil }
    return .label(open + 1..<line.upperBound)
  }

  private static func tag(_ bytes: [UInt8], _ line: Range<Int>) -> CompletionPlace? {
    var place = line.upperBound
    while place > line.lowerBound, isOfTag(bytes[place - 1]) { place -= 1 }
    guard place > line.lowerBound, bytes[place - 1] == UInt8(ascii: "#") else { return nil }
    let isAtStart = place - 1 == line.lowerBound
    // A mark at the start of a line alone begins a heading.
    if isAtStart, place == line.upperBound { return nil }
    guard isAtStart || [0x20, 0x09, UInt8(ascii: "("), UInt8(ascii: ",")].contains(bytes[place - 2]) else {
      return nil
    }
    return .tag(place..<line.upperBound)
  }

  private static func isOfTag(_ byte: UInt8) -> Bool {
    byte >= 0x80 || ASCII.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
  }
}

/// Front-matter.
extension CompletionPlace {
  private static func frontMatter(
    _ text: NoteText, _ block: Range<Int>, _ line: Range<Int>
  ) -> CompletionPlace? {
    let bytes = text.bytes
    let first = bytes[line].first
    if first == 0x20 || first == 0x09 || first == UInt8(ascii: "-") {
      return element(text, block, line)
    }
    guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else {
      return bytes[line].contains(where: { $0 == 0x20 || $0 == UInt8(ascii: "#") }) ? nil : .field(line)
    }
    let name = ByteText.text(of: bytes[line.lowerBound..<colon]).withoutBlanks
    let value = trimmed(bytes, from: colon + 1, to: line.upperBound)
    return .value(field: name, value)
  }

  /// An element of a list whose field is in a line above.
  private static func element(_ text: NoteText, _ block: Range<Int>, _ line: Range<Int>) -> CompletionPlace? {
    let bytes = text.bytes
    let isListed = bytes[line].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "-")
    guard isListed, let dash = bytes[line].firstIndex(of: UInt8(ascii: "-")) else { return nil }
    var end = line.lowerBound
    while end > block.lowerBound {
      var start = end - 1
      while start > block.lowerBound, bytes[start - 1] != 0x0A { start -= 1 }
      if let byte = bytes[start..<end].first, ASCII.isWord(byte) || byte >= 0x80,
        let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":"))
      {
        let name = ByteText.text(of: bytes[start..<colon]).withoutBlanks
        return .value(field: name, trimmed(bytes, from: dash + 1, to: line.upperBound))
      }
      end = start
    }
    return nil
  }

  /// The value that is being typed: after blanks, quotes, and the elements of a list before it.
  private static func trimmed(_ bytes: [UInt8], from start: Int, to end: Int) -> Range<Int> {
    var start = start
    if let bracket = bytes[start..<end].firstIndex(where: { $0 != 0x20 }), bytes[bracket] == UInt8(ascii: "[")
    {
      start = (bytes[start..<end].lastIndex(of: UInt8(ascii: ",")) ?? bracket) + 1
    }
    while start < end, [0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[start]) {
      start += 1
    }
    return start..<end
  }
}

extension String {
  fileprivate var withoutBlanks: String { split(separator: " ").joined(separator: " ") }
}

/// The place of a link or tag that is being typed in a body.
extension CompletionPlace {
  /// Whether the scan of the body would find a link or tag at this place, and the place is in no comment and no formula.
  ///
  /// The text is scanned with the link or tag completed, so completion and `slip links` follow the same rules.
  func isRead(in text: NoteText, at offset: Int) -> Bool {
    let bytes = text.bytes
    let (start, probe): (Int, String)
    var target = 0
    switch self {
    case .wikiName(let range), .wikiHeading(let range, _), .wikiBlock(let range, _):
      (start, probe) = (range.lowerBound, "x]]")
    case .path(let range), .pathHeading(let range, _): (start, probe) = (range.lowerBound, "x)")
    case .label(let range): (start, probe, target) = (range.lowerBound, "x](x)", 3)
    case .tag(let range): (start, probe) = (range.lowerBound, "x ")
    case .field, .value: return true
    }
    guard text.body.contains(start) || start == text.body.upperBound else { return true }
    let probed = NoteText(Array(bytes[..<start] + Array(probe.utf8) + bytes[offset...]))
    if Self.isInComment(start, probed) { return false }
    let scan = BodyScan(probed)
    if case .tag = self { return scan.tags.contains { $0.offset == start - 1 } }
    return scan.links.contains { link in
      LinkPlace(link, in: probed.bytes).map { $0.target.lowerBound == start + target } ?? false
    }
  }

  private static func isInComment(_ offset: Int, _ text: NoteText) -> Bool {
    BodyComments.all(in: text).contains { $0.contains(offset) }
  }

  /// Whether a bar at an offset would end a cell of a table: the line begins with a bar, or a delimiter row is among the
  /// lines of the paragraph above.
  static func isInTable(_ offset: Int, _ text: NoteText) -> Bool {
    let bytes = text.bytes
    var (end, isOwnLine) = (offset, true)
    while end >= text.body.lowerBound {
      let start = bytes[..<end].lastIndex(of: 0x0A).map { max($0 + 1, text.body.lowerBound) } ?? 0
      let line = bytes[start..<end].drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ">") }
      if isOwnLine, line.first == UInt8(ascii: "|") { return true }
      if !isOwnLine, line.allSatisfy({ $0 <= 0x20 }) { return false }
      if !isOwnLine, isDelimiterRow(line) { return true }
      guard start > text.body.lowerBound else { return false }
      (end, isOwnLine) = (start - 1, false)
    }
    return false
  }

  private static func isDelimiterRow(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains(UInt8(ascii: "-")) && line.contains(UInt8(ascii: "|"))
      && line.allSatisfy { "|:- \t\r".utf8.contains($0) }
  }
}
