extension CheckBox {
  /// The day by which the box is to be ticked, as editors and other tools write it in its text: `📅 2026-12-01`,
  /// `[due:: 2026-12-01]`, `due:2026-12-01`, `@due(2026-12-01)`, `@2026-12-01`; nil if it has none.
  package func due(in bytes: [UInt8]) -> CivilDate? {
    let text = String(decoding: bytes[self.text], as: UTF8.self)
    let marks = ["📅", "📆", "🗓️", "🗓", "[due::", "(due::", "due:", "@due(", "@"]
    for mark in marks {
      for range in text.ranges(of: mark) {
        let rest = text[range.upperBound...].drop { $0 == " " }
        if let day = Self.day(rest.prefix(10)) { return day }
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

extension NoteText {
  /// Returns the note with a box ticked or not: one byte changes. A date of completion is written or removed if the text
  /// has dates in the form of one of Obsidian's plug-ins.
  ///
  /// - Parameter day: the day on which it was ticked.
  package func ticking(_ box: CheckBox, isDone: Bool, on day: CivilDate) -> NoteText {
    var bytes = self.bytes
    bytes[box.mark] = isDone ? UInt8(ascii: "x") : 0x20
    let text = String(decoding: bytes[box.text], as: UTF8.self)
    guard let form = Self.forms.first(where: { form in form.signs.contains { text.contains($0) } }) else {
      return NoteText(bytes)
    }
    if isDone {
      guard !text.contains(form.done) else { return NoteText(bytes) }
      var place = box.text.upperBound
      // The name of a block stays at the end.
      if let name = BlockNames.all(in: self).first(where: { box.text.contains($0.range.lowerBound) }) {
        place = name.range.lowerBound
        while place > box.text.lowerBound, isBlankByte(bytes[place - 1]) { place -= 1 }
      }
      bytes.insert(contentsOf: Array(" \(form.done)\(day)\(form.end)".utf8), at: place)
    } else if let start = text.firstRange(of: " " + form.done) {
      let date = text[start.upperBound...].prefix(10 + form.end.count)
      guard Self.isDay(date.prefix(10)), date.dropFirst(10) == form.end else { return NoteText(bytes) }
      let offset = box.text.lowerBound + text[..<start.lowerBound].utf8.count
      bytes.removeSubrange(offset..<(offset + text[start.lowerBound..<date.endIndex].utf8.count))
    }
    return NoteText(bytes)
  }

  /// The signs by which a line shows how it writes dates, and its date of completion.
  private static let forms: [(signs: [String], done: String, end: String)] = [
    (["📅", "⏳", "🛫", "➕", "✅"], "✅ ", ""),
    (["[due::", "[scheduled::", "[start::", "[created::", "[completion::"], "[completion:: ", "]"),
  ]

  private static func isDay(_ text: Substring) -> Bool {
    text.utf8.count == 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }
}
