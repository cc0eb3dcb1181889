import Bytes

/// A decimal number as a user writes it (`4`, `-12`, `3.50`), of any length, compared exactly.
struct DecimalNumber: Sendable, Hashable, Comparable {
  private let isNegative: Bool
  /// The digits before the point without leading zeros.
  private let whole: [UInt8]
  /// The digits after the point without trailing zeros.
  private let fraction: [UInt8]

  /// Reads a sign, digits, and perhaps a point and more digits; nil for anything else.
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
