import Bytes
import Text

extension TextIndex {
  /// Returns the documents that have the words and signs of all pieces of a pattern.
  ///
  /// Words inside a piece are whole. The first and the last of a piece may be parts of words, the first of
  /// the pattern the beginning of one.
  func candidates(
    for pattern: WildcardPattern, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> TextMatches {
    var documents: [UInt32]?
    for (number, piece) in pattern.pieces.enumerated() {
      let ranges = Words.ranges(in: piece[...])
      for (index, range) in ranges.enumerated() {
        let word = Array(piece[range].prefix(ScannedWord.longest - 1))
        let isWhole = index > 0 && index < ranges.count - 1 && word.count == range.count
        let isStart = number == 0 && range.lowerBound == 0
        let found =
          isWhole
          ? try hits(word: word, in: scope, without: mask)
          : isStart
            ? try hits(prefix: word, in: scope, without: mask)
            : try hits(
              anyOf: try dictionary.entries(containing: ByteSearch(word)), in: scope, without: mask)
        let list = found.map(\.document)
        documents = documents.map { DocumentLists.intersection($0, list) } ?? list
      }
      documents = try self.documents(withSigns: piece, among: documents, without: mask)
    }
    return documents.map(TextMatches.candidates) ?? .unknown
  }

  /// Returns those among some documents, nil for all, that have the signs of a folded text.
  ///
  /// - Returns: nil where all are among all.
  func documents(
    withSigns text: [UInt8], among documents: [UInt32]?, without mask: DocumentMask
  ) throws(DamagedBytes) -> [UInt32]? {
    var documents = documents
    for term in SignTerm.terms(in: text) {
      let list = try hits(word: term, in: .anywhere, without: mask).map(\.document)
      documents = documents.map { DocumentLists.intersection($0, list) } ?? list
    }
    return documents
  }
}
