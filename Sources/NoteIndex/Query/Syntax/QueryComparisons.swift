import Bytes
import Notes

/// Comparisons as people write them elsewhere: `rating >= 4` for `rating:>=4`.
///
/// They are read so only for fields that every note has, a kind declares or a note of the box has; `a -> b` is text.
struct QueryComparisons {
  /// A name and an operator in the bytes of a query.
  struct Head {
    /// The bytes of the name.
    let name: Range<Int>
    /// The operator as it stands after a colon.
    let sign: Range<Int>
    /// Where the value begins.
    let value: Int
  }

  private static let dates: Set<String> = ["created", "modified"]
  private static let names: Set<String> = ["id", "kind", "path", "tag", "tags"]

  /// Whether a kind declares a field of a name or a note of the box has one.
  private let isField: (String) -> Bool

  init(isField: @escaping (String) -> Bool) { self.isField = isField }

  /// Reads a name, an operator and the blanks beside it; nil where a value or either of them is missing.
  func head(in bytes: [UInt8], at start: Int, before limit: Int) -> Head? {
    guard let end = QuerySyntax.nameEnd(in: bytes, at: start, before: limit) else { return nil }
    var sign = Self.skippingBlanks(bytes, end, limit)..<limit
    var last = sign.lowerBound
    while last < limit, Self.isSign(bytes[last]) { last += 1 }
    let value = Self.skippingBlanks(bytes, last, limit)
    guard value < limit, bytes[value] != UInt8(ascii: ")") else { return nil }
    switch String(decoding: bytes[sign.lowerBound..<last], as: UTF8.self) {
    case "<", ">", "<=", ">=", "!=", "=": sign = sign.lowerBound..<last
    // What other languages write for equality.
    case "==": sign = sign.lowerBound + 1..<last
    default: return nil
    }
    let name = String(decoding: bytes[start..<end].map(ASCII.lowerCased), as: UTF8.self)
    return compares(name, bytes[sign]) ? Head(name: start..<end, sign: sign, value: value) : nil
  }

  private func compares(_ name: String, _ sign: ArraySlice<UInt8>) -> Bool {
    let isEqual = sign.elementsEqual("=".utf8)
    if Self.names.contains(name) { return isEqual }
    if Self.dates.contains(name) { return sign.first != UInt8(ascii: "!") }
    return name == "title" || isField(name)
  }

  static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "!")
  }

  private static func skippingBlanks(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Int {
    var offset = start
    while offset < limit, ASCII.isBlank(bytes[offset]) { offset += 1 }
    return offset
  }
}
