package import Bytes

/// An index of the words of documents, read where its bytes lie.
///
/// Nothing is decoded but what a question needs. Damage is found page by page when a page is first read, and
/// every number is checked before it is used, so that no bytes, however made, do more harm than an error.
package final class TextIndex: Sendable {
  let pages: IndexPages

  /// Opens an index.
  ///
  /// - Parameter bytes: at any address.
  /// - Throws: `DamagedBytes` where it is none of this version, or its header is damaged.
  package init(_ bytes: ByteSlice) throws(DamagedBytes) { pages = try IndexPages(bytes) }

  /// How many documents there are, with those that have no words.
  package var documentCount: Int { pages.layout.documentCount }

  /// How many different words there are.
  package var termCount: Int { pages.layout.termCount }

  var dictionary: TermDictionary { TermDictionary(pages: pages) }

  /// How many words the title and the body of a document have.
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

/// How many words the title and the body of a document have.
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

/// The documents of an index that count no longer: they were deleted, or stand in a newer index.
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
