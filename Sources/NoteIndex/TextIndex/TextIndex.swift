package import Bytes

/// An index of the words of documents, read in place.
///
/// A query decodes only the parts that it needs. The first read of a page verifies its checksum, and every number is
/// checked before use. Malicious bytes can therefore cause no more than an error.
package final class TextIndex: Sendable {
  let pages: IndexPages

  /// Opens an index.
  ///
  /// - Parameter bytes: at any address.
  /// - Throws: `DamagedBytes` if the bytes are not an index of this version, or its header is damaged.
  package init(_ bytes: ByteSlice) throws(DamagedBytes) { pages = try IndexPages(bytes) }

  /// The number of documents, including those without words.
  package var documentCount: Int { pages.layout.documentCount }

  /// The number of different words.
  package var termCount: Int { pages.layout.termCount }

  var dictionary: TermDictionary { TermDictionary(pages: pages) }

  /// Returns the numbers of words in the title and the body of a document.
  @inline(__always)
  func lengths(of document: UInt32) throws(DamagedBytes) -> DocumentLengths {
    guard Int(document) < documentCount else { throw DamagedBytes() }
    let offset = pages.lengths.lowerBound + 8 * Int(document)
    return DocumentLengths(document, in: try pages.bytes(offset..<offset + 8), at: 0)
  }

  /// The statistics for ranking, of all documents that are not masked.
  ///
  /// - Complexity: O(m) for m masked documents.
  func statistics(without mask: DocumentMask = DocumentMask()) throws(DamagedBytes) -> TextStatistics {
    var statistics = TextStatistics(
      documents: documentCount, titleWords: pages.layout.titleWords, bodyWords: pages.layout.bodyWords)
    for document in mask.documents {
      let lengths = try lengths(of: document)
      statistics.documents -= 1
      statistics.titleWords &-= UInt64(lengths.title)
      statistics.bodyWords &-= UInt64(lengths.body)
    }
    return statistics
  }
}

/// Counts of the documents of one index or several, which can be added.
struct TextStatistics: Sendable, Equatable {
  var documents = 0
  var titleWords: UInt64 = 0
  var bodyWords: UInt64 = 0

  static func + (left: TextStatistics, right: TextStatistics) -> TextStatistics {
    TextStatistics(
      documents: left.documents + right.documents, titleWords: left.titleWords &+ right.titleWords,
      bodyWords: left.bodyWords &+ right.bodyWords)
  }
}

/// The numbers of words in the title and the body of a document.
struct DocumentLengths: Sendable, Equatable {
  let document: UInt32
  var title: UInt32 = 0
  var body: UInt32 = 0

  init(document: UInt32, title: UInt32 = 0, body: UInt32 = 0) {
    self.document = document
    self.title = title
    self.body = body
  }

  /// Reads the lengths at an offset.
  @inline(__always)
  init(_ document: UInt32, in bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.document = document
    title = IndexLayout.word(bytes, offset)
    body = IndexLayout.word(bytes, offset &+ 4)
  }
}

/// The documents of an index that no longer count: they were deleted, or are in a newer index.
package struct DocumentMask: Sendable, Equatable {
  private var bits: [UInt64] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  @inline(__always)
  package func contains(_ document: UInt32) -> Bool {
    let word = Int(document >> 6)
    return word < bits.count && bits[word] >> UInt64(document & 63) & 1 != 0
  }

  package mutating func insert(_ document: UInt32) {
    let word = Int(document >> 6)
    while bits.count <= word { bits.append(0) }
    let bit: UInt64 = 1 << UInt64(document & 63)
    if bits[word] & bit == 0 { count += 1 }
    bits[word] |= bit
  }

  /// The documents, ascending.
  package var documents: [UInt32] {
    var documents: [UInt32] = []
    for (word, bits) in bits.enumerated() {
      var rest = bits
      while rest != 0 {
        documents.append(UInt32(word * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return documents
  }
}

/// A document with matches, and their number in each of its fields.
package struct TextHit: Sendable, Equatable {
  package let document: UInt32
  package var counts: FieldCounts

  package init(document: UInt32, counts: FieldCounts) {
    self.document = document
    self.counts = counts
  }
}

/// The number of occurrences in each field of a document; counts saturate at the maximum.
package struct FieldCounts: Sendable, Equatable {
  package var body: UInt32 = 0
  package var title: UInt16 = 0
  package var alias: UInt16 = 0
  package var tag: UInt16 = 0
  package var other: UInt16 = 0

  package init() {}

  /// Counts occurrences in the body alone.
  init(body: UInt32) { self.body = body }

  /// Adds a number of occurrences in a field.
  package mutating func add(_ count: Int, in field: TextField) {
    let more = UInt32(clamping: count)
    switch field {
    case .body: body = Self.sum(body, more)
    case .title: title = Self.sum(title, more)
    case .alias: alias = Self.sum(alias, more)
    case .tag: tag = Self.sum(tag, more)
    case .other: other = Self.sum(other, more)
    }
  }

  @inline(__always)
  mutating func add(_ counts: FieldCounts) {
    body = Self.sum(body, counts.body)
    if !counts.isBodyAlone { addOthers(counts) }
  }

  private mutating func addOthers(_ counts: FieldCounts) {
    title = Self.sum(title, UInt32(counts.title))
    alias = Self.sum(alias, UInt32(counts.alias))
    tag = Self.sum(tag, UInt32(counts.tag))
    other = Self.sum(other, UInt32(counts.other))
  }

  /// Whether there is nothing outside the body.
  @inline(__always)
  var isBodyAlone: Bool { title | alias | tag | other == 0 }

  @inline(__always)
  var isEmpty: Bool { body == 0 && isBodyAlone }

  private static func sum<Number: FixedWidthInteger>(_ left: Number, _ right: UInt32) -> Number {
    let (sum, overflow) = left.addingReportingOverflow(Number(clamping: right))
    return overflow ? .max : sum
  }

  /// Discards the counts of other fields; returns whether any count is left.
  @inline(__always)
  mutating func keep(_ scope: TextScope) -> Bool {
    if !scope.contains(.body) { body = 0 }
    if !scope.contains(.title) { title = 0 }
    if !scope.contains(.aliases) { alias = 0 }
    if !scope.contains(.tags) { tag = 0 }
    if !scope.contains(.others) { other = 0 }
    return !isEmpty
  }
}

/// Sets of documents as ascending lists.
enum DocumentLists {
  /// Returns the documents of both lists.
  ///
  /// - Complexity: O(n · log(m / n)) for n in the shorter and m in the longer one.
  static func intersection(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    var result: [UInt32] = []
    var start = 0
    for document in short {
      start = first(from: document, in: long, after: start)
      if start == long.count { break }
      if long[start] == document { result.append(document) }
    }
    return result
  }

  /// Returns the documents of either list.
  ///
  /// - Complexity: O(n).
  static func union(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    var result: [UInt32] = []
    result.reserveCapacity(left.count + right.count)
    var (first, second) = (0, 0)
    while first < left.count, second < right.count {
      let (one, other) = (left[first], right[second])
      result.append(min(one, other))
      if one <= other { first += 1 }
      if other <= one { second += 1 }
    }
    return result + left[first...] + right[second...]
  }

  /// Returns the documents of the first list that are not in the second.
  ///
  /// - Complexity: O(n · log m).
  static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var start = 0
    for document in left {
      start = first(from: document, in: right, after: start)
      if start == right.count || right[start] != document { result.append(document) }
    }
    return result
  }

  /// Returns all documents below a count that are not in a list.
  ///
  /// - Complexity: O(n).
  static func complement(_ list: [UInt32], documentCount: Int) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(max(documentCount - list.count, 0))
    var next = 0
    for document in 0..<UInt32(clamping: documentCount) {
      if next < list.count, list[next] == document { next += 1 } else { result.append(document) }
    }
    return result
  }

  /// Returns the index of the first document not before `document`, by a search with growing steps.
  static func first(from document: UInt32, in list: [UInt32], after start: Int) -> Int {
    var (low, step) = (start, 1)
    while low + step < list.count, list[low + step] < document {
      low += step
      step *= 2
    }
    var high = min(low + step + 1, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < document { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: Words

extension TextIndex {
  /// Returns the documents that have a folded word.
  ///
  /// - Complexity: O(n) for n documents that have it.
  func hits(
    word: [UInt8], in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    guard let entry = try dictionary.entry(word) else { return [] }
    return try hits(entry, in: scope, without: mask)
  }

  /// Returns the documents that have a word that begins so, with the counts of all these words.
  func hits(
    prefix: [UInt8], in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    try hits(anyOf: try dictionary.entries(prefix: prefix), in: scope, without: mask)
  }

  /// Returns the documents that have one of some terms, with the counts of all of these.
  func hits(
    anyOf entries: [TermEntry], in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    guard entries.count > 1 else {
      guard let entry = entries.first else { return [] }
      return try hits(entry, in: scope, without: mask)
    }
    let gathering = HitGathering(
      expected: entries.reduce(0) { $0 + $1.documentCount }, documentCount: documentCount)
    let block = PostingBlock()
    for entry in entries {
      try forEachHit(of: entry, block, in: scope, without: mask) { gathering.add($0) }
    }
    return gathering.hits()
  }

  private func hits(
    _ entry: TermEntry, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    var hits: [TextHit] = []
    hits.reserveCapacity(entry.documentCount)
    try forEachHit(of: entry, PostingBlock(), in: scope, without: mask) { hits.append($0) }
    return hits
  }

  @inline(__always)
  private func forEachHit(
    of entry: TermEntry, _ block: PostingBlock, in scope: TextScope, without mask: DocumentMask,
    _ body: (TextHit) -> Void
  ) throws(DamagedBytes) {
    let isAll = scope == .anywhere && mask.isEmpty
    let cursor = try PostingCursor(pages, entry, block)
    while cursor.document != PostingCursor.none {
      try cursor.takeBlock { block, first in
        for index in first..<block.count {
          var counts = block.counts(index)
          let document = block.documents[index]
          if isAll || (counts.keep(scope) && !mask.contains(document)) {
            body(TextHit(document: document, counts: counts))
          }
        }
      }
    }
  }
}

/// Puts hits of several terms together, document by document.
final class HitGathering {
  /// The counts of each document; empty if few hits are expected.
  private let table: UnsafeMutableBufferPointer<FieldCounts>
  private var loose: [TextHit] = []

  /// - Parameter expected: the maximum number of hits.
  init(expected: Int, documentCount: Int) {
    table = .allocate(capacity: expected > documentCount / 16 ? documentCount : 0)
    table.initialize(repeating: FieldCounts())
  }

  deinit { table.deallocate() }

  @inline(__always)
  func add(_ hit: TextHit) {
    if table.isEmpty { loose.append(hit) } else { table[Int(hit.document)].add(hit.counts) }
  }

  /// The hits, one a document, ascending.
  func hits() -> [TextHit] {
    var hits: [TextHit] = []
    guard table.isEmpty else {
      hits.reserveCapacity(table.count)
      for document in table.indices where !table[document].isEmpty {
        hits.append(TextHit(document: UInt32(document), counts: table[document]))
      }
      return hits
    }
    for hit in loose.sorted(by: { $0.document < $1.document }) {
      if hits.last?.document == hit.document {
        hits[hits.count - 1].counts.add(hit.counts)
      } else {
        hits.append(hit)
      }
    }
    return hits
  }
}
