import Notes

/// The ids of a catalogue in alphabetical order.
struct IDTable: Sendable {
  /// The ids, each with the place of its entry; of equal ones, the newest entry first.
  private let ids: [(id: NoteID, place: Int)]

  init(_ entries: Entries) {
    var ids: [(id: NoteID, place: Int)] = []
    ids.reserveCapacity(entries.count)
    for place in entries.indices {
      if let id = entries.key(at: place).id { ids.append((id, place)) }
    }
    self.ids = ids.sorted { ($0.id, $0.place) < ($1.id, $1.place) }
  }

  /// Returns the place of the newest entry with an id.
  func place(of id: NoteID) -> Int? {
    let index = firstIndex { $0 < id }
    return index < ids.count && ids[index].id == id ? ids[index].place : nil
  }

  /// Returns the places of all entries whose ids begin so, in the order of the ids.
  func places(beginning prefix: [UInt8]) -> [Int] {
    let start = firstIndex { $0.bytes.lexicographicallyPrecedes(prefix) }
    return ids[start...].prefix { $0.id.bytes.starts(with: prefix) }.map(\.place)
  }

  /// Returns how many letters tell an id from all others, two at least.
  func shortestPrefix(of id: NoteID) -> Int {
    let start = firstIndex { $0 < id }
    let end = firstIndex { $0 <= id }
    var shared = 1
    if start > 0 { shared = max(shared, Self.sharedLetters(id, ids[start - 1].id)) }
    if end < ids.count { shared = max(shared, Self.sharedLetters(id, ids[end].id)) }
    return min(shared + 1, NoteID.length)
  }

  /// All ids that differ, for suggestions.
  var all: [NoteID] { ids.map(\.id) }

  private static func sharedLetters(_ left: NoteID, _ right: NoteID) -> Int {
    zip(left.bytes, right.bytes).prefix { $0 == $1 }.count
  }

  /// The first index whose id does not fulfil a condition that only the smaller ones fulfil.
  private func firstIndex(after isBefore: (NoteID) -> Bool) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(ids[middle].id) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
