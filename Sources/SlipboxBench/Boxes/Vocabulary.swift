/// Made-up words, the frequent ones short. None holds a `q`, so that none can hold a probe.
struct Vocabulary: Sendable {
  /// The words by rank, the most frequent first.
  let words: [String]
  private let law: ZipfLaw

  init(count: Int, seed: UInt64) {
    var random = CorpusRandom(seed: seed, stream: Stream.vocabulary)
    var seen: Set<String> = []
    var words: [String] = []
    while words.count < count {
      let word = Self.word(&random)
      if word.utf8.count >= 3, seen.insert(word).inserted { words.append(word) }
    }
    words.sort { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    // Within the short words, and within the others, rank has nothing to do with the alphabet.
    let short = min(400, count)
    words[..<short].shuffle(using: &random)
    words[short...].shuffle(using: &random)
    self.words = words
    law = ZipfLaw(count: count)
  }

  /// One to five syllables, now and then with a consonant at the end.
  private static func word(_ random: inout CorpusRandom) -> String {
    var word = ""
    for _ in 0..<random.pick([1, 2, 2, 2, 3, 3, 3, 4, 5]) {
      word.append(random.pick(consonants))
      word.append(random.pick(vowels))
    }
    if random.happens(0.4) { word.append(random.pick(consonants)) }
    return word
  }

  private static let consonants = Array("bcdfghjklmnprstvwz")
  private static let vowels = Array("aeiou")

  /// A word, frequent ones more often.
  func draw(_ random: inout CorpusRandom) -> String { words[law.draw(&random)] }

  /// Several words.
  func draw(_ count: Int, _ random: inout CorpusRandom) -> [String] {
    (0..<count).map { _ in draw(&random) }
  }
}

/// The streams of random numbers that the notes as a whole are made from; each note has its own after these.
enum Stream {
  static let vocabulary: UInt64 = 0
  static let ids: UInt64 = 1
  static let probes: UInt64 = 2

  static func title(_ index: Int) -> UInt64 { 16 + UInt64(index) * 4 }
  static func head(_ index: Int) -> UInt64 { 17 + UInt64(index) * 4 }
  static func body(_ index: Int) -> UInt64 { 18 + UInt64(index) * 4 }
}

/// Ranks of which the n-th is drawn in proportion to 1/n, as the words of a language are.
struct ZipfLaw: Sendable {
  private let cumulative: [Double]
  private let total: Double

  init(count: Int) {
    var sum = 0.0
    cumulative = (1...count).map { rank in
      sum += 1 / Double(rank)
      return sum
    }
    total = sum
  }

  /// A rank from 0.
  /// - Complexity: O(log n).
  func draw(_ random: inout CorpusRandom) -> Int {
    let wanted = random.fraction() * total
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

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
