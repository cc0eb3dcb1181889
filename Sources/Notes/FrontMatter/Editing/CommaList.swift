/// Elements parted by commas in one scalar, with their places.
struct CommaList {
  private let bytes: [UInt8]
  /// The elements without blanks around them; empty ones are left out.
  private let ranges: [Range<Int>]

  init(_ text: String) {
    bytes = Array(text.utf8)
    var found: [Range<Int>] = []
    for part in bytes.indices.split(whereSeparator: { [bytes] in bytes[$0] == UInt8(ascii: ",") }) {
      var (lower, upper) = (part.startIndex, part.endIndex)
      while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
      while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
      if lower < upper { found.append(lower..<upper) }
    }
    ranges = found
  }

  var elements: [String] { ranges.map { String(decoding: bytes[$0], as: UTF8.self) } }

  /// Says whether an element can stand between commas.
  static func canHold(_ element: String) -> Bool {
    let bytes = Array(element.utf8)
    guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else { return false }
    return !bytes.contains { $0 < 0x20 || $0 == UInt8(ascii: ",") }
  }

  /// Returns the text with an element after the last one.
  func adding(_ element: String) -> String {
    guard let last = ranges.last else { return element }
    let start = bytes[..<last.upperBound]
    return String(decoding: start + ", ".utf8 + element.utf8 + bytes[last.upperBound...], as: UTF8.self)
  }

  /// Returns the text without some elements, or nil where none would be left.
  func removing(_ isRemoved: (String) -> Bool) -> String? {
    var splices = Splices()
    var kept: Range<Int>?
    for (index, range) in ranges.enumerated() {
      if !isRemoved(String(decoding: bytes[range], as: UTF8.self)) {
        kept = range
      } else if let kept {
        splices.remove(kept.upperBound..<range.upperBound)
      } else if index + 1 < ranges.count {
        splices.remove(range.lowerBound..<ranges[index + 1].lowerBound)
      }
    }
    return kept == nil ? nil : String(decoding: splices.applied(to: bytes), as: UTF8.self)
  }
}
