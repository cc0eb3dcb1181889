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
