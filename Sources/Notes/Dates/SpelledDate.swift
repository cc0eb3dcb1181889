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
