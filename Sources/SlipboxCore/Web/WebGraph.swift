package import NoteIndex
import Notes

/// Notes and the connections between them, as a graph.
package struct WebGraph: Sendable {
  /// The connections of one sort from one note to another.
  package struct Edge: Sendable, Hashable {
    /// The numbers of the two notes.
    package let source: Int
    package let target: Int
    /// The field in which they stand; nil for links of the body.
    package let field: String?
    /// How many they are.
    package var count: Int
  }

  package let entries: Entries
  /// The places of the notes in the catalogue, ascending; edges speak of their numbers here.
  package let places: [Int]
  /// In the order of their sources, then of their targets.
  package let edges: [Edge]

  /// The graph with those edges alone whose notes, by their places, fit.
  package func filtered(_ isIncluded: (_ source: Int, _ target: Int) -> Bool) -> WebGraph {
    WebGraph(
      entries: entries, places: places,
      edges: edges.filter { isIncluded(places[$0.source], places[$0.target]) })
  }

  /// For each note the numbers of those that it is connected to, and of those that are connected to it.
  package func neighbours() -> [(to: [Int], from: [Int])] {
    var neighbours = [(to: [Int], from: [Int])](repeating: ([], []), count: places.count)
    for edge in edges {
      if neighbours[edge.source].to.last != edge.target { neighbours[edge.source].to.append(edge.target) }
      if neighbours[edge.target].from.last != edge.source { neighbours[edge.target].from.append(edge.source) }
    }
    return neighbours
  }

  /// The notes that hang together, by their numbers, the largest group first.
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
