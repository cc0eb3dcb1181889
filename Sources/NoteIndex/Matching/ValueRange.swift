import Bytes
import Notes
import Text

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

  var isNumeric: Bool {
    (lower != nil || upper != nil) && (lower == nil || lower?.number != nil)
      && (upper == nil || upper?.number != nil)
  }

  /// Says whether a value lies in the range.
  ///
  /// A value that is neither a number nor a date lies in no range of numbers or dates.
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
