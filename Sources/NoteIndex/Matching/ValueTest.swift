import Bytes
package import Notes
import Text

/// A test of one value of a field.
enum ValueTest: Sendable {
  /// By value if both sides are numbers or both are dates, else by word.
  case like(TextPattern, number: DecimalNumber?, dates: DateInterval?)
  /// The whole value, regardless of its case and accents; the bytes are folded.
  case exactly([UInt8])
  /// Any value that is not blank.
  case present
  case within(ValueRange)

  /// Whether a value passes; an empty one never does.
  func passes(_ value: String) -> Bool {
    switch self {
    case .like(let pattern, let number, let dates):
      if let number, let other = DecimalNumber(value) { return number == other }
      if let dates, let date = DateReading(value) { return date.isIn(dates) }
      return pattern.occurs(in: value)
    case .exactly(let bytes):
      if bytes.isEmpty { return false }
      return value.utf8.elementsEqual(bytes) || Folding.fold(value).utf8.elementsEqual(bytes)
    case .present: return !value.utf8.allSatisfy(ASCII.isBlank)
    case .within(let range): return range.contains(value)
    }
  }

  /// Whether values between two ends pass, or dates of several days.
  var asksSpan: Bool {
    switch self {
    case .within: true
    case .like(_, _, let dates): dates.map { $0.day == nil } ?? false
    case .exactly, .present: false
    }
  }

  /// Whether a number can pass: it is compared with one, or by a part of its digits.
  var asksNumber: Bool {
    switch self {
    case .like(let pattern, let number, _): number != nil || pattern.isOpen
    case .exactly(let bytes): DecimalNumber(String(decoding: bytes, as: UTF8.self)) != nil
    case .present: true
    case .within(let range): range.isNumeric
    }
  }

  /// Whether a date can pass.
  var asksDate: Bool {
    switch self {
    case .like(let pattern, _, let dates): dates != nil || pattern.isOpen
    case .exactly(let bytes): DateReading(String(decoding: bytes, as: UTF8.self)) != nil
    case .present: true
    case .within(let range): range.dates != nil
    }
  }

  /// The pattern of a test by word.
  var pattern: TextPattern? {
    if case .like(let pattern, _, _) = self { return pattern }
    return nil
  }
}

extension TextPattern {
  /// Whether it has a star.
  fileprivate var isOpen: Bool {
    switch self {
    case .words(let pattern): pattern.isPrefix
    case .wildcard: true
    case .signs: false
    }
  }
}

/// A range of numbers or dates if its ends are numbers or dates, else of text. Each end counts whole: a text end covers
/// all texts that begin with it.
struct ValueRange: Sendable {
  /// One end.
  struct Bound: Sendable {
    let number: DecimalNumber?
    let folded: [UInt8]
    /// Whether the bound itself lies in the range.
    let isInside: Bool

    init(_ text: String, isInside: Bool) {
      number = DecimalNumber(text)
      folded = Folding.fold(Array(text.utf8)[...])
      self.isInside = isInside
    }
  }

  let lower: Bound?
  let upper: Bound?
  /// The time interval, if the ends are dates.
  let dates: DateInterval?

  var isNumeric: Bool {
    (lower != nil || upper != nil) && (lower == nil || lower?.number != nil)
      && (upper == nil || upper?.number != nil)
  }

  /// Whether a value is in the range.
  ///
  /// A value that is neither a number nor a date is in no range of numbers or dates.
  func contains(_ value: String) -> Bool {
    if isNumeric, let number = DecimalNumber(value) { return contains(number) }
    if let dates, let date = DateReading(value) { return date.isIn(dates) }
    if isNumeric || dates != nil { return false }
    let folded = Folding.fold(Array(value.utf8)[...])
    return !folded.isEmpty && contains(folded)
  }

  private func contains(_ number: DecimalNumber) -> Bool {
    if let lower, let bound = lower.number, number < bound || (number == bound && !lower.isInside) {
      return false
    }
    if let upper, let bound = upper.number, number > bound || (number == bound && !upper.isInside) {
      return false
    }
    return true
  }

  /// Compares text; an end includes all texts that begin with it.
  private func contains(_ text: [UInt8]) -> Bool {
    if let lower {
      if text.starts(with: lower.folded) { return lower.isInside }
      if text.lexicographicallyPrecedes(lower.folded) { return false }
    }
    if let upper {
      if text.starts(with: upper.folded) { return upper.isInside }
      if !text.lexicographicallyPrecedes(upper.folded) { return false }
    }
    return true
  }
}

/// The date that a value of a field reads as: a day, or an instant.
package enum DateReading: Sendable {
  case day(CivilDate)
  case instant(Timestamp)

  /// Reads any form of a date that other tools write; nil for any other text.
  package init?(_ text: String) {
    if let day = CivilDate(text) {
      self = .day(day)
    } else if let stamp = Timestamp.adopted(text) {
      let isDay = stamp.secondOfDay == 0 && stamp.offsetSeconds == 0 && !text.utf8.contains(UInt8(ascii: ":"))
      self = isDay ? .day(stamp.civilDate) : .instant(stamp)
    } else {
      return nil
    }
  }

  /// Seconds since 1970, a day counted from midnight UTC.
  var seconds: Int64 {
    switch self {
    case .day(let day): Int64(day.dayNumber) * 86_400
    case .instant(let stamp): stamp.seconds
    }
  }

  /// Whether the date is in a time interval.
  func isIn(_ interval: DateInterval) -> Bool {
    switch self {
    case .day(let day): interval.contains(day)
    case .instant(let stamp): interval.contains(stamp)
    }
  }
}

/// A decimal number as a user writes it (`4`, `-12`, `3.50`), of any length, compared exactly.
struct DecimalNumber: Sendable, Hashable, Comparable {
  private let isNegative: Bool
  /// The digits before the point without leading zeros.
  private let whole: [UInt8]
  /// The digits after the point without trailing zeros.
  private let fraction: [UInt8]

  /// Reads a sign, digits, and optionally a point and more digits; nil for any other text.
  init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    var rest = Array(text.utf8)[...]
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    let whole = rest.prefix(while: ASCII.isDigit)
    rest = rest.dropFirst(whole.count)
    guard !whole.isEmpty else { return nil }
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst()
      guard !fraction.isEmpty, fraction.allSatisfy(ASCII.isDigit) else { return nil }
    } else if !rest.isEmpty {
      return nil
    }
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    self.whole = Array(whole.drop { $0 == UInt8(ascii: "0") })
    self.fraction = Array(fraction)
    isNegative = sign == UInt8(ascii: "-") && !(self.whole.isEmpty && fraction.isEmpty)
  }

  static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    guard left.isNegative == right.isNegative else { return left.isNegative }
    return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
  }

  /// Compares without the signs.
  private func isSmaller(than other: DecimalNumber) -> Bool {
    guard whole.count == other.whole.count else { return whole.count < other.whole.count }
    guard whole == other.whole else { return whole.lexicographicallyPrecedes(other.whole) }
    return fraction.lexicographicallyPrecedes(other.fraction)
  }
}
