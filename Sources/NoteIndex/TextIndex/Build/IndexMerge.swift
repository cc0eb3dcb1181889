import Bytes

/// Puts the postings of several indexes together, term by term.
struct IndexMerge {
  private let sources: [RenumberedIndex]
  private let gathered = GatheredPostings()

  init(_ sources: [RenumberedIndex]) { self.sources = sources }

  /// Returns the part of the new index from one term on and before another.
  func stretch(from start: [UInt8], before end: [UInt8]?) throws(DamagedBytes) -> IndexPart {
    let stretch = IndexPart()
    var terms: [MergedTerms] = []
    for source in sources { terms.append(try MergedTerms(source, from: start, before: end)) }
    while let term = Self.least(terms) {
      for source in terms where source.term == term {
        try gathered.add(source.entry, of: source.source)
        try source.advance()
      }
      gathered.write(term, to: stretch)
    }
    return stretch
  }

  private static func least(_ sources: [MergedTerms]) -> [UInt8]? {
    var least: [UInt8]?
    for source in sources {
      guard let term = source.term else { continue }
      if let other = least, !term.lexicographicallyPrecedes(other) { continue }
      least = term
    }
    return least
  }
}

/// Goes through the terms of an index from one on and before another.
private final class MergedTerms {
  let source: RenumberedIndex
  private let reader: DictionaryReader?
  private let end: [UInt8]?
  /// The term that it is at; nil after the last one.
  private(set) var term: [UInt8]?

  init(_ source: RenumberedIndex, from start: [UInt8], before end: [UInt8]?) throws(DamagedBytes) {
    self.source = source
    self.end = end
    reader = try source.index.dictionary.reader(from: start)
    try advance()
    while let term, term.lexicographicallyPrecedes(start) { try advance() }
  }

  /// The dictionary's entry of the term.
  var entry: TermEntry { reader?.entry ?? TermEntry(documentCount: 0, postings: 0..<0) }

  func advance() throws(DamagedBytes) {
    term = nil
    guard let reader, try reader.next() else { return }
    let next = Array(reader.letters)
    if let end, !next.lexicographicallyPrecedes(end) { return }
    term = next
  }
}

/// The documents of one term from several indexes, under their new numbers.
private final class GatheredPostings {
  private struct Document {
    let number: UInt32
    let places: Range<Int>
  }

  private var documents: [Document] = []
  private let places = PlaceList()
  private let block = PostingBlock()

  /// Adds what an index has of the term.
  func add(_ entry: TermEntry, of source: RenumberedIndex) throws(DamagedBytes) {
    let cursor = try PostingCursor(source.index.pages, entry, block)
    while cursor.document != PostingCursor.none {
      let number = source.numbers[Int(cursor.document)]
      if number != RenumberedIndex.leftOut {
        let start = places.count
        places.append(try cursor.places())
        documents.append(Document(number: number, places: start..<places.count))
      }
      try cursor.advance()
    }
  }

  /// Writes all documents, if there are any, and forgets them.
  func write(_ term: [UInt8], to stretch: IndexPart) {
    defer {
      documents.removeAll(keepingCapacity: true)
      places.removeAll()
    }
    guard !documents.isEmpty else { return }
    if !zip(documents, documents.dropFirst()).allSatisfy({ $0.number < $1.number }) {
      documents.sort { $0.number < $1.number }
    }
    stretch.postings.begin(documentCount: documents.count)
    for document in documents {
      stretch.postings.add(
        document.number, UnsafeMutableBufferPointer(rebasing: places.contents[document.places]))
    }
    let size = stretch.postings.end()
    term.withUnsafeBufferPointer { letters in
      guard let start = letters.baseAddress else { return }
      let word = ScannedWord(start, count: letters.count)
      stretch.dictionary.add(word, documentCount: documents.count, postingsSize: size)
    }
  }
}
