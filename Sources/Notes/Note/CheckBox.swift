/// The box of a list item, such as `- [ ] Call Ada`, with the text beside it.
package struct CheckBox: Sendable, Equatable {
  /// The meaning of the mark between the brackets.
  package enum State: String, Sendable {
    /// A blank, `/` for a box in progress, `!` for an important one, `?` or `*` for a marked one.
    case open
    case done
    /// A custom mark, such as `-` for cancelled.
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
  /// A box opens a list item that begins with text. Elsewhere, and in code, formulas and comments, brackets are text.
  /// Source: GitHub Flavored Markdown, section 5.3.
  /// - Complexity: that of a scan of the body.
  package static func all(in text: NoteText) -> [CheckBox] {
    let bytes = text.bytes
    guard text.hasBox else { return [] }
    // Comments contain no boxes, tags and links.
    let read = BodyComments.readable(text)?.bytes ?? bytes
    let marks = read.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: text.body.upperBound)
      scanner.boxes = []
      scanner.scan(from: text.body.lowerBound)
      return scanner.boxes ?? []
    }
    guard !marks.isEmpty else { return [] }
    let excluded = BakedBlock.all(in: text).map(\.content) + blockFormulas(of: text)
    return zip(marks, text.positions(of: marks)).compactMap { mark, position in
      excluded.contains { $0.contains(mark) } ? nil : CheckBox(mark: mark, line: position.line, in: bytes)
    }
  }

  /// The formulas between `$$` and `$$`: a line of one may look like a list item.
  private static func blockFormulas(of text: NoteText) -> [Range<Int>] {
    guard text.bytes[text.body].firstRange(of: Array("$$".utf8)) != nil else { return [] }
    return BodyScan(text).formulas.filter(\.isBlock).map(\.range)
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

/// The facts of a check box that lists and queries use, without the text of its note.
package struct CheckBoxFacts: Sendable, Equatable {
  /// The offsets of the box's text in the file.
  package let range: Range<Int>
  /// Counted from 1 in the file.
  package let line: Int
  package let state: CheckBox.State
  package let text: String
  package let due: CivilDate?

  init(range: Range<Int>, line: Int, state: CheckBox.State, text: String, due: CivilDate?) {
    (self.range, self.line, self.state, self.text, self.due) = (range, line, state, text, due)
  }

  init(_ box: CheckBox, in bytes: [UInt8]) {
    self.init(
      range: box.text, line: box.line, state: box.state,
      text: String(decoding: bytes[box.text], as: UTF8.self), due: box.due(in: bytes))
  }

  /// - Complexity: that of `CheckBox.all(in:)`.
  package static func all(in text: NoteText) -> [CheckBoxFacts] {
    let bytes = text.bytes
    return CheckBox.all(in: text).map { CheckBoxFacts($0, in: bytes) }
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

  /// The signs of a due date with their optional closing byte, in the order of precedence.
  private static let dueSigns: [(sign: [UInt8], end: UInt8?)] = [
    ("📅", nil), ("📆", nil), ("🗓️", nil), ("🗓", nil), ("[due::", "]"), ("(due::", ")"), ("due:", nil),
    ("@due(", ")"), ("@{", "}"), ("@", nil),
  ].map { (sign: String, end: Unicode.Scalar?) in (Array(sign.utf8), end.map { UInt8(ascii: $0) }) }

  /// The same day with the bytes of its sign, the date, and the closing bracket.
  package func dueMark(in bytes: [UInt8]) -> (day: CivilDate, range: Range<Int>)? {
    let end = text.upperBound
    // Most boxes have no date.
    guard text.contains(where: { Self.isDay(bytes[$0..<end]) }) else { return nil }
    for (sign, closing) in Self.dueSigns {
      for place in text where bytes[place] == sign[0] && bytes[place..<end].starts(with: sign) {
        let rest = bytes[(place + sign.count)..<end].drop { $0 == 0x20 }
        guard Self.isDay(rest), let day = CivilDate(String(decoding: rest.prefix(10), as: UTF8.self)) else {
          continue
        }
        let last = rest.startIndex + 10
        return (day, place..<(closing != nil && last < end && bytes[last] == closing ? last + 1 : last))
      }
    }
    return nil
  }

  /// Whether bytes begin with digits as in `2026-12-01`.
  private static func isDay(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 10, bytes[bytes.startIndex + 4] == UInt8(ascii: "-") else { return false }
    return bytes.prefix(10).enumerated().allSatisfy { number, byte in
      number == 4 || number == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
    }
  }
}
