import Bytes
import Notes
import Text

/// A test of one value of a field.
enum ValueTest: Sendable {
  /// By value where both sides read as numbers or as dates, else by word.
  case like(TextPattern, number: DecimalNumber?, dates: DateInterval?)
  /// The whole value, whatever its case and accents; the bytes are folded.
  case exactly([UInt8])
  /// Anything but nothing.
  case present
  case within(ValueRange)

  /// Says whether a value passes; an empty one never does.
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

  /// The pattern that is looked for by word.
  var pattern: TextPattern? {
    if case .like(let pattern, _, _) = self { return pattern }
    return nil
  }
}

extension TextPattern {
  /// Whether a star stands in it.
  fileprivate var isOpen: Bool {
    switch self {
    case .words(let pattern): pattern.isPrefix
    case .wildcard: true
    case .signs: false
    }
  }
}
