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

  /// Emoji may be followed by the variation selector U+FE0F.
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

extension NoteText {
  /// Returns the note with boxes ticked or cleared: one byte of each changes. A date of completion is written or removed if
  /// the text has dates in the form of one of Obsidian's plug-ins. A recurring box that is ticked gets an open line with its
  /// next dates above it, unless that line is there already.
  ///
  /// - Parameters:
  ///   - boxes: boxes of this note, in their order.
  ///   - day: the day on which they were ticked; nil clears them.
  /// - Complexity: O(n).
  package func ticking(_ boxes: [CheckBox], on day: CivilDate?) -> NoteText {
    let names = day == nil ? [] : BlockNames.all(in: self).map(\.range)
    var (result, place, name): ([UInt8], Int, Int) = ([], 0, 0)
    for box in boxes {
      let start = lineStart(before: box.mark)
      if let day, start >= place, let next = nextLine(after: box, doneOn: day, names),
        !bytes[..<start].suffix(next.bytes.count).elementsEqual(next.bytes)
      {
        result += bytes[place..<start] + next.bytes
        place = start
      }
      result += bytes[place..<box.mark]
      result.append(day == nil ? 0x20 : UInt8(ascii: "x"))
      place = box.mark + 1
      let text = String(decoding: bytes[box.text], as: UTF8.self)
      guard let form = Self.forms.first(where: { form in form.signs.contains { text.contains($0) } }) else {
        continue
      }
      if let day {
        guard !text.contains(form.done) else { continue }
        while name < names.count, names[name].upperBound <= box.text.lowerBound { name += 1 }
        // The name of a block stays at the end.
        var end = box.text.upperBound
        if name < names.count, box.text.contains(names[name].lowerBound) {
          end = names[name].lowerBound
          while end > box.text.lowerBound, isBlankByte(bytes[end - 1]) { end -= 1 }
        }
        result += bytes[place..<end]
        result += Array(" \(form.done)\(day)\(form.end)".utf8)
        place = end
      } else if let date = Self.completion(form.done, form.end, in: text) {
        let start = box.text.lowerBound + text[..<date.lowerBound].utf8.count
        result += bytes[place..<start]
        place = start + text[date].utf8.count
      }
    }
    return NoteText(result + bytes[place...])
  }

  /// The note with all its boxes open, without their dates of completion.
  ///
  /// - Complexity: O(n).
  func unticked() -> NoteText {
    let done = CheckBox.all(in: self).filter { $0.state == .done }
    return done.isEmpty ? self : ticking(done, on: nil)
  }

  /// The signs by which a line shows how it writes dates, and its date of completion.
  private static let forms: [(signs: [String], done: String, end: String)] = [
    (["📅", "⏳", "🛫", "➕", "✅", "🔁"], "✅ ", ""),
    (
      ["[due::", "[scheduled::", "[start::", "[created::", "[completion::", "[repeat::"], "[completion:: ",
      "]"
    ),
    (
      ["(due::", "(scheduled::", "(start::", "(created::", "(completion::", "(repeat::"], "(completion:: ",
      ")"
    ),
  ]

  /// The days of the boxes that follow recurring ones when these are ticked; nil for one without a date.
  package func nextDays(of boxes: [CheckBox], doneOn day: CivilDate) -> [CivilDate?] {
    boxes.compactMap { nextLine(after: $0, doneOn: day, []).map(\.day) }
  }

  /// The line of a recurring box as Obsidian Tasks writes the next one: open, with all dates moved alike, without the date of
  /// completion, and without names, which only one line can have.
  ///
  /// The first date of due, scheduled and start moves by the rule. A rule that ends in `when done` counts from `today`.
  /// - Returns: nil if the box does not recur by a simple rule, or if the date is beyond the calendar.
  private func nextLine(
    after box: CheckBox, doneOn today: CivilDate, _ names: [Range<Int>]
  ) -> (bytes: [UInt8], day: CivilDate?)? {
    guard let recurrence = box.recurrence(in: bytes)?.recurrence else { return nil }
    let marks = box.marks(in: bytes)
    let dates = [BoxMark.Name.due, .scheduled, .start]
    let reference = dates.lazy.compactMap { name in marks.first { $0.name == name } }.first
    var splices = Splices()
    splices.replace(box.mark..<box.mark + 1, with: [0x20])
    var next: CivilDate?
    if let last = reference?.day {
      next = recurrence.step(after: recurrence.countsFromEnd ? today : last)
      guard let next else { return nil }
      let shift = next.dayNumber - last.dayNumber
      for mark in marks where dates.contains(mark.name) {
        guard let day = mark.day?.adding(days: shift) else { continue }
        splices.replace(mark.valueRange, with: Array(day.description.utf8))
      }
    }
    for mark in marks where mark.name == .created {
      splices.replace(mark.valueRange, with: Array(today.description.utf8))
    }
    let removed = marks.filter { $0.name == .completion || $0.name == .id }.map(\.range)
    for range in removed + names.filter({ box.text.contains($0.lowerBound) }) {
      var start = range.lowerBound
      while start > box.text.lowerBound, isBlankByte(bytes[start - 1]) { start -= 1 }
      splices.replace(start..<range.upperBound, with: [])
    }
    let start = lineStart(before: box.mark)
    let end = nextLine(after: box.text.upperBound)
    var line = Array(splices.applied(to: Array(bytes[..<end])).dropFirst(start))
    if !(line.last.map { $0 == 0x0A || $0 == 0x0D } ?? false) { line += lineEnd }
    return (line, next)
  }

  /// The range of the date of completion in a text, with the blank before it.
  private static func completion(_ done: String, _ end: String, in text: String) -> Range<String.Index>? {
    guard let sign = text.firstRange(of: " " + done) else { return nil }
    let date = text[sign.upperBound...].prefix(10 + end.count)
    let isDay = date.prefix(10).utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    guard isDay, date.count == 10 + end.count, date.dropFirst(10) == end else { return nil }
    return sign.lowerBound..<date.endIndex
  }
}
