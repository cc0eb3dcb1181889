import Bytes
package import Notes

/// The notes of a catalogue in its order; those of a snapshot are made when they are asked for.
package struct Entries: RandomAccessCollection, Sendable {
  /// All in one object: each found note holds on to it.
  private final class Parts: Sendable {
    let stored: (any StoredEntries)?
    let storedCount: Int
    let recent: [Entry]
    let order: [UInt32]?

    init(_ stored: (any StoredEntries)?, _ recent: [Entry], _ order: [UInt32]?) {
      self.stored = stored
      storedCount = stored?.count ?? 0
      self.recent = recent
      self.order = order
    }
  }

  private let parts: Parts

  /// The entries of a snapshot, in the catalogue's order.
  var stored: (any StoredEntries)? { parts.stored }
  var storedCount: Int { parts.storedCount }
  /// Entries that are in no snapshot, in the catalogue's order.
  private var recent: [Entry] { parts.recent }
  /// For each place the number of a stored entry, or behind their count that of a recent one; nil where they are in
  /// order as they are: all stored ones, then all recent ones.
  var order: [UInt32]? { parts.order }

  package let startIndex = 0
  package let endIndex: Int

  /// Makes entries in the catalogue's order of entries in any order.
  ///
  /// - Complexity: O(n log n), O(n) where they are in order already.
  package init(_ entries: [Entry]) {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { !$0.1.precedes($0.0) }
    parts = Parts(nil, isSorted ? entries : Self.sorted(entries), nil)
    endIndex = entries.count
  }

  /// Puts recent entries among those of a snapshot.
  ///
  /// - Parameter hidden: the numbers of stored entries that are left out.
  /// - Complexity: O(1) where nothing is recent or hidden, else O(n) without making a note.
  init(_ stored: any StoredEntries, hiding hidden: Set<Int>, adding entries: [Entry]) {
    let recent = Self.sorted(entries)
    let isWhole = hidden.isEmpty && recent.isEmpty
    let order = isWhole ? nil : Self.merged(stored, hidden, recent)
    parts = Parts(stored, recent, order)
    endIndex = order?.count ?? stored.count
  }

  package subscript(place: Int) -> Entry {
    let number = order.map { Int($0[place]) } ?? place
    guard let stored, number < storedCount else { return recent[number - storedCount] }
    return stored.entry(number)
  }

  /// The key that orders an entry, without making its note.
  package func key(at place: Int) -> EntryKey {
    let number = order.map { Int($0[place]) } ?? place
    guard let stored, number < storedCount else { return EntryKey(recent[number - storedCount]) }
    return stored.key(number)
  }

  /// When the note of an entry was made, without making it.
  package func created(at place: Int) -> Timestamp {
    let number = order.map { Int($0[place]) } ?? place
    guard let stored, number < storedCount else { return recent[number - storedCount].created }
    return stored.created(number)
  }

  /// The path of an entry, without making its note.
  package func path(at place: Int) -> [UInt8] {
    let number = order.map { Int($0[place]) } ?? place
    guard let stored, number < storedCount else { return recent[number - storedCount].note.path }
    return stored.path(number)
  }

  /// The key of the name of an entry's file.
  func fileNameKey(at place: Int) -> LinkKey? {
    guard let stored, let number = storedNumber(at: place) else { return LinkKey(path(at: place)) }
    return stored.fileNameKey(number)
  }

  /// The text index of the stored entries; nil where there is none.
  var storedTexts: StoredTexts? { stored?.texts }

  /// The facts of the stored entries, by their numbers; nil where there are none.
  var facts: StoredFacts? { stored?.facts }

  /// The order of the titles of the stored entries; nil where it is not kept.
  func titleOrder(_ executor: ParallelExecutor?) -> TitleOrder? {
    stored.flatMap { $0.fields.titles($0, executor) }
  }

  /// Has the values of fields and the order of the titles of the stored entries kept from now on, for those who ask often.
  package func keepFields() { stored?.fields.keep() }

  /// The values of a field of the stored entries; nil where they are not kept.
  func column(of name: String, _ facts: StoredFacts, _ executor: ParallelExecutor?) -> FieldColumn? {
    stored.flatMap { $0.fields.column(of: name, $0, facts, executor) }
  }

  /// Whether the facts of a stored entry say what kind it counts as.
  func hasOwnKind(_ number: Int, _ facts: StoredFacts) -> Bool { stored?.hasOwnKind(number, facts) ?? false }

  /// Says that what is stored was found to be damaged.
  func reportDamage() { stored?.reportDamage() }

  /// The places of the entries that are in no snapshot.
  var recentPlaces: [Int] {
    if stored == nil { return Array(indices) }
    guard let order else { return [] }
    return order.indices.filter { Int(order[$0]) >= storedCount }
  }

  /// The number of an entry among the stored ones; nil for one that is in no snapshot.
  package func storedNumber(at place: Int) -> Int? {
    let number = order.map { Int($0[place]) } ?? place
    return stored != nil && number < storedCount ? number : nil
  }

  /// The stored summary of a note, in place; nil for one that is in no file, and where it can't be read.
  func record(at place: Int) -> UnsafeRawBufferPointer? {
    guard let number = storedNumber(at: place) else { return nil }
    return stored?.record(number)
  }

  /// The names of the note at a place, which is not made where they are stored.
  package func names(at place: Int) -> NamesOfNote {
    guard let stored, let number = storedNumber(at: place) else { return NamesOfNote(self[place].note) }
    return stored.names(number)
  }

  private static func merged(_ stored: any StoredEntries, _ hidden: Set<Int>, _ recent: [Entry]) -> [UInt32] {
    var order: [UInt32] = []
    order.reserveCapacity(stored.count + recent.count)
    var start = 0
    let append = { (range: Range<Int>) in
      for number in range where hidden.isEmpty || !hidden.contains(number) { order.append(UInt32(number)) }
    }
    for (index, entry) in recent.enumerated() {
      let end = stored.firstNumber(after: entry, from: start)
      append(start..<end)
      order.append(UInt32(stored.count + index))
      start = end
    }
    append(start..<stored.count)
    return order
  }

  /// Sorts places by keys, for entries are costly to move and to look into.
  private static func sorted(_ entries: [Entry]) -> [Entry] {
    let keys = entries.map { EntryKey($0) }
    let places = entries.indices.sorted { left, right in
      if keys[left].precedes(keys[right]) { return true }
      if keys[right].precedes(keys[left]) { return false }
      let (path, other) = (entries[left].note.path, entries[right].note.path)
      return path == other ? left < right : path.lexicographicallyPrecedes(other)
    }
    return places.map { entries[$0] }
  }
}
