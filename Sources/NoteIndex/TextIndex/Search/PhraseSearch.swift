import Bytes

/// Finds words that follow one another in one text.
struct PhraseSearch {
  private let pages: IndexPages
  /// Where the words stand that must be there whole, in their order.
  private let words: [PostingCursor]
  /// The same from the rarest on.
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

  /// Finds where the last words of all occurrences in the document stand, in the fields that count.
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

  /// Moves the places that others follow to the places of those; returns how many there are.
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
