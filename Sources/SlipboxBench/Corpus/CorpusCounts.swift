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
