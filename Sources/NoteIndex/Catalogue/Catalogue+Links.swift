import Notes

extension Catalogue {
  /// The query with the notes that pass its terms about links.
  ///
  /// A text that stands for no note, or for several, finds none; to refuse such a name, the query is given its notes before.
  func answeringLinks(in node: QueryNode, _ executor: ParallelExecutor?) -> QueryNode {
    answeringDependencies(in: node, executor).mappingLinks { test in
      let named = test.naming { reference in
        if case .found(let entry) = resolve(reference, fuzzy: false) { entry.note } else { nil }
      }
      return LinksTest(named.question, found: FoundNotes(places(named.question, executor), entries))
    }
  }

  private func places(_ question: LinksTest.Question, _ executor: ParallelExecutor?) -> [Int] {
    let graph = LinkGraph(entries, executor: executor)
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
      let census = linkCensus(executor)
      return entries.indices.filter { !census.areLinking[$0] }
    case .fromNone:
      let census = linkCensus(executor)
      return entries.indices.filter { !census.areLinked[$0] }
    }
  }

  private func linkCensus(_ executor: ParallelExecutor?) -> LinkGraph.Presence {
    census.value { LinkGraph(entries, executor: executor).census() }
  }
}

extension [LinkReference] {
  fileprivate var notes: [Note] { compactMap { if case .note(let note) = $0 { note } else { nil } } }
}

extension LinkGraph {
  /// - Parameter executor: does the work on several threads; nil does it on the calling one.
  package init(_ catalogue: Catalogue, executor: ParallelExecutor?) {
    self.init(catalogue.entries, executor: executor)
  }
}
