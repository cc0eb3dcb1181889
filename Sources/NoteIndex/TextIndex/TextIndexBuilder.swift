package import Notes

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

  /// Adds all texts of a note in which words are looked for, to the document that was begun last.
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
  /// How often the pattern stands in each field of a note, as an index would have it; all zero where it does not.
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
    // A number is left out between two texts.
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

  /// Adds all words to their terms, in three rounds of which each asks for memory that the next one needs.
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
