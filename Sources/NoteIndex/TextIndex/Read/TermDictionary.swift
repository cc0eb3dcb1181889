import Bytes

/// The dictionary's entry of a term.
struct TermEntry: Equatable {
  /// In how many documents it stands.
  let documentCount: Int
  /// Where its postings lie in the index.
  let postings: Range<Int>
}

/// Looks terms up in the sorted blocks of an index.
struct TermDictionary {
  let pages: IndexPages

  private var layout: IndexLayout { pages.layout }

  /// Returns what is known of a term; nil where no document has it.
  ///
  /// - Complexity: O(log n).
  func entry(_ term: [UInt8]) throws(DamagedBytes) -> TermEntry? {
    guard let reader = try reader(from: term) else { return nil }
    while try reader.next() {
      let order = reader.order(term)
      if order == 0 { return reader.entry }
      if order > 0 { return nil }
    }
    return nil
  }

  /// Returns all terms that begin with some letters.
  ///
  /// - Complexity: O(log n + m) for m terms.
  func entries(prefix: [UInt8]) throws(DamagedBytes) -> [TermEntry] {
    var entries: [TermEntry] = []
    guard let reader = try reader(from: prefix) else { return [] }
    while try reader.next() {
      if reader.begins(with: prefix) {
        entries.append(reader.entry)
      } else if reader.order(prefix) > 0 {
        break
      }
    }
    return entries
  }

  /// Returns all terms that hold some letters, and those that may for they were cut.
  ///
  /// - Complexity: O(n).
  func entries(containing search: ByteSearch) throws(DamagedBytes) -> [TermEntry] {
    var entries: [TermEntry] = []
    guard let reader = try reader(from: []) else { return [] }
    while try reader.next() {
      let isCut = reader.letters.count == ScannedWord.longest
      if isCut || search.first(in: reader.letters) != nil { entries.append(reader.entry) }
    }
    return entries
  }

  /// Returns the first term of the last block whose postings begin at or before an offset in all postings.
  func firstTerm(postingsFrom offset: Int) throws(DamagedBytes) -> [UInt8]? {
    guard layout.blockCount > 0 else { return nil }
    var (low, high) = (0, layout.blockCount - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      let reader = DictionaryReader(pages, block: middle)
      guard try reader.next() else { throw DamagedBytes() }
      let start = reader.entry.postings.lowerBound - pages.postings.lowerBound
      if start <= offset { low = middle } else { high = middle - 1 }
    }
    let reader = DictionaryReader(pages, block: low)
    return try reader.next() ? Array(reader.letters) : nil
  }

  /// A reader that stands before the first term of the block that holds a term, if any does.
  func reader(from term: [UInt8]) throws(DamagedBytes) -> DictionaryReader? {
    guard layout.blockCount > 0 else { return nil }
    var (low, high) = (0, layout.blockCount - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      let reader = DictionaryReader(pages, block: middle)
      guard try reader.next() else { throw DamagedBytes() }
      if reader.order(term) <= 0 { low = middle } else { high = middle - 1 }
    }
    return DictionaryReader(pages, block: low)
  }
}
