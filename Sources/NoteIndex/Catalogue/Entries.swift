package import Notes
import Text

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
  private var stored: (any StoredEntries)? { parts.stored }
  private var storedCount: Int { parts.storedCount }
  /// Entries that are in no snapshot, in the catalogue's order.
  private var recent: [Entry] { parts.recent }
  /// For each place the number of a stored entry, or behind their count that of a recent one; nil where they are in
  /// order as they are: all stored ones, then all recent ones.
  private var order: [UInt32]? { parts.order }

  package let startIndex = 0
  package let endIndex: Int

  /// Makes entries in the catalogue's order of entries in any order.
  ///
  /// - Complexity: O(n log n), O(n) where they are in order already.
  init(_ entries: [Entry]) {
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

  /// What places an entry in the catalogue, without making its note.
  package func key(at place: Int) -> EntryKey {
    let number = order.map { Int($0[place]) } ?? place
    guard let stored, number < storedCount else { return EntryKey(recent[number - storedCount]) }
    return stored.key(number)
  }

  /// The path of an entry, without making its note.
  package func path(at place: Int) -> [UInt8] {
    let number = order.map { Int($0[place]) } ?? place
    guard let stored, number < storedCount else { return recent[number - storedCount].note.path }
    return stored.path(number)
  }

  /// The text index of the stored entries; nil where there is none.
  var storedTexts: StoredTexts? { stored?.texts }

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

  /// What is stored of a note, in place; nil for one that is in no snapshot, and where it can't be read.
  func record(at place: Int) -> UnsafeRawBufferPointer? {
    guard let number = storedNumber(at: place) else { return nil }
    return stored?.record(number)
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

  /// Sorts places, for entries are costly to move.
  private static func sorted(_ entries: [Entry]) -> [Entry] {
    let places = entries.indices.sorted { left, right in
      if entries[left].precedes(entries[right]) { return true }
      return left < right && !entries[right].precedes(entries[left])
    }
    return places.map { entries[$0] }
  }
}

/// Entries in the catalogue's order that are made when they are asked for.
package protocol StoredEntries: AnyObject, Sendable {
  var count: Int { get }
  func entry(_ number: Int) -> Entry
  func key(_ number: Int) -> EntryKey
  func path(_ number: Int) -> [UInt8]
  /// The index of the words of all notes; nil where there is none.
  var texts: StoredTexts? { get }
  /// Sees to it that what is stored is made anew, because it was found to be damaged.
  func reportDamage()
  /// What is stored of a note, in place; nil where it can't be read.
  func record(_ number: Int) -> UnsafeRawBufferPointer?
}

extension Entries {
  /// Whether what is stored of a note may hold one of some words, without making the note.
  ///
  /// - Complexity: O(n) in the length of the front-matter.
  package func mayHold(_ words: HeadWords, at place: Int) -> Bool {
    guard let number = storedNumber(at: place), let record = stored?.record(number) else { return true }
    return words.mayStand(in: record)
  }
}

/// Words that what is stored of a note is looked through for before the note is made.
package struct HeadWords: Sendable {
  private let searches: [ByteSearch]

  package init(_ words: [String]) {
    // Behind a backslash any letter may hide.
    // What has only letters of ASCII has those of a folded name.
    searches = (words + ["\\"]).map { ByteSearch(Folding.fold(Array($0.utf8)[...])) }
  }

  /// Whether one of them may stand in the front-matter or the tags of a record.
  fileprivate func mayStand(in record: UnsafeRawBufferPointer) -> Bool {
    var mayStand = false
    let isSound = NoteRecord.forEachName(in: record) { bytes in
      // Letters beyond ASCII are folded in many ways.
      mayStand = searches.contains { $0.first(in: bytes) != nil } || !ASCII.isAll(bytes)
      return !mayStand
    }
    return mayStand || !isSound
  }
}

extension StoredEntries {
  /// The number of the first entry from a number on that does not stand before another one.
  ///
  /// - Complexity: O(log n).
  fileprivate func firstNumber(after entry: Entry, from start: Int) -> Int {
    let own = EntryKey(entry)
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      let other = key(middle)
      let isBefore =
        other.precedes(own) || !own.precedes(other) && path(middle).lexicographicallyPrecedes(entry.note.path)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// What an entry's place in the catalogue follows from, but for its path.
package struct EntryKey: Sendable, Equatable {
  package let created: Timestamp
  package let id: NoteID?

  package init(created: Timestamp, id: NoteID?) {
    self.created = created
    self.id = id
  }

  init(_ entry: Entry) { self.init(created: entry.created, id: entry.note.id) }

  /// Whether an entry stands before another one, whatever their paths are: newest first, then by id.
  ///
  /// Notes without an id come after those with one.
  package func precedes(_ other: EntryKey) -> Bool {
    if created.seconds != other.created.seconds { return created.seconds > other.created.seconds }
    guard id != other.id, let id else { return false }
    return other.id.map { id < $0 } ?? true
  }
}
