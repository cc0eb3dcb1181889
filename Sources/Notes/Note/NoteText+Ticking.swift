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

  /// Where a text has its date of completion, with the blank before it.
  private static func completion(_ done: String, _ end: String, in text: String) -> Range<String.Index>? {
    guard let sign = text.firstRange(of: " " + done) else { return nil }
    let date = text[sign.upperBound...].prefix(10 + end.count)
    let isDay = date.prefix(10).utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    guard isDay, date.count == 10 + end.count, date.dropFirst(10) == end else { return nil }
    return sign.lowerBound..<date.endIndex
  }
}
