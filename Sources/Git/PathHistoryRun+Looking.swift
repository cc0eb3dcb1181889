extension PathHistoryRun {
  /// The oldest commit of the chain that a commit is in.
  /// - Complexity: O(log n).
  func start(ofChainWith number: Int) throws(PathHistoryFailure) -> PathHistoryRows.Start {
    let place = try lowerBound(layout.starts, step: 8, layout.counts.starts, number + 1) - 1
    guard place >= 0 else { throw .damaged }
    return try start(place)
  }

  func start(_ place: Int) throws(PathHistoryFailure) -> PathHistoryRows.Start {
    let parent = try pages.little32(at: layout.starts + place * 8 + 4)
    return PathHistoryRows.Start(
      number: try pages.little32(at: layout.starts + place * 8), parent: parent == Self.none ? nil : parent)
  }

  /// The parents of a commit after the first.
  func others(of number: Int) throws(PathHistoryFailure) -> [UInt32] {
    let place = try lowerBound(layout.merges, step: 8, layout.counts.merges, number)
    guard place < layout.counts.merges else { return [] }
    let merge = try merge(place)
    return Int(merge.number) == number ? merge.others : []
  }

  func merge(_ place: Int) throws(PathHistoryFailure) -> PathHistoryRows.Merge {
    let row = layout.merges + place * 8
    let from = place == 0 ? 0 : Int(try pages.little32(at: row - 4))
    let to = Int(try pages.little32(at: row + 4))
    guard from <= to, to <= layout.counts.others else { throw .damaged }
    return PathHistoryRows.Merge(
      number: try pages.little32(at: row), others: try numbers(layout.others + from * 4, count: to - from))
  }

  /// Commits that could not be compared with their first parents.
  func unknown() throws(PathHistoryFailure) -> [UInt32] {
    try numbers(layout.unknown, count: layout.counts.unknown)
  }

  /// The first of some ascending numbers that is not below another.
  private func lowerBound(
    _ offset: Int, step: Int, _ count: Int, _ wanted: Int
  ) throws(PathHistoryFailure) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Int(try pages.little32(at: offset + middle * step)) < wanted {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func numbers(_ offset: Int, count: Int) throws(PathHistoryFailure) -> [UInt32] {
    let bytes = try pages[offset..<(offset + count * 4)]
    return (0..<count).map { bytes.little32(at: $0 * 4) }
  }
}

extension PathHistoryRun {
  /// The places of the paths that are the given one or begin with it and a slash.
  /// - Complexity: O(log n).
  func places(of path: [UInt8]) throws(PathHistoryFailure) -> [Int] {
    var result: [Int] = []
    let own = try lowerBound(path)
    if own < layout.counts.paths, try self.path(own).elementsEqual(path) { result.append(own) }
    // What is below a folder stands together, but not right after it: "a", "a b", "a/b".
    let next = try lowerBound(path + [UInt8(ascii: "/") + 1])
    result.append(contentsOf: try lowerBound(path + [UInt8(ascii: "/")])..<next)
    return result
  }

  private func lowerBound(_ path: [UInt8]) throws(PathHistoryFailure) -> Int {
    var low = 0
    var high = layout.counts.paths
    while low < high {
      let middle = (low + high) / 2
      let found = try self.path(middle)
      if path.withUnsafeBytes({ Bytes.compare(found, $0) }) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func path(_ place: Int) throws(PathHistoryFailure) -> UnsafeRawBufferPointer {
    try pages[part(place, 0, layout.names, room: layout.counts.nameBytes)]
  }

  /// The commits that differ from their first parents in a path, ascending.
  func posting(_ place: Int) throws(PathHistoryFailure) -> [UInt32] {
    let bytes = try pages[part(place, 4, layout.postings, room: layout.counts.postingBytes)]
    var result: [UInt32] = []
    var number = first
    var distance = 0
    var shift = 0
    for byte in bytes {
      guard shift < 35 else { throw .damaged }
      distance |= Int(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      number += distance
      guard number < end else { throw .damaged }
      result.append(UInt32(number))
      (distance, shift) = (0, 0)
    }
    return result
  }

  /// Where the name or the posting of a path lies.
  private func part(
    _ place: Int, _ column: Int, _ offset: Int, room: Int
  ) throws(PathHistoryFailure) -> Range<Int> {
    let row = layout.paths + place * 8 + column
    let from = place == 0 ? 0 : Int(try pages.little32(at: row - 8))
    let to = Int(try pages.little32(at: row))
    guard from <= to, to <= room else { throw .damaged }
    return (offset + from)..<(offset + to)
  }
}
