/// Numbers that follow from a seed and the number of a stream, so that each note can be made without the others.
///
/// Only integer arithmetic and the four operations of IEEE 754 are used: the same on every machine.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014 (SplitMix64).
package struct CorpusRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64, stream: UInt64) {
    state = seed
    state = next() &+ stream &* 0xD134_2543_DE82_EF95
    state = next()
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, and without, 1.
  package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number from 0 up to, and without, the limit, which is positive.
  package mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % limit }

  /// A number of a closed range.
  package mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

  /// Whether something of this probability happens.
  package mutating func happens(_ probability: Double) -> Bool { fraction() < probability }

  /// One of the items, which are not none.
  package mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
}
