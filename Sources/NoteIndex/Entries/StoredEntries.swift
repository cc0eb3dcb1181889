import Bytes
package import Notes
import Text

/// The entries of a catalogue file, in its order, each made of its record at a request.
package final class StoredEntries: Sendable {
  private let snapshot: CatalogueFile
  private let pathOfFile: @Sendable (Int) -> [UInt8]
  private let keyOfFile: (@Sendable (Int) -> LinkKey?)?
  private let read: @Sendable (_ row: Int) throws(UnreadText) -> [UInt8]
  private let kind: @Sendable (Note, Timestamp) -> String
  private let mayMatchKinds: Bool
  private let onDamage: @Sendable () -> Void
  private let knownTexts = Computed<StoredTexts?, Never>()
  /// The keys of all names and links, once they are in tables.
  package let keys = StoredKeys()
  /// The field values, if caching is on.
  package let fields = StoredFields()

  /// - Parameters:
  ///   - pathOfFile: the path of a file by its row.
  ///   - keyOfFile: the key of its name, if it is available without the path.
  ///   - read: the bytes of a file by its row.
  ///   - kind: the kind of a note.
  ///   - mayMatchKinds: whether a note that names no kind may be of another kind than "note".
  ///   - onDamage: called if the snapshot is damaged.
  package init(
    _ snapshot: CatalogueFile, pathOfFile: @escaping @Sendable (Int) -> [UInt8],
    keyOfFile: (@Sendable (Int) -> LinkKey?)? = nil,
    read: @escaping @Sendable (_ row: Int) throws(UnreadText) -> [UInt8],
    kind: @escaping @Sendable (Note, Timestamp) -> String,
    mayMatchKinds: Bool = true, onDamage: @escaping @Sendable () -> Void = {}
  ) {
    self.snapshot = snapshot
    self.pathOfFile = pathOfFile
    self.keyOfFile = keyOfFile
    self.read = read
    self.kind = kind
    self.mayMatchKinds = mayMatchKinds
    self.onDamage = onDamage
  }

  package var count: Int { snapshot.documentCount }

  /// The index of the words of all notes; nil without one.
  package var texts: StoredTexts? {
    knownTexts.value {
      snapshot.texts.map { [snapshot] in StoredTexts($0) { snapshot.file(ofDocument: $0) } }
    }
  }

  package func key(_ number: Int) -> EntryKey { snapshot.key(ofDocument: number) }

  package func created(_ number: Int) -> Timestamp { snapshot.created(ofDocument: number) }

  package func path(_ number: Int) -> [UInt8] { pathOfFile(snapshot.file(ofDocument: number)) }

  /// The key of the name of a note's file.
  package func fileNameKey(_ number: Int) -> LinkKey? {
    keyOfFile.map { $0(snapshot.file(ofDocument: number)) } ?? LinkKey(path(number))
  }

  /// The facts of all notes in columns; nil if they can't be read.
  package var facts: StoredFacts? {
    if let facts = snapshot.facts { return facts }
    // The caller derives the same answers from the notes.
    onDamage()
    return nil
  }

  /// Whether a note counts as the kind that its facts name.
  package func hasOwnKind(_ number: Int, _ facts: StoredFacts) -> Bool {
    !mayMatchKinds || facts.flags(of: number).contains(.hasOwnKind)
  }

  /// Causes a rebuild of the file, because it was found to be damaged.
  package func reportDamage() { onDamage() }

  /// The stored summary of a note, in place; nil if it can't be read.
  @_lifetime(borrow self)
  func record(_ number: Int) -> RawSpan? {
    let snapshot = snapshot
    return _overrideLifetime(snapshot.record(ofDocument: number), borrowing: self)
  }

  /// The facts of a note, in place; nil if they can't be read.
  @_lifetime(borrow self)
  func storedFacts(_ number: Int) -> PackedFacts? {
    guard let record = record(number) else { return nil }
    return NoteSummary.facts(in: record)
  }

  /// The keys of a note's names and links, in place; nil if they can't be read.
  @_lifetime(borrow self)
  func storedKeys(_ number: Int) -> LinkKeys? {
    guard let record = record(number) else { return nil }
    return NoteSummary.linkKeys(in: record)
  }

  package func entry(_ number: Int) -> Entry {
    let row = snapshot.file(ofDocument: number)
    let path = pathOfFile(row)
    let source = TextSource { [read] () throws(UnreadText) in try read(row) }
    let created = snapshot.created(ofDocument: number)
    let own = snapshot.isUndated(number) ? nil : created
    // A damaged record is not a loss: the file itself is there.
    let note =
      snapshot.summary(ofDocument: number)?.note(at: path, created: own, text: source)
      ?? (try? read(row)).map { Note(path: path, text: NoteText($0)) }
      ?? NoteSummary.unknownNote(at: path, text: source)
    return Entry(note: note, created: created, kind: kind(note, created))
  }
}

extension StoredEntries {
  /// Returns the names of a note, without decoding the note if they are stored.
  func names(_ number: Int) -> NamesOfNote {
    storedFacts(number)?.names(at: path(number), id: key(number).id) ?? NamesOfNote(entry(number).note)
  }

  /// Returns the number of the first entry from a number on that does not precede another one.
  ///
  /// - Complexity: O(log n).
  func firstNumber(after entry: Entry, from start: Int) -> Int {
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

/// The text index of a snapshot.
package struct StoredTexts: Sendable {
  let index: TextIndex
  /// The document of a stored entry by its number.
  let document: @Sendable (Int) -> Int

  package init(_ index: TextIndex, document: @escaping @Sendable (Int) -> Int) {
    self.index = index
    self.document = document
  }
}

/// The facts of a catalogue's entries that are stored, and so known without making their notes.
package struct EntryFacts: Sendable {
  private let entries: Entries
  private let facts: StoredFacts?

  package init(_ entries: Entries) {
    self.entries = entries
    facts = entries.facts
  }

  /// Returns the kind of the note at a place; nil if only the note contains it.
  package func kind(at place: Int) -> String? {
    guard let facts else { return nil }
    return entries.kindNumber(at: place, facts).map { facts.kinds[$0] }
  }

  /// Returns the flags of the note at a place; nil if only the text contains them.
  package func flags(at place: Int) -> NoteFacts.Flags? {
    guard let facts, let number = entries.storedNumber(at: place), facts.kindNumber(of: number) != nil else {
      return nil
    }
    return facts.flags(of: number)
  }

  /// Returns the places of the entries of some kinds, ascending. Only entries whose facts lack the kind are decoded.
  ///
  /// - Complexity: O(n).
  package func places(ofKinds kinds: Set<String>, executor: ParallelExecutor?) -> [Int] {
    let areWanted = facts.map { $0.kinds.map(kinds.contains) } ?? []
    return entries.places(executor) { [entries, facts] place in
      if let facts, let kind = entries.kindNumber(at: place, facts) { return areWanted[kind] }
      return kinds.contains(entries[place].kind)
    }
  }
}

extension Entries {
  /// Applies a function to ranges of places, possibly on several threads, and joins the results in the order of the
  /// places.
  ///
  /// - Parameter length: the number of places in a range, if it is more than a share of the work.
  package func flatMapChunks<Result: Sendable, Failure: Error>(
    of length: Int? = nil, executor: ParallelExecutor?,
    _ transform: @escaping @Sendable (_ places: Range<Int>) throws(Failure) -> [Result]
  ) throws(Failure) -> [Result] {
    let chunks = ParallelChunks(count: count, executor: executor, length: length ?? ParallelChunks.length)
    return try chunks.map(transform).flatMap { $0 }
  }
}
extension Entries {
  /// Returns the number of the kind of the note at a place; nil if only the note contains the kind.
  func kindNumber(at place: Int, _ facts: StoredFacts) -> Int? {
    guard let number = storedNumber(at: place), let kind = facts.kindNumber(of: number),
      hasOwnKind(number, facts)
    else { return nil }
    return kind
  }
}

/// A test whether the front matter or a tag of a stored note may contain one of some words, without decoding the note.
package struct FrontMatterFilter: Sendable {
  private let searches: [ByteSearch]

  package init(_ words: [String]) {
    // A backslash may begin the escape of any letter. A name of ASCII letters alone has the letters of its
    // folded form.
    searches = (words + ["\\"]).map { ByteSearch(Folding.fold(Array($0.utf8)[...])) }
  }

  /// Whether one of the words may occur in a stored summary.
  fileprivate func mayStand(in summary: RawSpan) -> Bool {
    var mayStand = false
    let isSound = NoteSummary.forEachName(in: summary) { bytes in
      // Letters beyond ASCII are folded in many ways.
      mayStand = searches.contains { $0.first(in: bytes) != nil } || !ASCII.isAll(bytes)
      return !mayStand
    }
    return mayStand || !isSound
  }
}

extension Entries {
  /// Whether the stored summary of a note may contain one of some words, without decoding the note.
  ///
  /// - Complexity: O(n) in the length of the front matter.
  package func mayHold(_ words: FrontMatterFilter, at place: Int) -> Bool {
    guard let summary = record(at: place) else { return true }
    return words.mayStand(in: summary)
  }
}

/// The tags of all notes of a catalogue as numbers, so that they are counted without making notes.
package struct TagColumn: Sendable {
  /// The tags by their numbers, each once by its bytes; some may occur in no note of the catalogue.
  package let names: [String]
  private let entries: Entries
  private let facts: StoredFacts?
  /// The numbers of the tags of the notes that have no facts, by their places.
  private let others: [Int: [Int]]

  /// - Complexity: O(n) in the notes that are in no snapshot, which are few.
  package init(_ entries: Entries) {
    let facts = entries.facts
    var names = facts?.tags ?? []
    var numbers: [[UInt8]: Int] = [:]
    for (number, name) in names.enumerated() { numbers[Array(name.utf8)] = number }
    var others: [Int: [Int]] = [:]
    for place in entries.indices {
      if let facts, let number = entries.storedNumber(at: place), facts.kindNumber(of: number) != nil {
        continue
      }
      others[place] = entries[place].note.tags.map { tag in
        let bytes = Array(tag.utf8)
        if let known = numbers[bytes] { return known }
        numbers[bytes] = names.count
        names.append(tag)
        return names.count - 1
      }
    }
    self.entries = entries
    self.facts = facts
    self.names = names
    self.others = others
  }

  /// Calls the body with the numbers of the tags of a note, in their order, one after another.
  @inline(__always)
  package func forEachTag(at place: Int, _ body: (_ number: Int) -> Void) {
    if let facts, let number = entries.storedNumber(at: place), let tags = facts.tagNumbers(of: number) {
      for tag in tags { body(tag) }
    } else {
      for tag in others[place] ?? [] { body(tag) }
    }
  }

  /// Whether the note at a place has tags.
  package func hasTags(at place: Int) -> Bool {
    if let facts, let number = entries.storedNumber(at: place), let hasTags = facts.hasTags(number) {
      return hasTags
    }
    return others[place].map { !$0.isEmpty } ?? false
  }

  /// Sums up a value over all notes, in ranges on several threads.
  ///
  /// - Parameters:
  ///   - initial: the sum of no notes.
  ///   - add: adds the note at a place to the sum of its range.
  ///   - join: adds the sum of the next range, in the order of the notes.
  package func sum<Sum: Sendable>(
    _ initial: Sum, executor: ParallelExecutor?, _ add: @escaping @Sendable (inout Sum, _ place: Int) -> Void,
    _ join: (inout Sum, Sum) -> Void
  ) -> Sum {
    let count = entries.count
    let parts = max(1, min(32, count / 2_048))
    let sums = ParallelChunks(count: parts, executor: parts > 1 ? executor : nil).mapEach { part in
      var sum = initial
      for place in count * part / parts..<count * (part + 1) / parts { add(&sum, place) }
      return sum
    }
    var sum = initial
    for part in sums { join(&sum, part) }
    return sum
  }
}
