/// Counts what the searches of the bench have to find, while the notes of a corpus are written.
package struct CorpusCensus {
  private let corpus: Corpus
  private var noteCount = 0
  private var byteCount = 0
  private var urgentCount = 0
  private var plain: String?

  package init(_ corpus: Corpus) { self.corpus = corpus }

  /// Takes in the next note.
  package mutating func add(_ head: NoteHead, byteCount: Int) {
    noteCount += 1
    self.byteCount += byteCount
    let isUrgent = head.value(of: "status") == "open" && head.value(of: "priority") == "high"
    if isUrgent, head.tags.contains("qxtag") { urgentCount += 1 }
    if head.kind == "note", plain == nil, noteCount > corpus.count / 2 { plain = head.id }
  }

  /// The facts of the whole corpus, all notes having been taken in.
  /// - Parameter changing: How many notes to name that rows may change.
  package func facts(changing share: Int) -> BoxFacts {
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
    let share = min(share, corpus.count)
    facts.paths = (0..<share).map { corpus.path($0 * corpus.count / share) }
    return facts
  }
}
