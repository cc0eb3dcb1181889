/// A generator whose choices follow from a seed alone, on every machine and with every version of the language.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct SampleRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Draws a number from 0 on; 0 where the limit leaves no other.
  mutating func below(_ limit: Int) -> Int {
    limit > 1 ? Int(next().multipliedFullWidth(by: UInt64(limit)).high) : 0
  }

  /// Draws a number between two, both possible; the lower one where they are the wrong way round.
  mutating func between(_ lower: Int, _ upper: Int) -> Int { lower + below(upper - lower + 1) }

  /// Says yes in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Draws one element of a list that is never empty.
  mutating func pick<Element>(_ list: [Element]) -> Element {
    precondition(!list.isEmpty, "the lists of samples are written by hand and hold something")
    return list[below(list.count)]
  }

  /// Draws elements of a list, none of them twice, in no order.
  mutating func pick<Element>(_ count: Int, of list: [Element]) -> [Element] {
    var deck = list
    for index in 0..<min(count, deck.count) { deck.swapAt(index, between(index, deck.count - 1)) }
    return Array(deck.prefix(count))
  }
}
