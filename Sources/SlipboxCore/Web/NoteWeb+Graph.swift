import NoteIndex
import Notes

extension NoteWeb {
  /// The graph of some notes, and of those that are so many steps away from them.
  ///
  /// - Parameters:
  ///   - notes: the places to begin at; nil for all notes.
  ///   - depth: how many connections away a note may be, in either direction.
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

  /// All connections between notes, ordered by their sources, targets and fields.
  private func allPairs() -> [Pair] {
    pairs().sorted {
      if $0.source != $1.source { return $0.source < $1.source }
      if $0.target != $1.target { return $0.target < $1.target }
      return ($0.field ?? "") < ($1.field ?? "")
    }
  }

  /// All connections between notes, in no order.
  private func pairs() -> [Pair] {
    var pairs: [Pair] = []
    for reference in table.connections(of: entries, executor: BoxSnapshot.executor) {
      guard let target = reference.place else { continue }
      pairs.append(Pair(source: reference.source, target: target, field: reference.field))
    }
    for (place, targets) in graph.targets() { pairs += self.pairs(from: place, to: targets) }
    return pairs
  }

  /// The links of one note; the value of a reference field is there already.
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

  /// The places that are so many steps or fewer from some, ascending.
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

  /// Whether another note links or refers to each note, by their places.
  ///
  /// - Complexity: O(n) in all links.
  package func areLinked() -> [Bool] {
    var areLinked = [Bool](repeating: false, count: entries.count)
    for pair in pairs() { areLinked[pair.target] = true }
    return areLinked
  }
}
