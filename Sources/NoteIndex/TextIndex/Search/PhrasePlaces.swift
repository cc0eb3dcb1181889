import Bytes

/// Counts the occurrences of a phrase in a document, none over another.
struct PhraseCount {
  private let length: UInt32
  private var next: UInt32 = 0
  private(set) var counts = FieldCounts()

  init(length: Int) { self.length = UInt32(clamping: length) }

  var isEmpty: Bool { counts.isEmpty }

  /// Counts an occurrence by the place of its last word; the places ascend.
  @inline(__always)
  mutating func add(_ place: UInt32) {
    guard place >= next else { return }
    let field = WordPlace.field(of: place)
    if field == 0 { counts.body &+= 1 } else { addOther(field) }
    next = place &+ length
  }

  private mutating func addOther(_ field: UInt32) {
    if let field = TextField(rawValue: UInt8(truncatingIfNeeded: field)) { counts.add(1, in: field) }
  }
}

/// The places of a phrase that may be followed by one of several words.
final class PhrasePlaces {
  /// Set in a place that a word follows; no field has a number that high.
  private static let mark: UInt32 = 1 << 31

  private let documentCount: Int
  private var documents: [UInt32] = []
  /// For each document of the index where its places begin, and where the last ones end.
  private let starts: UnsafeMutablePointer<UInt32>
  private var startCount = 0
  private let places = PlaceList()

  init(documentCount: Int) {
    self.documentCount = documentCount
    starts = .allocate(capacity: documentCount + 1)
  }

  deinit { starts.deallocate() }

  /// Adds the places of a document, which comes after those before.
  func add(_ document: UInt32, _ found: PlaceList) {
    guard found.count > 0 else { return }
    documents.append(document)
    endDocuments(before: Int(document) + 1)
    for place in found.contents { places.append(place) }
  }

  /// Says that documents which have not begun yet begin with the next place.
  private func endDocuments(before end: Int) {
    while startCount < end {
      starts[startCount] = UInt32(places.count)
      startCount += 1
    }
  }

  /// Marks the places that one of some terms follows, when all documents are there.
  func mark(_ terms: [TermEntry], _ pages: IndexPages) throws(DamagedBytes) {
    endDocuments(before: documentCount + 1)
    let block = PostingBlock()
    // Where the documents are many, nearly all blocks have to be read in any case.
    let isDense = documents.count > documentCount / 16
    for term in terms {
      let cursor = try PostingCursor(pages, term, block)
      if isDense { try mark(all: cursor) } else { try mark(some: cursor) }
    }
  }

  private func mark(all cursor: PostingCursor) throws(DamagedBytes) {
    while cursor.document != PostingCursor.none {
      let document = Int(cursor.document)
      if starts[document] < starts[document + 1] { mark(try cursor.places(), in: document) }
      try cursor.advance()
    }
  }

  private func mark(some cursor: PostingCursor) throws(DamagedBytes) {
    var index = 0
    while index < documents.count {
      try cursor.advance(to: documents[index])
      guard cursor.document != PostingCursor.none else { return }
      if cursor.document == documents[index] {
        mark(try cursor.places(), in: Int(cursor.document))
        index += 1
      } else {
        index = DocumentLists.first(from: cursor.document, in: documents, after: index)
      }
    }
  }

  /// Marks the places of a document after which others stand.
  @inline(__always)
  private func mark(_ others: UnsafeBufferPointer<UInt32>, in document: Int) {
    let end = Int(starts[document &+ 1])
    let places = places.contents
    for other in others {
      var (low, high) = (Int(starts[document]), end)
      while low < high {
        let middle = (low &+ high) / 2
        if places[middle] & ~Self.mark < other &- 1 { low = middle &+ 1 } else { high = middle }
      }
      if low < end, places[low] & ~Self.mark == other &- 1 { places[low] |= Self.mark }
    }
  }

  /// The documents with places that are marked.
  ///
  /// - Parameter length: how many words the phrase has with the one that follows.
  func hits(length: Int) -> [TextHit] {
    var hits: [TextHit] = []
    let places = places.contents
    for document in documents {
      var counting = PhraseCount(length: length)
      for index in Int(starts[Int(document)])..<Int(starts[Int(document) + 1])
      where places[index] & Self.mark != 0 {
        counting.add(places[index] & ~Self.mark)
      }
      if !counting.isEmpty { hits.append(TextHit(document: document, counts: counting.counts)) }
    }
    return hits
  }
}
