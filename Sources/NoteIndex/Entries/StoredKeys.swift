import Notes
import Synchronization

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
      let slug = LinkKey.slugKeys(ofPath: stored.path(number))
      guard let keys else { return stored.entry(number).note.nameKeys + slug }
      return keys.ofNames + [stored.fileNameKey(number)].compactMap { $0 } + slug
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
