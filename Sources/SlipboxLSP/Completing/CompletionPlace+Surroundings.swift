import Notes

/// Where in a body a link or tag is being typed.
extension CompletionPlace {
  /// Whether the scan of the body would find a link or tag at this place, and the place is in no comment and no formula.
  ///
  /// The text is scanned with the link or tag completed, so completion and `slip links` follow the same rules.
  func isRead(in text: NoteText, at offset: Int) -> Bool {
    let bytes = text.bytes
    let (start, probe): (Int, String)
    switch self {
    case .wikiName(let range), .wikiHeading(let range, _), .wikiBlock(let range, _):
      (start, probe) = (range.lowerBound, "x]]")
    case .path(let range), .pathHeading(let range, _): (start, probe) = (range.lowerBound, "x)")
    case .tag(let range): (start, probe) = (range.lowerBound, "x ")
    case .field, .value: return true
    }
    guard text.body.contains(start) || start == text.body.upperBound else { return true }
    let probed = NoteText(Array(bytes[..<start] + Array(probe.utf8) + bytes[offset...]))
    if Self.isInComment(start, probed) || Self.isInFormula(start, probed) { return false }
    let scan = BodyScan(probed)
    if case .tag = self { return scan.tags.contains { $0.offset == start - 1 } }
    return scan.links.contains { link in
      LinkPlace(link, in: probed.bytes).map { $0.target.lowerBound == start } ?? false
    }
  }

  private static func isInComment(_ offset: Int, _ text: NoteText) -> Bool {
    BodyComments.all(in: text).contains { $0.contains(offset) }
  }

  /// Whether an offset is between `$$` and `$$`, or between `$` and `$` of one line.
  ///
  /// Source: pandoc's tex_math_dollars: no blank follows the first mark or precedes the last, and no digit follows the
  /// last. Prices are no formulas.
  private static func isInFormula(_ offset: Int, _ text: NoteText) -> Bool {
    let (bytes, body) = (text.bytes, text.body)
    let fences = FencedCode.all(in: text)
    let dollar = UInt8(ascii: "$")
    var (position, isInBlock) = (body.lowerBound, false)
    var lineMark: Int?
    while position < offset {
      if let fence = fences.first(where: { $0.contains(position) }), !isInBlock {
        position = fence.upperBound
        lineMark = nil
        continue
      }
      switch bytes[position] {
      case 0x0A: lineMark = nil
      case UInt8(ascii: "\\"): position += 1
      case dollar where position + 1 < body.upperBound && bytes[position + 1] == dollar:
        isInBlock.toggle()
        lineMark = nil
        position += 1
      case dollar where !isInBlock:
        if lineMark != nil, closesFormula(position, bytes) {
          lineMark = nil
        } else if lineMark == nil, position + 1 < body.upperBound, bytes[position + 1] > 0x20 {
          lineMark = position
        }
      default: break
      }
      position += 1
    }
    if isInBlock || lineMark == nil { return isInBlock }
    let line = bytes[offset..<body.upperBound].prefix { $0 != 0x0A }
    return line.indices.contains { bytes[$0] == dollar && closesFormula($0, bytes) }
  }

  private static func closesFormula(_ position: Int, _ bytes: [UInt8]) -> Bool {
    guard position > 0, bytes[position - 1] > 0x20 else { return false }
    return position + 1 == bytes.count
      || !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position + 1])
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
