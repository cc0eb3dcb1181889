import Bytes

/// The documents in which a text pattern occurs, as far as an index tells.
enum TextMatches: Equatable {
  /// In these documents and no others, ascending.
  case exact([TextHit])
  /// In none but these documents, ascending; each has to be looked at.
  case candidates([UInt32])
  /// Every document has to be looked at.
  case unknown
}

extension TextIndex {
  /// Looks for a pattern in some fields of all documents that are not masked.
  ///
  /// Words, phrases and the beginnings of words are answered exactly, unless one is longer than 254 bytes.
  /// Patterns with gaps have candidates by their words, signs by those beyond ASCII.
  func find(
    _ pattern: TextPattern, in scope: TextScope = .anywhere, without mask: DocumentMask = DocumentMask()
  ) throws(DamagedBytes) -> TextMatches {
    switch pattern {
    case .words(let pattern): return try find(pattern, in: scope, without: mask)
    case .wildcard(let pattern): return try candidates(for: pattern, in: scope, without: mask)
    case .signs(let search):
      let documents = try documents(withSigns: search.needle, among: nil, without: mask)
      return documents.map(TextMatches.candidates) ?? .unknown
    }
  }

  private func find(
    _ pattern: WordPattern, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> TextMatches {
    // Longer words were cut: what stands for them stands for others too.
    let words = pattern.words.map { Array($0.prefix(ScannedWord.longest)) }
    let isExact = words.allSatisfy { $0.count < ScannedWord.longest }
    let hits = try hits(phrase: words, isPrefix: pattern.isPrefix, in: scope, without: mask)
    return isExact ? .exact(hits) : .candidates(hits.map(\.document))
  }

  /// Returns the documents that have some folded words one after another.
  ///
  /// - Parameter isPrefix: whether the last one is the beginning of a word.
  func hits(
    phrase words: [[UInt8]], isPrefix: Bool, in scope: TextScope, without mask: DocumentMask
  ) throws(DamagedBytes) -> [TextHit] {
    guard let last = words.last else { return [] }
    if words.count == 1 {
      return isPrefix
        ? try hits(prefix: last, in: scope, without: mask) : try hits(word: last, in: scope, without: mask)
    }
    var entries: [TermEntry] = []
    for word in isPrefix ? words.dropLast() : words[...] {
      guard let entry = try dictionary.entry(word) else { return [] }
      entries.append(entry)
    }
    let search = try PhraseSearch(pages, entries, in: scope, without: mask)
    guard isPrefix else { return try search.hits() }
    return try search.hits(followedBy: try dictionary.entries(prefix: last))
  }
}
