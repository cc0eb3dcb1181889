extension Corpus {
  /// The whole file of a note.
  package func text(_ index: Int) -> String { text(of: head(index), index) }

  /// The whole file of a note whose head is known.
  package func text(of head: NoteHead, _ index: Int) -> String {
    var random = CorpusRandom(seed: seed, stream: Stream.body(index))
    var words = vocabulary.draw(max(12, Self.length(&random) / 6), &random)
    insertProbes(probes[index], into: &words, &random)
    for _ in 0..<random.pick([0, 0, 1, 1, 2, 4]) {
      insert(link(to: random.below(count), &random), into: &words, &random)
    }
    if random.happens(0.2) { insert("#" + tag(&random), into: &words, &random) }
    return head.frontMatter + "\n# \(head.title)\n\n" + laidOut(words, &random)
  }

  /// The bytes of a body: log-normal with a median of 1,150, and one in a hundred of 15,000 to 24,000.
  private static func length(_ random: inout CorpusRandom) -> Int {
    if random.happens(0.01) { return random.between(15_000, 24_000) }
    let place = random.fraction() * Double(lengths.count - 1)
    let step = Int(place)
    let (low, high) = (Double(lengths[step]), Double(lengths[step + 1]))
    return Int(low + (high - low) * (place - Double(step)))
  }

  /// The 33 quantiles of that distribution at steps of 1/32.
  ///
  /// A table, because exp() of two C libraries may differ in its last bit.
  private static let lengths = [
    120, 259, 337, 400, 458, 512, 565, 617, 670, 723, 777, 833, 891, 951, 1_014, 1_080, 1_150, 1_224, 1_304,
    1_390, 1_483, 1_586, 1_700, 1_827, 1_972, 2_140, 2_338, 2_579, 2_886, 3_300, 3_923, 5_103, 9_000,
  ]

  private func insert(_ word: String, into words: inout [String], _ random: inout CorpusRandom) {
    words.insert(word, at: random.between(1, words.count - 1))
  }

  private func insertProbes(
    _ probes: Probes, into words: inout [String], _ random: inout CorpusRandom
  ) {
    if probes.contains(.rare) { insert("qxrare", into: &words, &random) }
    if probes.contains(.common) { insert("qxcommon", into: &words, &random) }
    if probes.contains(.alpha) { insert("qxalpha", into: &words, &random) }
    if probes.contains(.beta) { insert("qxbeta", into: &words, &random) }
    // One item, so that nothing comes between, not even the end of a line.
    if probes.contains(.phrase) { insert("qxsilver qxlantern", into: &words, &random) }
    if probes.contains(.apart) {
      words.insert("qxlantern", at: 2)
      words.insert("qxsilver", at: words.count - 2)
    }
  }

  private func link(to index: Int, _ random: inout CorpusRandom) -> String {
    if random.happens(0.5) { return "[[\(id(index))]]" }
    // From a monthly folder two folders up is the box.
    return "[\(title(index).split(separator: " ")[0])](../../\(path(index)))"
  }

  /// Breaks words into lines of at most some 80 columns and paragraphs, with a heading or a list now and then.
  private func laidOut(_ words: [String], _ random: inout CorpusRandom) -> String {
    var text = ""
    var column = 0
    var left = random.between(8, 80)
    for word in words {
      if column > 0 { text += column > 70 ? "\n" : " " }
      if column > 70 { column = 0 }
      text += word
      column += word.utf8.count + 1
      left -= 1
      guard left <= 0 else { continue }
      text += ".\n\n"
      column = 0
      left = random.between(8, 80)
      text += interlude(&random)
    }
    return text + (column > 0 ? ".\n" : "")
  }

  private func interlude(_ random: inout CorpusRandom) -> String {
    let chance = random.fraction()
    if chance < 0.1 { return "## \(vocabulary.draw(3, &random).joined(separator: " "))\n\n" }
    guard chance < 0.17 else { return "" }
    let items = (0..<3).map { _ in "- \(vocabulary.draw(6, &random).joined(separator: " "))\n" }
    return items.joined() + "\n"
  }
}
