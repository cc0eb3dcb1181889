internal import Bytes

/// A number with two decimals at most: how much something counts.
package struct Weight: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let hundredths: Int

  package init(hundredths: Int) { self.hundredths = hundredths }

  /// Reads `8`, `-3` or `0.25`, up to six digits before the point; nil for anything else.
  package init?(_ text: String) {
    var digits = Array(text.utf8)[...]
    let sign = digits.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
    let whole = digits.prefix { $0 != UInt8(ascii: ".") }
    let fraction = digits.dropFirst(whole.count)
    guard (1...6).contains(whole.count), let units = CivilDate.number(whole) else { return nil }
    var hundredths = units * 100
    if !fraction.isEmpty {
      guard (2...3).contains(fraction.count), let parts = CivilDate.number(fraction.dropFirst()) else {
        return nil
      }
      hundredths += fraction.count == 2 ? parts * 10 : parts
    }
    self.hundredths = sign == UInt8(ascii: "-") ? -hundredths : hundredths
  }

  /// The number without zeros at its end.
  package var description: String {
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let fraction = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest / 10)\(rest % 10)"
    return (hundredths < 0 ? "-" : "") + String(whole) + fraction
  }

  package static func < (left: Weight, right: Weight) -> Bool { left.hundredths < right.hundredths }
}

/// A query with its weight: what makes a record of a kind more urgent, or less.
package struct UrgencyTerm: Sendable, Equatable {
  package let query: String
  package let weight: Weight

  package init(_ query: String, _ weight: Weight) {
    self.query = query
    self.weight = weight
  }

  /// Reads `is:blocking 8`: the weight is the last word; nil where there is none, or no query before it.
  package init?(sentence: String) {
    let bytes = Array(sentence.withoutBlanksAround.utf8)
    guard let blank = bytes.lastIndex(of: 0x20) else { return nil }
    let query = String(decoding: bytes[..<blank], as: UTF8.self).withoutBlanksAround
    guard !query.isEmpty, let weight = Weight(String(decoding: bytes[(blank + 1)...], as: UTF8.self)) else {
      return nil
    }
    self.init(query, weight)
  }

  /// The sentence that declares the term.
  package var sentence: String { "\(query) \(weight)" }
}
