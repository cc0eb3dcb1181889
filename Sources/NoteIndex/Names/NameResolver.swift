import Notes
import Synchronization

/// Finds the notes of a catalogue that names mean.
///
/// Nothing is worked out before a name is asked for. The first few look-ups go over the keys of all names as they are
/// stored and make only the notes that may have the name; then a table of all names is made and kept. Of a kind with few
/// records the table is made at once. Safe for several threads.
final class NameResolver: Sendable {
  /// The look-ups without a table: the table costs as much as some dozens of them.
  private static let scansBeforeTable = 8
  /// A note costs about as much in a table as this many in a scan.
  private static let scannedForTabled = 16

  let entries: Entries
  private let executor: ParallelExecutor?
  private let facts: EntryFacts
  private let scans = Atomic<Int>(0)
  private let tables = Mutex<[Table: NameTable]>([:])
  private let idTable = Lazy<IDTable>()

  /// Which names a table has: of the records of a kind, or of all notes.
  private struct Table: Hashable {
    let kind: String?
    let keys: RecordKeys
  }

  /// - Parameter executor: does the work on several threads; nil does it on the calling one.
  init(_ entries: Entries, executor: ParallelExecutor? = nil) {
    self.entries = entries
    self.executor = executor
    facts = EntryFacts(entries)
  }

  /// The ids of all notes.
  var ids: IDTable { idTable.value { IDTable(entries) } }

  /// The places of the notes that a name means, ascending: one where it names one, several where it is ambiguous.
  ///
  /// - Parameter keys: the fields whose values are names of records.
  /// - Complexity: O(n) for the first few names, O(log n) for more of them where they fit.
  func places(named name: [UInt8], _ rule: NameRule, _ keys: RecordKeys) -> [Int] {
    guard !name.isEmpty else { return [] }
    let matches = NameMatches(name, in: names(for: name, rule, keys))
    return rule.decide { way in
      // A whole path, as rows print it, is not the name of a file in another folder.
      if way == .fileName,
        matches.places(.path, isStepwise: false).contains(where: { entries.path(at: $0) == name })
      {
        return []
      }
      let places =
        way.use == nil ? scanned(way, name, rule) : matches.places(way, isStepwise: rule.isStepwise)
      return places.filter { isWanted($0, rule) }
    }
  }

  private func isWanted(_ place: Int, _ rule: NameRule) -> Bool {
    guard let kind = rule.kind else { return true }
    return (facts.kind(at: place) ?? entries[place].kind).isSameName(as: kind)
  }

  /// The places of the notes of the kind that a rule wants.
  func places(of rule: NameRule) -> [Int] { entries.indices.filter { isWanted($0, rule) } }

  /// A table with all notes that may have a name and are of the kind that a rule wants.
  private func names(for name: [UInt8], _ rule: NameRule, _ keys: RecordKeys) -> NameTable {
    let key = Table(kind: rule.kind?.lowercased(), keys: keys)
    let isFirst = scans.add(1, ordering: .relaxed).oldValue < Self.scansBeforeTable
    let known = tables.withLock { tables -> NameTable? in
      if let known = tables[key] { return known }
      let places = rule.kind == nil ? nil : places(of: rule)
      if isFirst, (places?.count ?? entries.count) > entries.count / Self.scannedForTabled { return nil }
      let made = table(among: places, keys)
      tables[key] = made
      return made
    }
    return known ?? table(among: candidates(for: name, keys), keys)
  }

  private func table(among places: [Int]?, _ keys: RecordKeys) -> NameTable {
    NameTable(entries, among: places, uses: Set(NameUse.allCases), keys: keys, executor: executor)
  }

  /// The places of the notes that may have a name, by the keys of their names; no note is made for it.
  func candidates(for name: [UInt8], _ keys: RecordKeys) -> [Int] {
    let wanted = LinkKeySet([LinkKey(name)].compactMap { $0 })
    if keys.isEmpty, let known = entries.knownPlaces(.names, haveKeyIn: wanted, executor) { return known }
    let words = keys.isEmpty ? nil : FrontMatterFilter([String(decoding: name, as: UTF8.self)])
    return entries.places(executor) { [entries] place in
      entries.names(at: place, haveKeyIn: wanted)
        || LinkKey.slugKeys(ofPath: entries.path(at: place)).contains(where: wanted.contains)
        || words.map { entries.mayHold($0, at: place) } ?? false
    }
  }
}
