import SlipboxBench
import Testing

/// The notes that the bench makes are the same everywhere, and hold what its searches look for.
struct CorpusTests {
  private static let shared = Corpus(count: 1_000)
  private static let texts = (0..<1_000).map(shared.text)
  private let corpus = shared

  /// FNV-1a of all paths and texts.
  private func fingerprint(_ corpus: Corpus) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<corpus.count {
      for byte in (corpus.path(index) + "\n" + corpus.text(index)).utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    return hash
  }

  @Test func sameSeedGivesSameBytes() {
    // The bytes are fixed: figures of other days are held against them.
    #expect(fingerprint(Corpus(count: 200)) == 11_867_198_676_991_715_462)
  }

  @Test func anotherSeedGivesOtherBytes() {
    #expect(Corpus(count: 200, seed: 1).text(7) != Corpus(count: 200, seed: 2).text(7))
  }

  @Test func idsAndPathsAreUnique() {
    #expect(Set((0..<1_000).map(corpus.id)).count == 1_000)
    #expect(Set((0..<1_000).map(corpus.path)).count == 1_000)
  }

  @Test func notesAreOfTheUsualSize() {
    let sizes = Self.texts.map(\.utf8.count)
    #expect((1_500...2_200).contains(sizes.reduce(0, +) / 1_000))
  }

  @Test func notesStandInOrderOfCreationInMonthlyFolders() {
    let heads = (0..<1_000).map(corpus.head)
    for (earlier, later) in zip(heads, heads.dropFirst()) { #expect(earlier.created < later.created) }
    for head in heads {
      #expect(head.path.hasPrefix(head.created.prefix(7).split(separator: "-").joined(separator: "/") + "/"))
    }
    #expect(Set(heads.map { $0.path.prefix(7) }).count == 120)
  }

  @Test(arguments: [
    ("qxrare", 10), ("qxcommon", 100), ("qxalpha", 50), ("qxbeta", 50), ("qxsilver qxlantern", 5),
  ])
  func probesStandInAKnownNumberOfNotes(text: String, count: Int) {
    let holders = Self.texts.count { $0.contains(text) }
    #expect(holders == count)
  }

  @Test func countsAreOfWhatIsThere() {
    var counts = CorpusCounts(corpus, changing: 100)
    for index in 0..<1_000 { counts.add(corpus.head(index), Self.texts[index]) }
    let facts = counts.facts
    let texts = Self.texts
    func count(_ words: String...) -> Int { texts.count { text in words.allSatisfy { text.contains($0) } } }
    #expect(facts[count: "both"] == count("qxalpha", "qxbeta"))
    #expect(facts[count: "urgent"] == count("qxtag]", "status: open", "priority: high"))
    #expect(facts[count: "bytes"] == texts.map(\.utf8.count).reduce(0, +))
    #expect(facts.paths.count == 100)
    #expect(facts["newest"] == corpus.id(999))
    #expect(facts.earliestPaths == (0..<100).map(corpus.path))
    #expect(facts["earliest-until"].map { corpus.head(99).created.hasPrefix($0) } == true)
  }

  /// The ids that a text links to, found without the reader of `CorpusCounts`.
  private func targets(of text: String) -> Set<String> {
    let byID = text.components(after: "[[").map { String($0.prefix(8)) }
    let byPath = text.components(after: "](../../").map { part in
      String(part.prefix { $0 != ")" }.dropLast(".md".count).suffix(8))
    }
    return Set(byID + byPath)
  }

  @Test func countsAreOfLinks() throws {
    var counts = CorpusCounts(corpus, changing: 1)
    for index in 0..<1_000 { counts.add(corpus.head(index), Self.texts[index]) }
    let linked = (0..<1_000).map { targets(of: Self.texts[$0]).subtracting([corpus.id($0)]) }
    let facts = counts.facts
    #expect(facts[count: "orphans"] == 1_000 - linked.reduce(into: Set()) { $0.formUnion($1) }.count)
    let id = try #require(facts["linked"])
    #expect(facts[count: "linkers"] == linked.count { $0.contains(id) })
    #expect(linked.count { $0.contains(id) } > 1)
  }

  @Test func linksLeadToNotes() {
    let paths = Set((0..<1_000).map(corpus.path))
    var links = 0
    for text in Self.texts {
      for part in text.components(after: "](../../") {
        #expect(paths.contains(String(part.prefix { $0 != ")" })))
        links += 1
      }
    }
    #expect(links > 300)
  }

  @Test func factsSurviveTheirFile() {
    var facts = BoxFacts()
    facts[count: "notes"] = 12
    facts["head"] = "abc def"
    facts.paths = ["2016/01/a b.md", "2016/02/c.md"]
    facts.earliestPaths = ["2016/01/a b.md"]
    #expect(BoxFacts(text: facts.text) == facts)
  }
}

extension String {
  /// What follows each occurrence of a text.
  fileprivate func components(after text: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      rest = rest[range.upperBound...]
      parts.append(rest)
    }
    return parts
  }
}
