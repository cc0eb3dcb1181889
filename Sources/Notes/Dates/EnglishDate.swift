/// Reads dates as English texts, mail and web pages write them.
enum EnglishDate {
  /// Reads `May 7, 2021`, `7 May 2021`, `Fri, 07 May 2021 10:00:00 +0200`, `Mon May 7 2021 10:00:00 GMT+0200 (CEST)`.
  ///
  /// Names of weekdays, ordinal endings and a remark in parentheses are not looked at.
  static func read(_ bytes: ArraySlice<UInt8>, _ isLocal: Bool = false) -> Timestamp? {
    var parts = Parts()
    let isBreak: (UInt8) -> Bool = {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\t")
    }
    for word in bytes.split(whereSeparator: isBreak) {
      if word.first == UInt8(ascii: "(") { break }
      guard parts.take(word) else { return nil }
    }
    guard let stamp = parts.stamp else { return nil }
    return isLocal && parts.time != nil && parts.offset == nil ? LocalZone.stamp(stamp) : stamp
  }

  /// The parts that were found so far; each may occur once.
  private struct Parts {
    var year: Int?
    var month: Int?
    var day: Int?
    var time: Int?
    var hourOfHalfDay = false
    var offset: Int?

    var stamp: Timestamp? {
      guard let year, let month, let day, let date = CivilDate(year: year, month: month, day: day) else {
        return nil
      }
      return Timestamp(date: date, secondOfDay: time ?? 0, offsetSeconds: offset ?? 0)
    }

    mutating func take(_ word: ArraySlice<UInt8>) -> Bool {
      var reader = TimeReader(word)
      if time == nil, let second = reader.clockTime() {
        time = second
        return reader.isAtEnd || takeOffset(&reader)
      }
      if time != nil, isHalfDay(word) { return takeHalfDay(word) }
      if time != nil, takeOffset(&reader) { return true }
      return takeNumber(word) || takeName(word)
    }

    private mutating func takeOffset(_ reader: inout TimeReader) -> Bool {
      guard offset == nil, let read = reader.offset(), reader.isAtEnd else { return false }
      offset = read
      return true
    }

    private func isHalfDay(_ word: ArraySlice<UInt8>) -> Bool {
      let lower = word.map { $0 | 0x20 }
      return lower == Array("am".utf8) || lower == Array("pm".utf8)
    }

    private mutating func takeHalfDay(_ word: ArraySlice<UInt8>) -> Bool {
      guard let read = time, !hourOfHalfDay, let first = word.first, (3600..<46_800).contains(read) else {
        return false
      }
      hourOfHalfDay = true
      time = read % 43_200 + (first | 0x20 == UInt8(ascii: "p") ? 43_200 : 0)
      return true
    }

    /// A day (`7`, `07`, `7th`) or a year of four digits.
    private mutating func takeNumber(_ word: ArraySlice<UInt8>) -> Bool {
      var reader = TimeReader(word)
      if year == nil, let read = reader.number(digits: 4...4), reader.isAtEnd {
        year = read
        return true
      }
      guard day == nil, let read = reader.number(digits: 1...2) else { return false }
      day = read
      return reader.isAtEnd || ["st", "nd", "rd", "th"].contains { reader.rest.elementsEqual($0.utf8) }
    }

    /// The name of a month, or of a weekday, whole or its beginning of three letters or more.
    private mutating func takeName(_ word: ArraySlice<UInt8>) -> Bool {
      var lower = word.map { $0 | 0x20 }
      if word.last == UInt8(ascii: ".") { lower.removeLast() }
      guard lower.count >= 3 else { return false }
      if month == nil, let index = months.firstIndex(where: { $0.utf8.starts(with: lower) }) {
        month = index + 1
        return true
      }
      return weekdays.contains { $0.utf8.starts(with: lower) }
    }
  }

  /// The names of the months.
  static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
    "december",
  ]

  /// The names of the days of the week, Monday first.
  static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}

/// Days as tables of many countries write them, where only one reading is possible.
package enum SpelledDate {
  /// Reads `31.01.2026` (the day first, as everywhere with dots), and `31/01/2026`, `01/31/2026` and the like with dashes
  /// where one of the numbers can be no month; nil for anything else.
  package static func day(_ text: String) -> CivilDate? {
    let bytes = Array(text.utf8)
    for separator in [".", "/", "-"].map({ $0.utf8.first ?? 0 }) {
      let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2, parts[2].count == 4 else { continue }
      let numbers = parts.compactMap { CivilDate.number($0) }
      guard numbers.count == 3 else { return nil }
      let dayFirst = CivilDate(year: numbers[2], month: numbers[1], day: numbers[0])
      if separator == UInt8(ascii: ".") { return dayFirst }
      let monthFirst = CivilDate(year: numbers[2], month: numbers[0], day: numbers[1])
      // Where both can be read, as in 03/04/2026, nothing tells which is meant.
      if let dayFirst, let monthFirst, dayFirst != monthFirst { return nil }
      return dayFirst ?? monthFirst
    }
    return nil
  }
}
