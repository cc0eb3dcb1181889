import Bytes
package import Notes

/// The notes of a catalogue in its order; those of a snapshot are decoded on access.
package struct Entries: RandomAccessCollection, Sendable {
  /// All in one object: each found note holds on to it.
  private final class Parts: Sendable {
    let stored: StoredEntries?
    let storedCount: Int
    let recent: [Entry]
    let order: [UInt32]?

    init(_ stored: StoredEntries?, _ recent: [Entry], _ order: [UInt32]?) {
      self.stored = stored
      storedCount = stored?.count ?? 0
      self.recent = recent
      self.order = order
    }
  }

  private let parts: Parts
  /// The choice of the note that a link means if it matches the names of several.
  package private(set) var sameNames: SameNameRule = .ambiguous

  /// The entries of a snapshot, in the catalogue's order.
  var stored: StoredEntries? { parts.stored }
  var storedCount: Int { parts.storedCount }
  /// Entries that are in no snapshot, in the catalogue's order.
  private var recent: [Entry] { parts.recent }
  /// For each place the number of a stored entry; numbers from the count of stored entries on mean recent entries.
  ///
  /// Nil if the entries are in order already: all stored ones, then all recent ones.
  var order: [UInt32]? { parts.order }

  package let startIndex = 0
  package let endIndex: Int

  /// Sorts entries into the order of the catalogue.
  ///
  /// - Complexity: O(n log n), or O(n) if they are in order already.
  package init(_ entries: [Entry]) {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { !$0.1.precedes($0.0) }
    parts = Parts(nil, isSorted ? entries : Self.sorted(entries), nil)
    endIndex = entries.count
  }

  /// Merges recent entries into those of a snapshot.
  ///
  /// - Parameter hidden: the numbers of stored entries to omit.
  /// - Complexity: O(1) if no entry is recent or hidden, else O(n) without decoding a note.
  init(_ stored: StoredEntries, hiding hidden: Set<Int>, adding entries: [Entry]) {
    let recent = Self.sorted(entries)
    let isWhole = hidden.isEmpty && recent.isEmpty
    let order = isWhole ? nil : Self.merged(stored, hidden, recent)
    parts = Parts(stored, recent, order)
    endIndex = order?.count ?? stored.count
  }

  /// Returns the same entries, whose links follow a rule.
  package func linked(by sameNames: SameNameRule) -> Entries {
    var entries = self
    entries.sameNames = sameNames
    return entries
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

  /// The text index of the stored entries; nil if the snapshot has no index.
  var storedTexts: StoredTexts? { stored?.texts }

  /// The facts of the stored entries, by their numbers; nil without stored entries.
  var facts: StoredFacts? { stored?.facts }

  /// Returns the order of the titles of the stored entries; nil if it is not cached.
  func titleOrder(_ executor: ParallelExecutor?) -> TitleOrder? {
    stored.flatMap { $0.fields.titles($0, executor) }
  }

  /// Starts caching the field values and the title order of the stored entries, for processes with many queries.
  package func keepFields() { stored?.fields.keep() }

  /// Returns the values of a field of the stored entries; nil if they are not cached.
  func column(of name: String, _ facts: StoredFacts, _ executor: ParallelExecutor?) -> FieldColumn? {
    stored.flatMap { $0.fields.column(of: name, $0, facts, executor) }
  }

  /// Whether the facts of a stored entry say what kind it counts as.
  func hasOwnKind(_ number: Int, _ facts: StoredFacts) -> Bool { stored?.hasOwnKind(number, facts) ?? false }

  /// Reports that the snapshot is damaged.
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

  /// Returns the stored summary of a note, in place; nil if the note is in no file, or its summary can't be read.
  @_lifetime(borrow self)
  func record(at place: Int) -> RawSpan? {
    guard let stored, let number = storedNumber(at: place) else { return nil }
    return _overrideLifetime(stored.record(number), borrowing: self)
  }

  /// The keys of the names and links of a note, in place, as far as its summary is stored.
  @_lifetime(borrow self)
  private func storedKeys(at place: Int) -> LinkKeys? {
    guard let record = record(at: place) else { return nil }
    return NoteSummary.linkKeys(in: record)
  }

  /// Returns the names of the note at a place, without decoding the note if they are stored.
  package func names(at place: Int) -> NamesOfNote {
    guard let stored, let number = storedNumber(at: place) else { return NamesOfNote(self[place].note) }
    return stored.names(number)
  }

  private static func merged(_ stored: StoredEntries, _ hidden: Set<Int>, _ recent: [Entry]) -> [UInt32] {
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

/// One note in the catalogue.
package struct Entry: Sendable {
  package let note: Note
  /// When the note was made: by the note itself, its history or its file.
  package let created: Timestamp
  /// The kind of the note: its own, or the one whose `match:` matches it.
  package let kind: String

  /// Puts a note into the catalogue's terms.
  ///
  /// - Parameter kind: nil for the note's own.
  package init(note: Note, created: Timestamp, kind: String? = nil) {
    self.note = note
    self.created = created
    self.kind = kind ?? note.kind
  }

  /// A note as an entry, for questions that depend on neither its date nor its kind.
  package init(undated note: Note) { self.init(note: note, created: Timestamp(seconds: 0, offsetSeconds: 0)) }

  /// The id of the note, else its path, which is not made safe for a terminal.
  package var name: String {
    note.id?.description ?? String(decoding: note.path, as: UTF8.self)
  }
}

extension Entry {
  /// Whether the entry precedes another one in the catalogue: newest first, then by id, then by path.
  func precedes(_ other: Entry) -> Bool {
    let (own, others) = (EntryKey(self), EntryKey(other))
    if own.precedes(others) { return true }
    return !others.precedes(own) && note.path.lexicographicallyPrecedes(other.note.path)
  }
}

extension EntryKey {
  init(_ entry: Entry) { self.init(created: entry.created, id: entry.note.id) }
}

extension Entries {
  /// Returns the places of the notes that have a name, or a link, with one of some keys, ascending. The result may
  /// contain notes whose names are alike only as slugs.
  ///
  /// - Complexity: O(n) for the first few queries of the stored entries, O(log n) a key for later ones.
  func places(_ use: StoredKeys.Use, haveKeyIn wanted: LinkKeySet, _ executor: ParallelExecutor?) -> [Int] {
    knownPlaces(use, haveKeyIn: wanted, executor) ?? places(executor) { has(use, at: $0, oneOf: wanted) }
  }

  /// Returns the same, with the notes that have a slug with one of the keys; nil if all notes must be read.
  func knownPlaces(
    _ use: StoredKeys.Use, haveKeyIn wanted: LinkKeySet, _ executor: ParallelExecutor?
  ) -> [Int]? {
    guard let stored, wanted.keys.count < storedCount / 64 + 1,
      let table = stored.keys.table(use, of: stored, executor)
    else { return nil }
    let known = table.numbers(having: wanted).compactMap(place(ofStored:))
    return (known + recentPlaces.filter { mayHave(use, at: $0, oneOf: wanted) }).sorted()
  }

  private func has(_ use: StoredKeys.Use, at place: Int, oneOf wanted: LinkKeySet) -> Bool {
    switch use {
    case .names: names(at: place, haveKeyIn: wanted)
    case .links: links(at: place, haveKeyIn: wanted)
    }
  }

  private func mayHave(_ use: StoredKeys.Use, at place: Int, oneOf wanted: LinkKeySet) -> Bool {
    if has(use, at: place, oneOf: wanted) { return true }
    return use == .names && LinkKey.slugKeys(ofPath: path(at: place)).contains(where: wanted.contains)
  }

  /// Returns the place of a stored entry by its number; nil if it is omitted.
  private func place(ofStored number: Int) -> Int? {
    guard let order else { return number }
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      // Recent entries are mixed with the stored ones; only the stored ones are in the order of their numbers.
      while probe < high, Int(order[probe]) >= storedCount { probe += 1 }
      if probe == high {
        high = middle
      } else if Int(order[probe]) == number {
        return probe
      } else if Int(order[probe]) < number {
        low = probe + 1
      } else {
        high = middle
      }
    }
    return nil
  }
}

extension Entries {
  /// Returns the links of the note at a place, without decoding the note if they are stored.
  package func links(at place: Int) -> [BodyScan.Link] {
    if let record = record(at: place), let links = NoteSummary.links(in: record) { return links }
    return self[place].note.links
  }

  /// Returns the check boxes of the note at a place and the tags of its text, without decoding the note if they are
  /// stored.
  package func boxes(at place: Int) -> (boxes: [CheckBoxFacts], inlineTags: [BodyScan.InlineTag]) {
    if let record = record(at: place), let stored = NoteSummary.boxes(in: record) { return stored }
    let note = self[place].note
    return (note.boxes, note.inlineTags)
  }

  /// Returns the tags of the note at a place, as `Note.tags` does, without decoding the note if they are stored.
  package func tags(at place: Int) -> [String] {
    if let record = record(at: place), let facts = NoteSummary.facts(in: record) {
      return PackedFacts.names(in: facts.tags)
    }
    return self[place].note.tags
  }

  /// Returns the kind of the note at a place, without decoding the note if its facts contain the kind.
  package func kind(at place: Int) -> String { EntryFacts(self).kind(at: place) ?? self[place].kind }

  /// Returns the start of the body of the note at a place, in bytes of the file.
  package func bodyStart(at place: Int) -> Int {
    if let record = record(at: place), let start = NoteSummary.bodyStart(in: record) { return start }
    return self[place].note.head.body.lowerBound
  }

  /// Whether the note at a place links to any note or file.
  package func mayLink(at place: Int) -> Bool {
    if let keys = storedKeys(at: place) { return !keys.areWithoutLinks }
    return !self[place].note.linkKeys.isEmpty
  }

  /// Whether the note at a place has a link with one of some keys.
  func links(at place: Int, haveKeyIn wanted: LinkKeySet) -> Bool {
    if let keys = storedKeys(at: place) { return keys.haveLink(in: wanted) }
    return self[place].note.linkKeys.contains(where: wanted.contains)
  }

  /// Whether the note at a place has a name with one of some keys.
  func names(at place: Int, haveKeyIn wanted: LinkKeySet) -> Bool {
    guard let keys = storedKeys(at: place) else {
      return self[place].note.nameKeys.contains(where: wanted.contains)
    }
    return keys.haveName(in: wanted) || fileNameKey(at: place).map(wanted.contains) ?? false
      || otherNameKeys(at: place).contains(where: wanted.contains)
  }

  private func otherNameKeys(at place: Int) -> [LinkKey] {
    LinkKey.pathsHaveOtherNames ? LinkKey.keys(ofOtherNamesOf: path(at: place)) : []
  }

  /// Returns the keys of the link targets of the note at a place.
  func linkKeys(at place: Int) -> [LinkKey] {
    storedKeys(at: place)?.ofLinks ?? self[place].note.linkKeys
  }

  /// The keys of the names of the note at a place.
  func nameKeys(at place: Int) -> [LinkKey] {
    guard let keys = storedKeys(at: place) else {
      return self[place].note.nameKeys
    }
    return keys.ofNames + [fileNameKey(at: place)].compactMap { $0 } + otherNameKeys(at: place)
  }

  /// The places that fulfil a condition, ascending.
  func places(_ executor: ParallelExecutor?, where isWanted: @escaping @Sendable (Int) -> Bool) -> [Int] {
    ParallelChunks(count: count, executor: executor).map { $0.filter(isWanted) }.flatMap { $0 }
  }
}

extension Entries {
  /// Returns the same entries without those at some places, and with others among them.
  ///
  /// - Complexity: O(n) without decoding a note.
  package func replacing(_ places: Set<Int>, with others: [Entry]) -> Entries {
    guard let stored else {
      return Entries(indices.filter { !places.contains($0) }.map { self[$0] } + others).linked(by: sameNames)
    }
    var hidden = Set(places.compactMap { storedNumber(at: $0) })
    if let order {
      var isThere = [Bool](repeating: false, count: storedCount)
      for number in order where Int(number) < storedCount { isThere[Int(number)] = true }
      hidden.formUnion(isThere.indices.filter { !isThere[$0] })
    }
    let recent = recentPlaces.filter { !places.contains($0) }.map { self[$0] }
    return Entries(stored, hiding: hidden, adding: recent + others).linked(by: sameNames)
  }
}
