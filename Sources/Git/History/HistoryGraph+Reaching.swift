/// What can be reached from a commit, and its line of first parents.
extension HistoryGraph {
  /// Which commits can be reached from one, by their numbers.
  /// - Complexity: linear in the commits.
  func reached(from tip: Int) throws(HistoryFailure) -> [Bool] {
    guard tip < end else { throw .damaged }
    var result = [Bool](repeating: false, count: end)
    var open = [tip]
    while let head = open.popLast() {
      var number = head
      while !result[number] {
        result[number] = true
        let parents = try parents(of: number)
        guard let first = parents.first else { break }
        guard parents.allSatisfy({ $0 < end }) else { throw .damaged }
        open.append(contentsOf: parents.dropFirst())
        number = first
      }
    }
    return result
  }

  /// The youngest commit on the line of first parents from one on that is not after a date; nil where there is none.
  /// - Complexity: O(log n) for each chain on the line, and for each commit there that claims to be younger than its child.
  func last(notAfter seconds: Int64, from tip: Int) throws(HistoryFailure) -> Int? {
    var number = tip
    for _ in 0...end {
      let chain = try chain(of: number)
      if let found = try last(notAfter: seconds, in: chain.start...number) { return found }
      guard let parent = chain.parent else { return nil }
      number = parent
    }
    throw .damaged
  }

  /// The chains, as far as they are followed, of the line of first parents from a commit on, the youngest first.
  func line(from tip: Int) throws(HistoryFailure) -> [ClosedRange<Int>] {
    var (number, result) = (tip, [ClosedRange<Int>]())
    for _ in 0...end {
      let chain = try chain(of: number)
      result.append(chain.start...number)
      guard let parent = chain.parent else { return result }
      number = parent
    }
    throw .damaged
  }

  /// The oldest commit on the line of first parents from one on.
  func first(from tip: Int) throws(HistoryFailure) -> Int {
    try line(from: tip).last?.lowerBound ?? tip
  }

  /// The youngest commit of a part of one chain that is not after a date.
  ///
  /// Between two inversions dates rise, so that each such run is searched by halves.
  private func last(notAfter seconds: Int64, in range: ClosedRange<Int>) throws(HistoryFailure) -> Int? {
    let segment = segment(of: range.upperBound)
    guard segment.first <= range.lowerBound else { throw .damaged }
    var (upper, place) = (range.upperBound, try segment.lowerBound(segment.inversions, range.upperBound + 1))
    while true {
      let inversion = place > 0 ? Int(try segment[segment.inversions, place - 1]) : range.lowerBound
      let lower = max(inversion, range.lowerBound)
      if try segment.commit(lower).committed <= seconds {
        var (low, high) = (lower, upper)
        while low < high {
          let middle = (low + high + 1) / 2
          if try segment.commit(middle).committed <= seconds { low = middle } else { high = middle - 1 }
        }
        return low
      }
      guard lower > range.lowerBound else { return nil }
      (upper, place) = (lower - 1, place - 1)
    }
  }
}
