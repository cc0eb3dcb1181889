/// The box of a list item, such as `- [ ] Call Ada`, with the text beside it.
package struct CheckBox: Sendable, Equatable {
  /// The meaning of the mark between the brackets.
  package enum State: String, Sendable {
    /// A blank, `/` for a box in progress, `!` for an important one, `?` or `*` for a marked one.
    case open
    case done
    /// A mark of one's own, such as `-` for what was dropped.
    case other
  }

  /// The offset of the byte between the brackets.
  package let mark: Int
  /// The bytes of the rest of the line, without blanks around them.
  package let text: Range<Int>
  /// Counted from 1 in the file.
  package let line: Int
  package let state: State

  /// The boxes of a note in their order; those in quotations are among them, as editors show them.
  ///
  /// A box opens a list item that begins with text. Elsewhere, and in code and comments, brackets are text.
  /// Source: GitHub Flavored Markdown, section 5.3.
  /// - Complexity: that of a scan of the body.
  package static func all(in text: NoteText) -> [CheckBox] {
    let bytes = text.bytes
    guard text.hasBox else { return [] }
    let marks = bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: text.body.upperBound)
      scanner.boxes = []
      scanner.scan(from: text.body.lowerBound)
      return scanner.boxes ?? []
    }
    let baked = BakedBlock.all(in: text).map(\.content)
    return zip(marks, text.positions(of: marks)).compactMap { mark, position in
      baked.contains { $0.contains(mark) } ? nil : CheckBox(mark: mark, line: position.line, in: bytes)
    }
  }

  private init(mark: Int, line: Int, in bytes: [UInt8]) {
    var (start, end) = (mark + 2, mark + 2)
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    while start < end, isBlankByte(bytes[start]) { start += 1 }
    while end > start, isBlankByte(bytes[end - 1]) { end -= 1 }
    self.mark = mark
    self.line = line
    text = start..<end
    state =
      switch bytes[mark] {
      case 0x20, UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "*"): .open
      case UInt8(ascii: "x"), UInt8(ascii: "X"): .done
      default: .other
      }
  }
}

extension NoteText {
  /// Whether the body may have a check box; a note without one needs no scan.
  ///
  /// - Complexity: O(n).
  package var hasBox: Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var place = body.lowerBound
      while let found = bytes.offset(of: UInt8(ascii: "]"), from: place, to: body.upperBound) {
        if found >= body.lowerBound + 2, bytes[found - 2] == UInt8(ascii: "[") { return true }
        place = found + 1
      }
      return false
    }
  }
}

extension CheckBox {
  /// The day by which the box is to be ticked, as editors and other tools write it in its text: `📅 2026-12-01`,
  /// `[due:: 2026-12-01]`, `due:2026-12-01`, `@due(2026-12-01)`, `@{2026-12-01}`, `@2026-12-01`; nil if it has none.
  package func due(in bytes: [UInt8]) -> CivilDate? { dueMark(in: bytes)?.day }

  /// The same day with the bytes of its sign, the date, and the closing bracket.
  package func dueMark(in bytes: [UInt8]) -> (day: CivilDate, range: Range<Int>)? {
    let text = String(decoding: bytes[self.text], as: UTF8.self)
    let marks = [
      ("📅", ""), ("📆", ""), ("🗓️", ""), ("🗓", ""), ("[due::", "]"), ("(due::", ")"), ("due:", ""),
      ("@due(", ")"), ("@{", "}"), ("@", ""),
    ]
    for (mark, end) in marks {
      for range in text.ranges(of: mark) {
        let rest = text[range.upperBound...].drop { $0 == " " }
        guard let day = Self.day(rest.prefix(10)) else { continue }
        let start = self.text.lowerBound + text[..<range.lowerBound].utf8.count
        var length = text[range.lowerBound..<rest.startIndex].utf8.count + 10
        if !end.isEmpty, rest.dropFirst(10).hasPrefix(end) { length += end.utf8.count }
        return (day, start..<start + length)
      }
    }
    return nil
  }

  /// A day as `2026-12-01`.
  private static func day(_ text: Substring) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}
