/// Some keys, quick to tell that another one is not among them.
package struct LinkKeySet: Sendable {
  package let keys: Set<LinkKey>
  /// A bit for the lowest bits of each key.
  private let bits: [UInt64]
  private let mask: UInt32

  package init(_ keys: some Sequence<LinkKey>) {
    self.keys = Set(keys)
    var size: UInt32 = 1 << 12
    while size < 1 << 24, size / 16 < self.keys.count { size <<= 1 }
    var bits = [UInt64](repeating: 0, count: Int(size / 64))
    for key in self.keys { bits[Int((key.number & (size - 1)) >> 6)] |= 1 << UInt64(key.number & 63) }
    self.bits = bits
    mask = size - 1
  }

  package func contains(_ key: LinkKey) -> Bool {
    bits[Int((key.number & mask) >> 6)] >> UInt64(key.number & 63) & 1 == 1 && keys.contains(key)
  }
}
