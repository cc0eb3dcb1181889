import Synchronization

/// Finds notes by a name: by looking at all of them for the first few references, by a table for many.
///
/// The table costs as much as some dozens of looks at all notes; a command with one reference does without.
final class NameLookup: Sendable {
  private static let scansBeforeTable = 8

  private let scans = Atomic<Int>(0)
  private let table = Lazy<NameTable>()

  /// Returns the places of the notes that bear a name, ascending.
  ///
  /// A name as it stands goes before one that is the same only without case and diacritics.
  func places(named name: [UInt8], in entries: Entries) -> [Int] {
    guard scans.add(1, ordering: .relaxed).oldValue < Self.scansBeforeTable else {
      return table.value { NameTable(entries) }.places(named: name, in: entries)
    }
    return Self.scan(name, entries)
  }

  /// Looks at all notes.
  static func scan(_ name: [UInt8], _ entries: Entries) -> [Int] {
    let reference = ReferenceName(name)
    let exact = entries.indices.filter { reference.isExact(for: entries[$0].note) }
    return exact.isEmpty ? entries.indices.filter { reference.isFolded(for: entries[$0].note) } : exact
  }
}
