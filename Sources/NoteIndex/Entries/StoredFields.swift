import Notes
import Synchronization
import Text

/// The values of fields of stored notes in columns and the order of their titles, where they are to be kept.
///
/// A command looks at a field once or twice and makes the notes that have it. What stays open asks with every letter, and
/// has them kept. Safe for several threads.
package final class StoredFields: Sendable {
  /// No more columns are kept than these.
  private static let most = 64

  private struct State {
    var isKept = false
    /// The columns by the bytes of their names; none for a field with too many values.
    var columns: [[UInt8]: FieldColumn?] = [:]
    var titles: TitleOrder?
  }

  private let state = Mutex(State())

  package init() {}

  /// Has what is asked for from now on kept.
  func keep() { state.withLock { $0.isKept = true } }

  /// The order of the titles of some stored notes, whose these are; nil where it is not kept.
  ///
  /// - Complexity: O(1), but for the first time O(n log n).
  func titles(_ stored: any StoredEntries, _ executor: ParallelExecutor?) -> TitleOrder? {
    state.withLock { state in
      guard state.isKept else { return nil }
      let order = state.titles ?? TitleOrder(stored, executor)
      state.titles = order
      return order
    }
  }

  /// The values of a field of some stored notes, whose fields these are; nil where they are not kept.
  ///
  /// - Complexity: O(1), but for the first time as `FieldColumn` has it.
  func column(
    of name: String, _ stored: any StoredEntries, _ facts: StoredFacts, _ executor: ParallelExecutor?
  ) -> FieldColumn? {
    state.withLock { state in
      guard state.isKept else { return nil }
      let key = Array(name.utf8)
      if let known = state.columns[key] { return known }
      guard state.columns.count < Self.most else { return nil }
      let column = FieldColumn(name, of: stored, facts, executor)
      state.columns[key] = .some(column)
      return column
    }
  }
}

/// Where the titles of stored notes stand among each other by their collation keys.
struct TitleOrder: Sendable {
  /// The place of each stored note's title among all different ones.
  private let ranks: [UInt32]
  /// A note with each of them, in their order.
  private let examples: [UInt32]

  /// - Complexity: O(n log n).
  init(_ stored: any StoredEntries, _ executor: ParallelExecutor?) {
    let keys = ParallelChunks(count: stored.count, executor: executor).map { stretch in
      stretch.map { Self.key(of: $0, in: stored) }
    }.flatMap { $0 }
    let order = keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    var ranks = [UInt32](repeating: 0, count: keys.count)
    var examples: [UInt32] = []
    for number in order {
      if examples.last.map({ keys[Int($0)] != keys[number] }) ?? true { examples.append(UInt32(number)) }
      ranks[number] = UInt32(examples.count - 1)
    }
    self.ranks = ranks
    self.examples = examples
  }

  /// A number by which the titles of stored notes compare.
  func rank(of number: Int) -> UInt64 { UInt64(ranks[number] + 1) << 32 }

  /// Numbers by which further titles compare with those of the stored notes and with each other.
  ///
  /// - Parameters:
  ///   - keys: their collation keys.
  ///   - stored: the notes whose order this is; it is not held, for they hold it.
  func ranks(of keys: [[UInt8]], among stored: any StoredEntries) -> [UInt64] {
    let different = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
    let places = Dictionary(uniqueKeysWithValues: zip(different, 1 as UInt64..<UInt64(different.count + 1)))
    return keys.map { key in
      let (before, isKnown) = position(of: key, among: stored)
      return isKnown ? UInt64(before + 1) << 32 : UInt64(before) << 32 | places[key, default: 0]
    }
  }

  /// How many stored titles stand before one, and whether it is one of them.
  private func position(of key: [UInt8], among stored: any StoredEntries) -> (before: Int, isKnown: Bool) {
    var (low, high) = (0, examples.count)
    while low < high {
      let middle = (low + high) / 2
      let other = Self.key(of: Int(examples[middle]), in: stored)
      if other == key { return (middle, true) }
      if other.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  private static func key(of number: Int, in stored: any StoredEntries) -> [UInt8] {
    Collation.key(stored.names(number).title)
  }
}

/// The keys of the names and of the links of stored notes, in tables once all notes have been looked at a few times.
///
/// A command looks a few times; what stays open, as an editor's server, asks with every letter. Safe for several threads.
package final class StoredKeys: Sendable {
  /// What keys are of.
  enum Use {
    case names, links
  }

  /// A table costs about as much as so many looks.
  private static let looksBeforeTable = 8

  private struct State {
    var looks: [Use: Int] = [:]
    var tables: [Use: KeyTable] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The table of some stored notes, whose keys these are; nil while it does not pay.
  func table(_ use: Use, of stored: any StoredEntries, _ executor: ParallelExecutor?) -> KeyTable? {
    state.withLock { state in
      if let known = state.tables[use] { return known }
      state.looks[use, default: 0] += 1
      guard state.looks[use, default: 0] > Self.looksBeforeTable else { return nil }
      let keys = ParallelChunks(count: stored.count, executor: executor).map { stretch in
        stretch.flatMap { number in Self.keys(use, of: number, in: stored).map { (key: $0, number: number) } }
      }
      let table = KeyTable(keys.flatMap { $0 })
      state.tables[use] = table
      return table
    }
  }

  private static func keys(_ use: Use, of number: Int, in stored: any StoredEntries) -> [LinkKey] {
    let keys = stored.record(number).flatMap(NoteSummary.linkKeys(in:))
    switch use {
    case .links: return keys?.ofLinks ?? stored.entry(number).note.linkKeys
    case .names:
      let path = stored.path(number)
      let slug = LinkKey.slugKeys(ofPath: path)
      guard let keys else { return stored.entry(number).note.nameKeys + slug }
      return keys.ofNames + [stored.fileNameKey(number)].compactMap { $0 }
        + LinkKey.keys(ofOtherNamesOf: path) + slug
    }
  }
}

/// Which stored notes have which keys, in the order of the keys.
struct KeyTable: Sendable {
  /// A key in the upper half, the number of a note in the lower one.
  private let rows: [UInt64]

  /// - Complexity: O(n log n).
  init(_ keys: [(key: LinkKey, number: Int)]) {
    rows = keys.map { UInt64($0.key.number) << 32 | UInt64(UInt32($0.number)) }.sorted()
  }

  /// The numbers of the notes that have one of some keys, each once.
  ///
  /// - Complexity: O(log n) a key.
  func numbers(having wanted: LinkKeySet) -> Set<Int> {
    var numbers: Set<Int> = []
    for key in wanted.keys {
      var row = firstRow(of: key)
      while row < rows.count, rows[row] >> 32 == UInt64(key.number) {
        numbers.insert(Int(rows[row] & 0xFFFF_FFFF))
        row += 1
      }
    }
    return numbers
  }

  private func firstRow(of key: LinkKey) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] >> 32 < UInt64(key.number) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
