import Notes
import Text

/// What a query asks of one value of a field.
enum ValueTest: Sendable {
  /// By value where both sides read as numbers or as dates, else by word.
  case like(TextPattern, number: DecimalNumber?, dates: DateInterval?)
  /// Byte for byte.
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
    case .exactly(let bytes): return !bytes.isEmpty && value.utf8.elementsEqual(bytes)
    case .present: return !value.utf8.allSatisfy(ASCII.isBlank)
    case .within(let range): return range.contains(value)
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

/// A range of values, both ends whole: of numbers or dates where its ends are such, else of text.
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
  /// The stretch of time, where the ends read as dates.
  let dates: DateInterval?

  fileprivate var isNumeric: Bool {
    (lower != nil || upper != nil) && (lower == nil || lower?.number != nil)
      && (upper == nil || upper?.number != nil)
  }

  /// Says whether a value lies in the range.
  ///
  /// What is neither a number nor a date lies in no range of numbers or dates.
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

  /// Compares text; an end stands for all that begins with it.
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
