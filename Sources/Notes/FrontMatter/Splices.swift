/// Replacements of byte ranges, to be made at once.
package struct Splices {
  private var items: [(range: Range<Int>, bytes: [UInt8])] = []

  package init() {}

  /// Replaces a range; ranges must not overlap, and what is inserted at one place keeps its order.
  package mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) { items.append((range, bytes)) }

  package mutating func insert(_ bytes: [UInt8], at offset: Int) { replace(offset..<offset, with: bytes) }

  package mutating func remove(_ range: Range<Int>) { replace(range, with: []) }

  /// Returns bytes with all replacements made.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + items.reduce(0) { $0 + $1.bytes.count })
    var offset = 0
    for item in items.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if item.range.lowerBound > offset { result += bytes[offset..<item.range.lowerBound] }
      result += item.bytes
      offset = max(offset, item.range.upperBound)
    }
    return result + bytes[offset...]
  }
}
