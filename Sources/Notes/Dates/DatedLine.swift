/// A line of a text, possibly with the time at which it was written: `- 2026-11-21 09:30: Ask Ada first`.
///
/// A note stores the annotations of a task in this form: each is an element of a list, whose further lines are indented.
package struct DatedLine: Sendable, Equatable {
  /// The day that it begins with; nil for a line of the text as any other.
  package let day: CivilDate?
  /// The second of the day, by the user's clock; nil for a day without a time.
  package let secondOfDay: Int?
  /// The text, of several lines if more are indented below it.
  package let text: String

  package init(day: CivilDate?, secondOfDay: Int? = nil, text: String) {
    self.day = day
    self.secondOfDay = secondOfDay
    self.text = text
  }

  /// Reads the lines of a text; those without anything but blanks are left out.
  ///
  /// - Complexity: O(n).
  package static func read(_ body: some Collection<UInt8>) -> [DatedLine] {
    var lines: [DatedLine] = []
    for bytes in body.split(separator: 0x0A) {
      var line = Array(bytes)
      if line.last == 0x0D { line.removeLast() }
      if let last = lines.last, last.day != nil, line.starts(with: "  ".utf8) {
        let text = last.text + "\n" + String(decoding: line.dropFirst(2), as: UTF8.self)
        lines[lines.count - 1] = DatedLine(day: last.day, secondOfDay: last.secondOfDay, text: text)
      } else if let dated = DatedLine(line) {
        lines.append(dated)
      } else if line.contains(where: { $0 > 0x20 }) {
        lines.append(DatedLine(day: nil, text: String(decoding: line, as: UTF8.self)))
      }
    }
    return lines
  }

  /// The element of a list that it is, with its line end.
  package var element: String {
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    let written = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n  ")
    return "- \(day.map { "\($0)\(time): " } ?? "")\(written)\n"
  }

  /// The time of the day with a blank before it; nothing for midnight.
  private var time: String { secondOfDay.map { $0 == 0 ? "" : " \(Self.time($0))" } ?? "" }

  /// The time of a day, without seconds if they are 0: `09:30`, `09:30:15`.
  package static func time(_ secondOfDay: Int) -> String {
    let parts = [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60]
    return parts.prefix(parts[2] == 0 ? 2 : 3).map { CivilDate.padded($0, to: 2) }.joined(separator: ":")
  }

  /// Reads `- 2026-11-21 09:30: TEXT`.
  private init?(_ line: [UInt8]) {
    let rest = line.dropFirst(2)
    guard line.starts(with: "- ".utf8), let day = CivilDate(String(decoding: rest.prefix(10), as: UTF8.self))
    else { return nil }
    var text = rest.dropFirst(10)
    var second: Int?
    if text.first == 0x20 {
      let time = text.dropFirst().prefix { $0 != 0x20 }
      guard time.last == UInt8(ascii: ":"), let read = Self.secondOfDay(time.dropLast()) else { return nil }
      second = read
      text = text.dropFirst(1 + time.count)
    } else {
      guard text.first == UInt8(ascii: ":") else { return nil }
      text = text.dropFirst()
    }
    guard text.isEmpty || text.first == 0x20 else { return nil }
    self.init(day: day, secondOfDay: second, text: String(decoding: text.dropFirst(), as: UTF8.self))
  }

  /// Reads `09:30` and `09:30:15`; nil for texts that are not a time of day.
  package static func secondOfDay(_ text: some Collection<UInt8>) -> Int? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ $0.count == 2 }) else { return nil }
    var seconds = 0
    for (part, limit) in zip(parts, [24, 60, 60]) {
      guard let number = CivilDate.number(Array(part)[...]), number < limit else { return nil }
      seconds = seconds * 60 + number
    }
    return parts.count == 2 ? seconds * 60 : seconds
  }
}
