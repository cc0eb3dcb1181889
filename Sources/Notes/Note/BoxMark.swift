/// A piece of the text of a check box to which Obsidian Tasks or Dataview gives a meaning: `⏫`, `🛫 2026-12-06`,
/// `🔁 every week`, `[priority:: high]`.
package struct BoxMark: Sendable, Equatable {
  package enum Name: String, Sendable {
    case due, scheduled, start, created, completion, recurrence, priority, id
  }

  package let name: Name
  /// The text, such as `every week`; the word for the sign of a priority.
  package let value: String
  /// The bytes of the value; empty if the sign itself is the value.
  package let valueRange: Range<Int>
  /// The bytes of the sign, the value and the brackets.
  package let range: Range<Int>

  /// The value as a day.
  package var day: CivilDate? { value.utf8.count == 10 ? CivilDate(value) : nil }
}

extension CheckBox {
  /// The marks in the text of the box, in their order. A due date may have any form that `dueMark(in:)` reads.
  ///
  /// - Complexity: O(n) in the length of the text.
  package func marks(in bytes: [UInt8]) -> [BoxMark] {
    var marks: [BoxMark] = []
    var place = text.lowerBound
    while place < text.upperBound {
      let line = bytes[place..<text.upperBound]
      if let mark = BoxMark(opening: line) ?? BoxMark(inBrackets: line) {
        marks.append(mark)
        place = mark.range.upperBound
      } else {
        place += 1
      }
    }
    guard !marks.contains(where: { $0.name == .due }), let due = dueMark(in: bytes),
      let value = bytes[due.range].firstRange(of: Array(due.day.description.utf8))
    else { return marks }
    let mark = BoxMark(name: .due, value: due.day.description, valueRange: value, range: due.range)
    return (marks + [mark]).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The rule by which the box recurs, as it is written, and as a recurrence; nil for a rule that is not a simple one.
  package func recurrence(in bytes: [UInt8]) -> (rule: String, recurrence: Recurrence?)? {
    marks(in: bytes).first { $0.name == .recurrence }.map { mark in
      (mark.value, Recurrence.text(ofTasksRule: mark.value).flatMap { Recurrence($0) })
    }
  }
}

extension BoxMark {
  /// The signs of Obsidian Tasks. Source: https://publish.obsidian.md/tasks/Reference/Task+Formats/Tasks+Emoji+Format
  private static let signs: [(sign: [UInt8], name: Name, value: String)] = {
    let signs: [(String, Name, String)] = [
      ("📅", .due, ""), ("📆", .due, ""), ("🗓", .due, ""), ("⏳", .scheduled, ""), ("⌛", .scheduled, ""),
      ("🛫", .start, ""), ("➕", .created, ""), ("✅", .completion, ""), ("🔁", .recurrence, ""),
      ("🆔", .id, ""), ("🔺", .priority, "highest"), ("⏫", .priority, "high"), ("🔼", .priority, "medium"),
      ("🔽", .priority, "low"), ("⏬", .priority, "lowest"),
    ]
    return signs.map { (Array($0.0.utf8), $0.1, $0.2) }
  }()

  /// Emoji may be followed by U+FE0F, which asks for a coloured picture.
  private static let selector: [UInt8] = [0xEF, 0xB8, 0x8F]

  /// Reads the mark whose sign a text begins with.
  fileprivate init?(opening text: ArraySlice<UInt8>) {
    guard let first = text.first, first >= 0x80,
      let (sign, name, word) = Self.signs.first(where: { text.starts(with: $0.sign) })
    else { return nil }
    var rest = text.dropFirst(sign.count)
    if rest.starts(with: Self.selector) { rest = rest.dropFirst(Self.selector.count) }
    if !word.isEmpty {
      let end = rest.startIndex
      self.init(name: name, value: word, valueRange: end..<end, range: text.startIndex..<end)
      return
    }
    rest = rest.drop(while: isBlankByte)
    var value =
      switch name {
      case .recurrence: rest.prefix { $0 == 0x20 || $0 == UInt8(ascii: ",") || Self.isWord($0) }
      case .id: rest.prefix { Self.isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      default: rest.prefix(10)
      }
    while let last = value.last, last == 0x20 { value.removeLast() }
    self.init(name, value, text.startIndex..<value.endIndex)
  }

  /// Reads a field of Dataview that a text begins with: `[due:: 2026-12-01]`, `(repeat:: every week)`.
  fileprivate init?(inBrackets text: ArraySlice<UInt8>) {
    guard let first = text.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "("),
      let end = text.firstIndex(of: first == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: ")")),
      let colons = text[..<end].firstRange(of: Array("::".utf8))
    else { return nil }
    let key = String(decoding: text[(text.startIndex + 1)..<colons.lowerBound], as: UTF8.self).lowercased()
    let word = key.split(separator: " ").joined(separator: " ")
    guard let name = word == "repeat" ? .recurrence : Name(rawValue: word), word != "recurrence" else {
      return nil
    }
    var value = text[colons.upperBound..<end].drop(while: isBlankByte)
    while let last = value.last, isBlankByte(last) { value.removeLast() }
    self.init(name, value, text.startIndex..<end + 1)
  }

  /// Nil for an empty value and for an invalid date.
  private init?(_ name: Name, _ value: ArraySlice<UInt8>, _ range: Range<Int>) {
    guard !value.isEmpty else { return nil }
    self.init(
      name: name, value: String(decoding: value, as: UTF8.self),
      valueRange: value.startIndex..<value.endIndex,
      range: range)
    switch name {
    case .due, .scheduled, .start, .created, .completion: if day == nil { return nil }
    case .recurrence, .priority, .id: break
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }
}

extension Recurrence {
  /// Returns the text of a simple rule of Obsidian Tasks: `every week` is `weekly`, `every 2 months when done` is `+2m`,
  /// `every week on Monday` is `monday`, `every month on the 1st` is `monthly on 1`. Nil for other rules, such as
  /// `every January on the 15th`.
  package static func text(ofTasksRule rule: String) -> String? {
    var words = rule.lowercased().split(separator: " ").map(String.init)
    if words.count == 1, Self.words.contains(words[0]) { return words[0] }
    guard words.first == "every" else { return nil }
    words.removeFirst()
    if words.count == 3, words[0] == "week", words[1] == "on" { words.removeFirst(2) }
    if words.count == 1, Recurrence.isWeekday(words[0]) { return words[0] }
    if words.count >= 3, words[0] == "month", words[1] == "on" { return monthly(on: words.dropFirst(2)) }
    let countsFromEnd = words.suffix(2) == ["when", "done"]
    if countsFromEnd { words.removeLast(2) }
    var count = 1
    if words.count == 2 {
      guard let number = Int(words[0]), (1...999).contains(number) else { return nil }
      count = number
      words.removeFirst()
    }
    guard words.count == 1 else { return nil }
    let sign = countsFromEnd ? "+" : ""
    switch words[0] {
    case "weekday", "weekdays": return count == 1 ? sign + "weekdays" : nil
    case "day", "days": return count == 1 && !countsFromEnd ? "daily" : "\(sign)\(count)d"
    case "week", "weeks": return count == 1 && !countsFromEnd ? "weekly" : "\(sign)\(count)w"
    case "month", "months": return count == 1 && !countsFromEnd ? "monthly" : "\(sign)\(count)m"
    case "year", "years": return count == 1 && !countsFromEnd ? "yearly" : "\(sign)\(count)y"
    default: return nil
    }
  }

  /// The rule for a day of each month: `the 1st`, `the last`. A shorter month has its last day instead.
  private static func monthly(on words: ArraySlice<String>) -> String? {
    guard words.count == 2, words.first == "the", let day = words.last else { return nil }
    if day == "last" { return "monthly on 31" }
    guard ["st", "nd", "rd", "th"].contains(day.suffix(2)), let number = Int(day.dropLast(2)),
      (1...31).contains(number)
    else { return nil }
    return "monthly on \(number)"
  }
}
