import NoteIndex
import Notes
import Text

/// Records of a file that depend on themselves by way of others: none of them can be finished first.
struct ImportRings {
  private let lookup: RecordLookup
  private let known: Entries
  /// The records of the file as they are to be written.
  private let entries: [Entry?]
  /// The places of records of the file by their ids.
  private let rows: [String: Int]

  init(
    _ records: ImportedRecords, _ texts: [NoteText?], _ lookup: RecordLookup, _ known: Entries, now: Timestamp
  ) {
    self.lookup = lookup
    self.known = known
    entries = zip(records.rows, texts).map { row, text in
      text.map {
        Entry(note: Note(path: row.existing?.note.path ?? [], text: $0), created: now, kind: row.kind)
      }
    }
    rows = Dictionary(
      records.rows.indices.compactMap { index in records.rows[index].id.map { ($0.description, index) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The titles of the records of each ring, from one of the file on.
  ///
  /// - Complexity: O(n) in the references that block.
  var titles: [[String]] {
    var done: Set<Int> = []
    return entries.indices.compactMap { start in
      guard entries[start] != nil, let ring = ring(from: start, &done) else { return nil }
      return ring.map { Visible.escape(note($0).title) }
    }
  }

  /// A ring that a record leads to, of records that no earlier search has seen.
  private func ring(from start: Int, _ done: inout Set<Int>) -> [Int]? {
    guard done.insert(start).inserted else { return nil }
    var way = [start]
    var rest = [targets(of: start)]
    while !way.isEmpty {
      guard let next = rest[rest.count - 1].popLast() else {
        way.removeLast()
        rest.removeLast()
        continue
      }
      if let first = way.firstIndex(of: next) { return Array(way[first...]) }
      guard done.insert(next).inserted else { continue }
      way.append(next)
      rest.append(targets(of: next))
    }
    return nil
  }

  /// What a record depends on: records of the file by their places there, those of the box by places behind them.
  private func targets(of place: Int) -> [Int] {
    guard let entry = place < entries.count ? entries[place] : known[place - entries.count]
    else { return [] }
    var found: [Int] = []
    for field in lookup.schema.kind(named: entry.kind)?.blockingFields ?? [] {
      for name in field.storedValue(in: entry.note)?.names ?? [] {
        if let row = rows[name] {
          found.append(row)
        } else if let target = field.target {
          found += lookup.places(of: target, stored: name).prefix(1).map(ofBox)
        }
      }
    }
    return found.reversed()
  }

  /// The place of a record of the box: that in the file where it stands there too.
  private func ofBox(_ place: Int) -> Int {
    known.key(at: place).id.flatMap { rows[$0.description] } ?? entries.count + place
  }

  private func note(_ place: Int) -> Note {
    place < entries.count
      ? entries[place]?.note ?? Note(path: [], text: NoteText([])) : known[place - entries.count].note
  }
}

extension ImportPlanning {
  /// How many rings are named.
  private static let mostRings = 5

  /// Says which records depend on each other in a ring.
  mutating func nameRings(_ rings: ImportRings) {
    let titles = rings.titles
    for ring in titles.prefix(Self.mostRings) {
      let names = (ring + ring.prefix(1)).joined(separator: ", which depends on ")
      result.remarks.append("dependency cycle: \(names)")
    }
    if titles.count > Self.mostRings {
      result.remarks.append(
        "\(titles.count - Self.mostRings) more dependency cycles; slip doctor lists them")
    }
  }
}
