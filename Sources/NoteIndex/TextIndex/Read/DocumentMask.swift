/// The documents of an index that count no longer: they were deleted, or stand in a newer index.
package struct DocumentMask: Sendable, Equatable {
  private var bits: [UInt64] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  @inline(__always)
  package func contains(_ document: UInt32) -> Bool {
    let word = Int(document >> 6)
    return word < bits.count && bits[word] >> UInt64(document & 63) & 1 != 0
  }

  package mutating func insert(_ document: UInt32) {
    let word = Int(document >> 6)
    while bits.count <= word { bits.append(0) }
    let bit: UInt64 = 1 << UInt64(document & 63)
    if bits[word] & bit == 0 { count += 1 }
    bits[word] |= bit
  }

  /// The documents, ascending.
  package var documents: [UInt32] {
    var documents: [UInt32] = []
    for (word, bits) in bits.enumerated() {
      var rest = bits
      while rest != 0 {
        documents.append(UInt32(word * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return documents
  }
}
