import Bytes

/// Finds words that follow one another in one text.
struct PhraseSearch {
  private let pages: IndexPages
  /// The postings of the words that must occur whole, in the order of the words.
  private let words: [PostingCursor]
  /// The same, the rarest first.
  private let rarest: [PostingCursor]
  private let scope: TextScope
  private let mask: DocumentMask

  /// - Parameter words: one or more.
  init(
    _ pages: IndexPages, _ words: [TermEntry], in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) {
    var cursors: [PostingCursor] = []
    for word in words { cursors.append(try PostingCursor(pages, word)) }
    self.pages = pages
    self.words = cursors
    rarest = cursors.sorted { $0.documentCount < $1.documentCount }
    self.scope = scope
    self.mask = mask
  }

  /// Returns the documents that have the phrase.
  ///
  /// - Complexity: O(n · log(m / n)) blocks read for n documents of the rarest word and m of the others.
  func hits() throws(DamagedBytes) -> [TextHit] {
    var hits: [TextHit] = []
    let places = PlaceList()
    while let document = try nextDocument() {
      try findLastPlaces(places)
      var counting = PhraseCount(length: words.count)
      for place in places.contents { counting.add(place) }
      if !counting.isEmpty { hits.append(TextHit(document: document, counts: counting.counts)) }
      try rarest[0].advance()
    }
    return hits
  }

  /// Returns the documents in which the phrase is followed by one of some terms.
  func hits(followedBy terms: [TermEntry]) throws(DamagedBytes) -> [TextHit] {
    let found = PhrasePlaces(documentCount: pages.layout.documentCount)
    let places = PlaceList()
    while let document = try nextDocument() {
      try findLastPlaces(places)
      found.add(document, places)
      try rarest[0].advance()
    }
    try found.mark(terms, pages)
    return found.hits(length: words.count + 1)
  }

  /// Goes to the next document, or stays at one, that has all words and is not masked.
  private func nextDocument() throws(DamagedBytes) -> UInt32? {
    let first = rarest[0]
    search: while first.document != PostingCursor.none {
      let document = first.document
      if mask.contains(document) {
        try first.advance()
        continue
      }
      for index in 1..<rarest.count {
        let other = try rarest[index].advance(to: document)
        if other != document {
          if other == PostingCursor.none { return nil }
          try first.advance(to: other)
          continue search
        }
      }
      return document
    }
    return nil
  }

  /// Finds the places of the last words of all occurrences in the document, in the fields of the scope.
  private func findLastPlaces(_ places: PlaceList) throws(DamagedBytes) {
    places.removeAll()
    let first = try words[0].places()
    places.reserve(first.count)
    if scope == .anywhere {
      places.append(first)
    } else {
      for place in first where isInScope(place) { places.append(place) }
    }
    for index in 1..<words.count where places.count > 0 {
      places.keep(Self.follow(places.contents, try words[index].places()))
    }
  }

  private func isInScope(_ place: UInt32) -> Bool {
    scope.rawValue >> UInt8(truncatingIfNeeded: WordPlace.field(of: place)) & 1 != 0
  }

  /// Replaces the places that are followed by one of the others with that other place; returns their number.
  private static func follow(
    _ places: UnsafeMutableBufferPointer<UInt32>, _ others: UnsafeBufferPointer<UInt32>
  ) -> Int {
    var (kept, index, next) = (0, 0, 0)
    // Both steps without a branch, for neither can be foretold.
    while index < places.count, next < others.count {
      let (place, other) = (places[index] &+ 1, others[next])
      if place == other {
        places[kept] = other
        kept &+= 1
      }
      index &+= place <= other ? 1 : 0
      next &+= other <= place ? 1 : 0
    }
    return kept
  }
}

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
  /// For each document of the index the start of its places, and the end of the last ones.
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

  /// Sets the next place as the start of the documents that have not begun yet.
  private func endDocuments(before end: Int) {
    while startCount < end {
      starts[startCount] = UInt32(places.count)
      startCount += 1
    }
  }

  /// Marks the places that one of some terms follows, after all documents have been added.
  func mark(_ terms: [TermEntry], _ pages: IndexPages) throws(DamagedBytes) {
    endDocuments(before: documentCount + 1)
    let block = PostingBlock()
    // If the documents are many, nearly all blocks must be read in any case.
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

  /// Marks the places of a document that precede one of the others.
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

  /// Returns the documents with marked places.
  ///
  /// - Parameter length: the number of words of the phrase, including the one that follows.
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
