extension YAMLTypes {
  /// Whether text begins like a date: four digits, one or two, one or two, and then nothing or a time.
  static func isDateLike(_ text: String) -> Bool {
    var scan = DigitScan(text)
    guard scan.digits(4) != nil, scan.take("-"), scan.digits(1...2) != nil, scan.take("-"),
      scan.digits(1...2) != nil
    else { return false }
    return scan.isAtEnd || scan.next == UInt8(ascii: "T") || scan.next == UInt8(ascii: "t")
      || scan.next == 0x20
  }

  /// Whether text is a real date, `2026-11-21`, or time, `2026-11-21T09:30:00+01:00`, to every reader.
  static func isTimestamp(_ text: String) -> Bool {
    var scan = DigitScan(text)
    guard let year = scan.digits(4), year > 0, scan.take("-"), let month = scan.digits(2), scan.take("-"),
      let day = scan.digits(2), (1...12).contains(month), day >= 1,
      day <= days(inMonth: month, year: year)
    else { return false }
    if scan.isAtEnd { return true }
    guard scan.take("T") || scan.take(" "), let hour = scan.digits(2), hour < 24, scan.take(":"),
      let minute = scan.digits(2), minute < 60, scan.take(":"), let second = scan.digits(2), second < 60
    else { return false }
    if scan.take("."), scan.digits(1...6) == nil { return false }
    if scan.isAtEnd || (scan.take("Z") && scan.isAtEnd) { return true }
    guard scan.take("+") || scan.take("-"), let hours = scan.digits(2), hours < 24, scan.take(":"),
      let minutes = scan.digits(2), minutes < 60
    else { return false }
    return scan.isAtEnd
  }

  private static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 31
    }
  }
}

/// Reads digits and signs from the start of text.
private struct DigitScan {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }

  /// Takes one sign, or leaves all as it is.
  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digits(_ count: Int) -> Int? { digits(count...count) }

  /// Takes as many digits as there are up to a limit, or returns nil where they are too few.
  mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
    var value = 0
    var taken = 0
    while taken < counts.upperBound, let byte = rest.first, byte.isDigit {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      rest.removeFirst()
      taken += 1
    }
    return counts.contains(taken) ? value : nil
  }
}
