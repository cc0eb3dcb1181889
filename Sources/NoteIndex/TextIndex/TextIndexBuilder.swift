package import Notes
import Synchronization

/// Takes in the words of documents, for one index together with the builders of other threads.
///
/// Used by one thread at a time.
package final class TextIndexBuilder {
  private let scanner = WordScanner()
  private let intake = WordIntake()

  package init() {}

  /// Starts a document, which comes after all that the builder has had.
  package func begin(_ document: Int) {
    precondition(
      document >= intake.nextDocument && document < IndexLayout.mostDocuments, "documents come in order")
    intake.begin(UInt32(document))
  }

  /// Adds one text of the document, through which no phrase reaches into another.
  ///
  /// - Complexity: O(n).
  package func add(_ text: UnsafeRawBufferPointer, to field: TextField) {
    intake.beginText(of: field)
    var receiver = intake
    scanner.scan(text, &receiver)
    intake.endText()
  }

  /// Adds one text of the document.
  package func add(_ text: ArraySlice<UInt8>, to field: TextField) {
    text.withUnsafeBytes { add($0, to: field) }
  }

  /// Adds one text of the document.
  package func add(_ text: String, to field: TextField) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0), to: field) }
  }

  /// The number after the last document.
  var nextDocument: Int { intake.nextDocument }

  /// The terms with all their postings.
  var table: TermTable {
    intake.empty()
    return intake.table
  }

  var lengths: [DocumentLengths] { intake.lengths }
}

extension TextIndexBuilder {
  private static let aliasFields = ["aliases", "alias"]

  /// Adds all searchable texts of a note to the document that was begun last.
  package func add(_ note: Note) {
    add(note.title, to: .title)
    note.forEachFieldText { field, text in
      // The title counts already, but for a list of titles.
      if field.name.isSameName(as: "title"), case .text = field.value, note.hasOwnTitle { return true }
      add(text, to: Self.kind(of: field.name, note))
      return true
    }
    add(note.bodyBytes, to: .body)
    if let bytes = note.unreadFrontMatter { add(bytes, to: .other) }
  }

  fileprivate static func kind(of name: String, _ note: Note) -> TextField {
    if aliasFields.contains(where: name.hasSameBytes) { return .alias }
    return note.tagsField.map(name.hasSameBytes) ?? false ? .tag : .other
  }
}

extension TextPattern {
  /// Returns the number of occurrences of the pattern in each field of a note, as an index counts them; zero for fields
  /// without any.
  func counts(in note: Note, _ scope: TextScope) -> FieldCounts {
    var counts = FieldCounts()
    let add = { (text: ArraySlice<UInt8>, field: TextField) in
      if scope.contains(TextScope(field)) { counts.add(count(in: text), in: field) }
    }
    add(Array(note.title.utf8)[...], .title)
    note.forEachFieldText { field, text in
      if field.name.isSameName(as: "title"), case .text = field.value, note.hasOwnTitle { return true }
      add(Array(text.utf8)[...], TextIndexBuilder.kind(of: field.name, note))
      return true
    }
    if scope.contains(.body) { add(note.bodyBytes, .body) }
    if let bytes = note.unreadFrontMatter { add(bytes, .other) }
    return counts
  }
}

/// Puts the words that a scanner finds into the table.
///
/// Words wait until some are together, for the memory where their terms are is then fetched for all at once.
final class WordIntake: WordReceiver {
  let table = TermTable()
  private(set) var lengths: [DocumentLengths] = []
  private var document: UInt32 = 0
  /// The place of the next word.
  private var place: UInt32 = 0
  private var lastPlace: UInt32 = 0
  private var field = TextField.body
  /// The place of the next word of each field.
  private var places = [UInt32](repeating: 0, count: TextField.count)
  /// Words that have no place for there are too many.
  private var excess: UInt32 = 0
  private let waiting = WaitingWords()

  var nextDocument: Int { lengths.last.map { Int($0.document) + 1 } ?? 0 }

  func begin(_ document: UInt32) {
    empty()
    self.document = document
    lengths.append(DocumentLengths(document: document))
    for index in places.indices { places[index] = UInt32(index) << WordPlace.fieldShift + 1 }
  }

  func beginText(of field: TextField) {
    self.field = field
    place = places[Int(field.rawValue)]
    lastPlace = UInt32(field.rawValue) << WordPlace.fieldShift + WordPlace.highestNumber
    excess = 0
  }

  @inline(__always)
  func receive(_ word: ScannedWord) {
    guard place < lastPlace else {
      excess &+= 1
      return
    }
    let hash = word.hash
    if word.count <= 16 {
      if waiting.isFull { empty() }
      waiting.append(word, hash, place)
    } else {
      // Another step: a new term may move all others.
      let term = table.term(word, hash)
      table.terms[term].add(place, in: document)
    }
    place &+= 1
  }

  func receive(sign: ScannedWord) {
    let term = table.term(sign, sign.hash)
    if !table.terms[term].isIn(document) { table.terms[term].add(1, in: document) }
  }

  /// Adds the waiting words to their terms.
  @inline(never)
  func empty() { waiting.empty(into: table, document) }

  func endText() {
    guard !lengths.isEmpty else { return }
    let words = place - places[Int(field.rawValue)] + excess
    // One number is skipped between two texts.
    places[Int(field.rawValue)] = min(place + 1, lastPlace)
    switch field {
    case .title: lengths[lengths.count - 1].title += words
    case .body: lengths[lengths.count - 1].body += words
    case .alias, .tag, .other: break
    }
  }
}

/// Words of one document, of at most 16 bytes, that are to be added to their terms.
final class WaitingWords {
  private struct Word {
    let low: UInt64
    let high: UInt64
    let hash: UInt64
    let place: UInt32
    let count: Int32
    var slot: UInt64 = 0
    var term = 0

    @inline(__always)
    var scanned: ScannedWord { ScannedWord(low: low, high: high, count: Int(count)) }
  }

  private static let most = 64

  private let words: UnsafeMutablePointer<Word>
  private var count = 0

  init() { words = .allocate(capacity: Self.most) }

  deinit { words.deallocate() }

  var isFull: Bool {
    @inline(__always)
    get { count == Self.most }
  }

  @inline(__always)
  func append(_ word: ScannedWord, _ hash: UInt64, _ place: UInt32) {
    words[count] = Word(
      low: word.low, high: word.high, hash: hash, place: place, count: Int32(truncatingIfNeeded: word.count))
    count &+= 1
  }

  /// Adds all words to their terms in three passes; each pass prefetches memory for the next one.
  func empty(into table: TermTable, _ document: UInt32) {
    for index in 0..<count { words[index].slot = table.firstSlot(words[index].hash) }
    for index in 0..<count {
      let word = words + index
      word.pointee.term = table.shortTerm(word.pointee.slot, word.pointee.scanned, word.pointee.hash)
    }
    for index in 0..<count {
      let word = words + index
      var term = word.pointee.term
      if term < 0 { term = table.term(word.pointee.scanned, word.pointee.hash) }
      table.terms[term].add(word.pointee.place, in: document)
    }
    count = 0
  }
}

/// The builders of the threads that make one index together.
package final class TextIndexBuilders: Sendable {
  private struct Idle: @unchecked Sendable {
    /// Each is used by the thread that took it out, and by no other before it is back.
    var builders: [TextIndexBuilder] = []
    /// Builders that are used by one thread at a time each, as the caller sees to.
    var lanes: [TextIndexBuilder] = []
  }

  private let idle = Mutex(Idle())

  /// - Parameter lanes: the number of builders for `fill(lane:)`.
  package init(lanes: Int = 0) {
    let builders = Idle(lanes: (0..<lanes).map { _ in TextIndexBuilder() })
    idle.withLock { $0 = builders }
  }

  /// Lends the builder of a lane, which the caller uses on one thread at a time and with ascending documents.
  ///
  /// A few builders take less memory than one for each thread that reads.
  package func fill(lane: Int, _ body: (TextIndexBuilder) -> Void) {
    let lent = idle.withLock { Idle(lanes: [$0.lanes[lane]]) }
    body(lent.lanes[0])
  }

  /// Lends a builder for a run of documents, of which the first is given.
  ///
  /// Runs may be filled on many threads at once. There are about as many builders as threads if runs are
  /// begun in about their order.
  package func fill(from document: Int, _ body: (TextIndexBuilder) -> Void) {
    let known = idle.withLock { idle in
      let index = idle.builders.firstIndex { $0.nextDocument <= document }
      return index.map { Idle(builders: [idle.builders.remove(at: $0)]) }
    }
    let builder = known?.builders.first ?? TextIndexBuilder()
    body(builder)
    let filled = Idle(builders: [builder])
    idle.withLock { $0.builders += filled.builders }
  }

  /// Returns the bytes of an index of all documents, and clears the builders; they are not filled again.
  ///
  /// - Parameters:
  ///   - documents: the number of documents; those that were never begun have no words.
  ///   - executor: works on several threads; nil works on the calling thread.
  ///   - onRelease: called when much of the collected data has been freed, and when all of it has been freed.
  /// - Complexity: O(n) in the number of words, O(m log m) in that of different ones.
  package func index(
    documents: Int, executor: ParallelExecutor? = nil, onRelease: () -> Void = {}
  ) -> [UInt8] {
    var filled = idle.withLock { idle in
      defer { idle = Idle() }
      return Idle(builders: idle.builders + idle.lanes.filter { $0.nextDocument > 0 })
    }
    let lengths = filled.builders.flatMap(\.lengths)
    let last = lengths.reduce(0) { max($0, Int($1.document) + 1) }
    precondition(last <= documents, "no document beyond the last one")
    let stretches = Self.stretches(filled.builders.map(\.table), executor, onRelease)
    // The data of the builders is not needed beside the whole index.
    filled = Idle()
    onRelease()
    return IndexAssembly(stretches, lengths, documents: documents, executor: executor).bytes(
      onRelease: onRelease)
  }

  /// The number of parts that are encoded before the memory of their postings is freed.
  private static let partsAtOnce = 8

  private static func stretches(
    _ tables: [TermTable], _ executor: ParallelExecutor?, _ onRelease: () -> Void
  ) -> [IndexPart] {
    let parts = TermRanges(tables)
    nonisolated(unsafe) let tables = tables
    var stretches: [IndexPart] = []
    for start in stride(from: 0, to: parts.count, by: partsAtOnce) {
      let count = min(partsAtOnce, parts.count - start)
      stretches += ParallelChunks(count: count, executor: executor).mapEach { part in
        IndexPart(tables, terms: parts.terms(start + part))
      }
      onRelease()
    }
    return stretches
  }
}

/// Parts the terms of several tables at some terms, so that the postings of the parts are about as large.
struct TermRanges {
  /// The most parts: enough for an even distribution of the work.
  private static let most = 64
  /// Not worth another part.
  private static let leastSize = 1 << 17

  /// For each part and each table the numbers of its terms.
  private let numbers: [[ArraySlice<Int32>]]
  let count: Int

  init(_ tables: [TermTable]) {
    let bounds = Self.bounds(tables)
    count = bounds.count + 1
    numbers = tables.map { Self.parted($0, bounds) }
  }

  /// The numbers of the terms of a part, table by table.
  func terms(_ part: Int) -> [ArraySlice<Int32>] { numbers.map { $0[part] } }

  /// The first eight bytes of the terms with which the second part and those after it begin.
  private static func bounds(_ tables: [TermTable]) -> [UInt64] {
    var sizes: [(key: UInt64, size: Int)] = []
    var total = 0
    for table in tables {
      for number in 0..<table.count {
        let size = table.terms[number].postings.count
        total += size
        // A sample represents the terms with very few postings.
        if size >= 1 << 10 || number % 16 == 0 {
          sizes.append((table.terms[number].low.byteSwapped, size))
        }
      }
    }
    let parts = min(most, total / leastSize)
    guard parts > 1 else { return [] }
    sizes.sort { $0.key < $1.key }
    let share = sizes.reduce(0) { $0 + $1.size } / parts
    var bounds: [UInt64] = []
    var size = 0
    for entry in sizes {
      if size > share, bounds.last != entry.key {
        bounds.append(entry.key)
        size = 0
      }
      size += entry.size
    }
    return bounds
  }

  private static func parted(_ table: TermTable, _ bounds: [UInt64]) -> [ArraySlice<Int32>] {
    guard !bounds.isEmpty else { return [Array(0..<Int32(table.count))[...]] }
    let parts = (0..<table.count).map { part(of: table.terms[$0].low.byteSwapped, bounds) }
    var starts = [Int](repeating: 0, count: bounds.count + 2)
    for part in parts { starts[part + 1] += 1 }
    for part in starts.indices.dropFirst() { starts[part] += starts[part - 1] }
    var next = starts
    var numbers = [Int32](repeating: 0, count: table.count)
    for (number, part) in parts.enumerated() {
      numbers[next[part]] = Int32(number)
      next[part] += 1
    }
    return (0...bounds.count).map { numbers[starts[$0]..<starts[$0 + 1]] }
  }

  /// Returns the number of bounds that are not above a term.
  private static func part(of key: UInt64, _ bounds: [UInt64]) -> Int {
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
