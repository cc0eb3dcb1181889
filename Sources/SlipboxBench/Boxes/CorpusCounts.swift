/// The numbers of hits that the rows have to find, counted while the notes of a corpus are written.
package struct CorpusCounts {
  private let corpus: Corpus
  private var noteCount = 0
  private var byteCount = 0
  private var urgentCount = 0
  private var plain: String?
  private var earliest: [NoteHead] = []
  private var linkers: [String: Int] = [:]
  /// The last note that links to another one.
  private var linking: String?
  private let earliestCount: Int

  /// - Parameter changing: The number of notes to name that rows may change.
  package init(_ corpus: Corpus, changing share: Int) {
    self.corpus = corpus
    earliestCount = min(share, corpus.count)
  }

  /// Takes in the next note with the text of its file.
  package mutating func add(_ head: NoteHead, _ text: String) {
    noteCount += 1
    byteCount += text.utf8.count
    if earliest.count < earliestCount { earliest.append(head) }
    for target in Self.targets(of: text) where target != head.id {
      linkers[target, default: 0] += 1
      linking = head.id
    }
    let isUrgent = head.value(of: "status") == "open" && head.value(of: "priority") == "high"
    if isUrgent, head.tags.contains("qxtag") { urgentCount += 1 }
    if head.kind == "note", plain == nil, noteCount > corpus.count / 2 { plain = head.id }
  }

  /// The facts of the whole corpus, all notes having been taken in.
  package var facts: BoxFacts {
    var facts = BoxFacts()
    func hits(_ probes: Probes) -> Int { corpus.probes.count { $0.isSuperset(of: probes) } }
    facts[count: "notes"] = noteCount
    facts[count: "bytes"] = byteCount
    facts[count: "rare"] = hits(.rare)
    facts[count: "common"] = hits(.common)
    facts[count: "phrase"] = hits(.phrase)
    facts[count: "both"] = hits([.alpha, .beta])
    facts[count: "urgent"] = urgentCount
    facts["newest"] = corpus.id(corpus.count - 1)
    facts["plain"] = plain ?? corpus.id(0)
    facts[count: "orphans"] = corpus.count - linkers.count
    let linked = (0..<corpus.count).lazy.map(corpus.id).first { (linkers[$0] ?? 0) > 1 }
    facts["linked"] = linked
    facts[count: "linkers"] = linked.flatMap { linkers[$0] }
    facts["linking"] = linking
    // Records refer to the first notes, which are groups.
    let backlinked = (Corpus.groupCount..<corpus.count).lazy.map(corpus.id).first { (linkers[$0] ?? 0) > 1 }
    facts["backlinked"] = backlinked
    facts[count: "backlinks"] = backlinked.flatMap { linkers[$0] }
    facts["earliest-until"] = earliest.last.map { String($0.created.prefix(16)) }
    facts.earliestPaths = earliest.map(\.path)
    facts.paths = (0..<earliestCount).map { corpus.path($0 * corpus.count / earliestCount) }
    return facts
  }

  /// The ids of the notes that a text links to.
  private static func targets(of text: String) -> Set<String> {
    var targets: Set<String> = []
    var rest = Substring(text).utf8
    while let bracket = rest.firstIndex(of: UInt8(ascii: "[")) {
      rest = rest[rest.index(after: bracket)...]
      if rest.first == UInt8(ascii: "[") {
        targets.insert(String(decoding: rest.dropFirst().prefix(8), as: UTF8.self))
      } else if let end = rest.firstIndex(of: UInt8(ascii: ")")), text[..<end].hasSuffix(".md") {
        targets.insert(String(text[..<end].dropLast(3).suffix(8)))
      }
    }
    return targets
  }
}

/// The known facts of a box that the bench made, kept beside it for later runs as lines of a name and a value.
package struct BoxFacts: Equatable, Sendable {
  private var values: [String: String] = [:]
  /// Notes to change, spread over the whole box.
  package var paths: [String] = []
  /// The notes that were made first.
  package var earliestPaths: [String] = []

  package init() {}

  /// A number.
  package subscript(count name: String) -> Int? {
    get { values[name].flatMap { Int($0) } }
    set { values[name] = newValue.map { "\($0)" } }
  }

  /// A text without line ends.
  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The lines of the file, in the order of the names.
  package var text: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
      + paths.map { "path \($0)\n" }.joined() + earliestPaths.map { "earliest \($0)\n" }.joined()
  }

  package init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "path": paths.append(parts[1])
      case "earliest": earliestPaths.append(parts[1])
      default: values[parts[0]] = parts[1]
      }
    }
  }
}

/// The words and fields that the rows search for, each in a known number of notes.
package struct Probes: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The word `qxrare`, in 10 notes.
  package static let rare = Probes(rawValue: 1)
  /// The word `qxcommon`, in a tenth of the notes.
  package static let common = Probes(rawValue: 2)
  /// The word `qxalpha`, in a twentieth.
  package static let alpha = Probes(rawValue: 4)
  /// The word `qxbeta`, in a twentieth; with `qxalpha` in a hundredth.
  package static let beta = Probes(rawValue: 8)
  /// The phrase `qxsilver qxlantern`, in a two-hundredth, and at least 5.
  package static let phrase = Probes(rawValue: 16)
  /// Both words of the phrase, far from each other, in a fiftieth.
  package static let apart = Probes(rawValue: 32)
  /// The tag `qxtag`, in a fiftieth.
  package static let tagged = Probes(rawValue: 64)
  /// An open issue of high priority among the tagged, a five-hundredth of all; others come about by chance.
  package static let urgent = Probes(rawValue: 128)

  /// Deals the probes out to notes.
  static func dealt(to count: Int, seed: UInt64) -> [Probes] {
    var random = CorpusRandom(seed: seed, stream: Stream.probes)
    var notes = [Probes](repeating: [], count: count)
    func deal(_ probes: Probes, to share: Int, where fits: (Probes) -> Bool = { _ in true }) {
      var chosen = notes.indices.filter { fits(notes[$0]) }
      for position in 0..<min(share, chosen.count) {
        chosen.swapAt(position, random.between(position, chosen.count - 1))
        notes[chosen[position]].formUnion(probes)
      }
    }
    deal(.rare, to: 10)
    deal(.common, to: count / 10)
    deal([.alpha, .beta], to: count / 100)
    deal(.alpha, to: count / 20 - count / 100) { $0.isDisjoint(with: [.alpha, .beta]) }
    deal(.beta, to: count / 20 - count / 100) { $0.isDisjoint(with: [.alpha, .beta]) }
    deal(.phrase, to: max(5, count / 200))
    deal(.apart, to: count / 50) { !$0.contains(.phrase) }
    deal(.tagged, to: max(5, count / 50))
    deal(.urgent, to: max(2, count / 500)) { $0.contains(.tagged) }
    return notes
  }
}
