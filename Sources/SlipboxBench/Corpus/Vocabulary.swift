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
