import Bytes

/// The graph of commits with the paths that each changed: a sequence of segments.
///
/// With a commit it holds all that can be reached from there, up to the cut of a shallow clone. It may hold more, such as
/// the earlier commits of a rewritten branch. It stays right for every commit that is in it.
struct HistoryGraph: Sendable {
  /// At least one, the oldest first.
  let segments: [HistorySegment]

  /// The number after the last.
  var end: Int { segments.last?.end ?? 0 }

  /// Releases the memory of read pages, if segments are in a file.
  func unloadPages() { for segment in segments { segment.bytes.unloadPages() } }

  /// The place of the segment that a number belongs to.
  func place(of number: Int) -> Int { segments.lastIndex { $0.first <= number } ?? 0 }

  func segment(of number: Int) -> HistorySegment { segments[place(of: number)] }

  /// The number of a commit; nil if it is not known.
  /// - Complexity: O(log n).
  func number(of id: ObjectID) throws(HistoryFailure) -> Int? {
    for segment in segments.reversed() { if let number = try segment.number(of: id) { return number } }
    return nil
  }

  func commit(_ number: Int) throws(HistoryFailure) -> CommitRow { try segment(of: number).commit(number) }

  func id(_ number: Int) throws(HistoryFailure) -> ObjectID { try commit(number).id }

  /// The lowest date of some commits of one chain: that of the oldest, or of one whose parent claims to be younger.
  /// - Complexity: O(log n) where dates rise from parent to child.
  func oldest(_ range: ClosedRange<Int>) throws(HistoryFailure) -> Int64 {
    let segment = segment(of: range.lowerBound)
    var result = try segment.commit(range.lowerBound).committed
    var place = try segment.lowerBound(segment.inversions, range.lowerBound + 1)
    while place < segment.inversions.count {
      let number = Int(try segment[segment.inversions, place])
      if number > range.upperBound { break }
      result = min(result, try segment.commit(number).committed)
      place += 1
    }
    return result
  }

  /// The start of the chain of a commit, and the first parent of the start.
  func chain(of number: Int) throws(HistoryFailure) -> (start: Int, parent: Int?) {
    let segment = segment(of: number)
    let start = Int(try segment.commit(number).chainStart)
    guard start <= number else { throw .damaged }
    let parent = try segment.commit(start).parent
    return (start, parent == CommitRow.none ? nil : Int(parent))
  }

  /// The parents of a commit, as they are numbered.
  func parents(of number: Int) throws(HistoryFailure) -> [Int] {
    let segment = segment(of: number)
    let commit = try segment.commit(number)
    guard commit.parent != CommitRow.none else { return [] }
    let start = number == segment.first ? 0 : try segment.commit(number - 1).othersEnd
    guard start <= commit.othersEnd else { throw .damaged }
    var result = [Int(commit.parent)]
    for place in start..<commit.othersEnd { result.append(Int(try segment[segment.others, Int(place)])) }
    return result
  }

  /// The commits that differ from their first parents in some paths, ascending; those below a folder count as its own.
  func changes(of paths: [[UInt8]]) throws(HistoryFailure) -> [Int] {
    let slash = UInt8(ascii: "/")
    var result: Set<Int> = []
    for segment in segments {
      for path in paths {
        var ranges: [Range<Int>] = []
        if let rank = try segment.rank(of: path) { ranges.append(try segment.rows(ofPath: rank)) }
        // The paths below a folder are adjacent, but not right after it: "a", "a b", "a/b".
        let first = try segment.lowerBound(path + [slash])
        let end = try segment.lowerBound(path + [slash + 1])
        if first < end {
          let start = try segment.rows(ofPath: first).lowerBound
          let end = try segment.rows(ofPath: end - 1).upperBound
          guard start <= end else { throw .damaged }
          ranges.append(start..<end)
        }
        for row in ranges.joined() { result.insert(Int(try segment[segment.changes, row].commit)) }
      }
    }
    return result.sorted()
  }

  /// Commits that could not be compared with their parents, ascending.
  func unknown() throws(HistoryFailure) -> [Int] {
    var result: [Int] = []
    for segment in segments {
      for place in 0..<segment.unknown.count { result.append(Int(try segment[segment.unknown, place])) }
    }
    return result
  }

  /// For each segment the rows of a path; those of later segments are left out.
  func rows(of path: [UInt8], before limit: Int) throws(HistoryFailure) -> [Range<Int>] {
    var result = Array(repeating: 0..<0, count: segments.count)
    for place in 0..<limit {
      guard let rank = try segments[place].rank(of: path) else { continue }
      result[place] = try segments[place].rows(ofPath: rank)
    }
    return result
  }

  /// All commits that can be reached from one.
  func chains(from number: Int) throws(HistoryFailure) -> CommitChains<Int> {
    try CommitChains(from: number) { _ in
      false
    } parents: { number throws(HistoryFailure) in
      guard number < end else { throw .damaged }
      return try parents(of: number)
    }
  }

  /// The rows of all that can be reached from a commit, with new numbers; unreachable commits are left out.
  func rows(from number: Int) throws(HistoryFailure) -> HistoryRows {
    let chains = try chains(from: number)
    var commits: [CommitRow] = []
    commits.reserveCapacity(chains.keys.count)
    for key in chains.keys { commits.append(try commit(key)) }
    var rows = try HistoryRows(chains, commits, after: 0) { _ in nil }
    let last = rows.end - 1
    let renumbered: (Int) -> UInt32? = { chains.places[$0].map { UInt32(truncatingIfNeeded: last - $0) } }
    rows.unknown = try unknown().compactMap(renumbered).sorted()
    var parts: [HistoryChanges] = []
    for segment in segments { parts.append(try segment.changes(renumbered)) }
    rows.changes = HistoryChanges(joining: parts)
    return rows
  }
}

/// The commits reachable from a commit, and its line of first parents.
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

  /// The youngest commit on the line of first parents from one on that is not after a date; nil if there is none.
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
