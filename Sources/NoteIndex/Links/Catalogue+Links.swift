import Notes

extension Catalogue {
  /// The query with the notes that pass its terms about links.
  ///
  /// A text that stands for no note, or for several, finds none; whoever wants to refuse it names the notes before.
  func answeringLinks(in node: QueryNode, _ spread: Spread?) -> QueryNode {
    node.mappingLinks { test in
      let named = test.naming { reference in
        if case .found(let entry) = resolve(reference, fuzzy: false) { entry.note } else { nil }
      }
      return LinksTest(named.question, found: FoundNotes(places(named.question, spread), entries))
    }
  }

  private func places(_ question: LinksTest.Question, _ spread: Spread?) -> [Int] {
    let graph = LinkGraph(self, spread: spread)
    switch question {
    case .to(let references):
      return Set(graph.backlinks(to: references.notes.map { .note($0) }).flatMap { $0 }).sorted()
    case .from(let references):
      let notes = references.notes
      let targets = zip(notes, graph.links(of: notes.map { .note($0) })).flatMap { note, links in
        links.compactMap { link -> Int? in
          guard case .note(let place) = link.meaning, entries.path(at: place) != note.path else { return nil }
          return place
        }
      }
      return Set(targets).sorted()
    case .toNone:
      let census = linkCensus(spread)
      return entries.indices.filter { !census.areLinking[$0] }
    case .fromNone:
      let census = linkCensus(spread)
      return entries.indices.filter { !census.areLinked[$0] }
    }
  }

  private func linkCensus(_ spread: Spread?) -> LinkGraph.Census {
    census.value { LinkGraph(self, spread: spread).census() }
  }
}

extension [LinkReference] {
  fileprivate var notes: [Note] { compactMap { if case .note(let note) = $0 { note } else { nil } } }
}
