/// The size and the shape of a graph in numbers.
package struct WebSummary: Sendable {
  /// A note with a number, by its place in the catalogue.
  package struct Ranked: Sendable {
    package let place: Int
    package let count: Int
  }

  /// So many notes, and so many groups, are named.
  fileprivate static let named = 10

  package let notes: Int
  package let links: Int
  /// How many connections each field makes, by its name.
  package let fields: [(name: String, count: Int)]
  package let orphans: Int
  package let broken: Int
  package let ambiguous: Int
  /// The notes that most others are connected to, those first with the most.
  package let mostLinked: [Ranked]
  /// The largest groups of notes that hang together, each with its most linked note and its size.
  package let groups: [Ranked]
  /// How many groups there are; a note without connections is one by itself.
  package let groupCount: Int
}

extension NoteWeb {
  /// A graph in numbers; links that lead to nothing, or to several notes, are those of its notes.
  ///
  /// - Complexity: O(n) in all links.
  package func summary(of graph: WebGraph) throws(SlipboxError) -> WebSummary {
    let neighbours = graph.neighbours()
    let links = graph.edges.filter { $0.field == nil }.reduce(0) { $0 + $1.count }
    var fields: [String: Int] = [:]
    for edge in graph.edges { if let field = edge.field { fields[field, default: 0] += edge.count } }
    let byBacklinks = neighbours.indices.sorted {
      let (left, right) = (neighbours[$0].from.count, neighbours[$1].from.count)
      return left == right ? $0 < $1 : left > right
    }
    var order = [Int](repeating: 0, count: neighbours.count)
    for (rank, number) in byBacklinks.enumerated() { order[number] = rank }
    let components = graph.components()
    let unresolved = try unresolved(of: Set(graph.places))
    let broken = unresolved.count(where: \.isBroken)
    return WebSummary(
      notes: graph.places.count, links: links,
      fields: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      orphans: neighbours.count { $0.from.isEmpty }, broken: broken, ambiguous: unresolved.count - broken,
      mostLinked: byBacklinks.prefix(WebSummary.named).filter { !neighbours[$0].from.isEmpty }.map {
        WebSummary.Ranked(place: graph.places[$0], count: neighbours[$0].from.count)
      },
      groups: components.prefix(WebSummary.named).filter { $0.count > 1 }.map { group in
        let first = group.min { order[$0] < order[$1] } ?? group[0]
        return WebSummary.Ranked(place: graph.places[first], count: group.count)
      },
      groupCount: components.count)
  }
}
