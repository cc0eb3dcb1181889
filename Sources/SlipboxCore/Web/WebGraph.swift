package import NoteIndex
import Notes

/// Notes and the connections between them, as a graph.
package struct WebGraph: Sendable {
  /// The connections of one type from one note to another.
  package struct Edge: Sendable, Hashable {
    /// The numbers of the two notes.
    package let source: Int
    package let target: Int
    /// The field that contains them; nil for links of the body.
    package let field: String?
    /// The number of connections.
    package var count: Int
  }

  package let entries: Entries
  /// The places of the notes in the catalogue, ascending; edges use their indices here.
  package let places: [Int]
  /// The edges, in the order of their sources, then of their targets.
  package let edges: [Edge]

  /// Returns the graph with only those edges whose notes, by their places, and field are included.
  package func filtered(
    _ isIncluded: (_ source: Int, _ target: Int, _ field: String?) -> Bool
  ) -> WebGraph {
    WebGraph(
      entries: entries, places: places,
      edges: edges.filter { isIncluded(places[$0.source], places[$0.target], $0.field) })
  }

  /// Returns for each note the numbers of those that it is connected to, and of those that are connected to it.
  package func neighbours() -> [(to: [Int], from: [Int])] {
    var neighbours = [(to: [Int], from: [Int])](repeating: ([], []), count: places.count)
    for edge in edges {
      if neighbours[edge.source].to.last != edge.target { neighbours[edge.source].to.append(edge.target) }
      if neighbours[edge.target].from.last != edge.source { neighbours[edge.target].from.append(edge.source) }
    }
    return neighbours
  }

  /// Returns the connected components: the notes by their numbers, the largest group first.
  ///
  /// - Complexity: O(n) in the notes and the connections.
  package func components() -> [[Int]] {
    let neighbours = neighbours()
    var isSeen = [Bool](repeating: false, count: places.count)
    var components: [[Int]] = []
    for start in places.indices where !isSeen[start] {
      isSeen[start] = true
      var component = [start]
      var next = 0
      while next < component.count {
        let number = component[next]
        next += 1
        for other in neighbours[number].to + neighbours[number].from where !isSeen[other] {
          isSeen[other] = true
          component.append(other)
        }
      }
      components.append(component)
    }
    return components.enumerated().sorted {
      $0.element.count == $1.element.count ? $0.offset < $1.offset : $0.element.count > $1.element.count
    }.map(\.element)
  }
}

extension NoteWeb {
  /// Returns the graph of some notes, and of those within a number of steps from them.
  ///
  /// - Parameters:
  ///   - notes: the places to begin at; nil for all notes.
  ///   - depth: the maximum number of steps to a note, in either direction.
  /// - Complexity: O(n) in all links.
  package func graph(of notes: [Int]?, depth: Int = 0) -> WebGraph {
    let pairs = allPairs()
    let places = notes.map { reached(from: $0, depth, pairs) } ?? Array(entries.indices)
    var numbers = [Int](repeating: -1, count: entries.count)
    for (number, place) in places.enumerated() { numbers[place] = number }
    var edges: [WebGraph.Edge] = []
    for pair in pairs where numbers[pair.source] >= 0 && numbers[pair.target] >= 0 {
      let (source, target) = (numbers[pair.source], numbers[pair.target])
      if let last = edges.last, last.source == source, last.target == target, last.field == pair.field {
        edges[edges.count - 1].count += 1
      } else {
        edges.append(WebGraph.Edge(source: source, target: target, field: pair.field, count: 1))
      }
    }
    return WebGraph(entries: entries, places: places, edges: edges)
  }

  /// A connection from one note to another, by their places.
  private struct Pair {
    let source: Int
    let target: Int
    let field: String?
  }

  /// Returns all connections between notes, ordered by their sources, targets and fields.
  private func allPairs() -> [Pair] {
    pairs().sorted {
      if $0.source != $1.source { return $0.source < $1.source }
      if $0.target != $1.target { return $0.target < $1.target }
      return ($0.field ?? "") < ($1.field ?? "")
    }
  }

  /// Returns all connections between notes, unordered.
  private func pairs() -> [Pair] {
    var pairs: [Pair] = []
    for reference in table.connections(of: entries, executor: Processors.all) {
      guard let target = reference.place else { continue }
      pairs.append(Pair(source: reference.source, target: target, field: reference.field))
    }
    for (place, targets) in graph.targets() { pairs += self.pairs(from: place, to: targets) }
    return pairs
  }

  /// Returns the links of one note; the value of a reference field is included already.
  private func pairs(from place: Int, to targets: [LinkedPlace]) -> [Pair] {
    guard targets.contains(where: { $0.fieldOffset != nil }) else {
      return targets.map { Pair(source: place, target: $0.place, field: nil) }
    }
    let note = entries[place].note
    return targets.compactMap { target in
      guard let offset = target.fieldOffset else {
        return Pair(source: place, target: target.place, field: nil)
      }
      let field = note.field(at: offset)
      return isReference(field, of: place) ? nil : Pair(source: place, target: target.place, field: field)
    }
  }

  /// Returns the places within a number of steps from some, ascending.
  private func reached(from start: [Int], _ depth: Int, _ pairs: [Pair]) -> [Int] {
    var isReached = [Bool](repeating: false, count: entries.count)
    for place in start { isReached[place] = true }
    if depth > 0 {
      var neighbours: [Int: [Int]] = [:]
      for pair in pairs {
        neighbours[pair.source, default: []].append(pair.target)
        neighbours[pair.target, default: []].append(pair.source)
      }
      var border = start
      for _ in 0..<depth where !border.isEmpty {
        border = border.flatMap { neighbours[$0] ?? [] }.filter { place in
          defer { isReached[place] = true }
          return !isReached[place]
        }
      }
    }
    return isReached.indices.filter { isReached[$0] }
  }

  /// Returns whether another note links or refers to each note, by their places.
  ///
  /// - Complexity: O(n) in all links.
  package func areLinked() -> [Bool] {
    var areLinked = [Bool](repeating: false, count: entries.count)
    for pair in pairs() { areLinked[pair.target] = true }
    return areLinked
  }
}

/// The size and the shape of a graph in numbers.
package struct WebSummary: Sendable {
  /// A note with a number, by its place in the catalogue.
  package struct Ranked: Sendable {
    package let place: Int
    package let count: Int
  }

  /// The maximum number of notes, and of groups, that are named.
  fileprivate static let named = 10

  package let notes: Int
  package let links: Int
  /// The number of connections of each field, by its name.
  package let fields: [(name: String, count: Int)]
  package let orphans: Int
  package let broken: Int
  package let ambiguous: Int
  /// The notes to which most others are connected, in descending order.
  package let mostLinked: [Ranked]
  /// The largest connected components, each with its most linked note and its size.
  package let groups: [Ranked]
  /// The number of groups; a note without connections is a group by itself.
  package let groupCount: Int
}

extension NoteWeb {
  /// Returns a graph in numbers; broken and ambiguous links are those of its notes.
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
