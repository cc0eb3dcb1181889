/// The part of an index between two terms.
///
/// Written by one thread and then read by others.
final class IndexPart: @unchecked Sendable {
  let dictionary = DictionaryEncoder()
  let postings = PostingsEncoder()

  init() {}

  /// Takes terms and postings from builders, which lose them.
  ///
  /// - Parameter terms: for each table the numbers of its terms in the stretch, in any order.
  convenience init(_ tables: [TermTable], terms: [ArraySlice<Int32>]) {
    self.init()
    let sources = zip(tables, terms).map { SortedTerms($0, $1) }
    while let least = Self.least(sources) {
      guard let word = least.word else { break }
      let sharing = sources.filter { $0.word?.order(word) == 0 }
      add(word, sharing)
      for source in sharing {
        source.release()
        source.advance()
      }
    }
  }

  /// The source whose next term comes first.
  private static func least(_ sources: [SortedTerms]) -> SortedTerms? {
    var least: SortedTerms?
    for source in sources {
      guard let word = source.word else { continue }
      if let other = least?.word, !word.precedes(other) { continue }
      least = source
    }
    return least
  }

  private func add(_ word: ScannedWord, _ sources: [SortedTerms]) {
    let count = sources.reduce(0) { $0 + $1.documentCount }
    postings.begin(documentCount: count)
    var readers = sources.map(\.postings)
    while let least = readers.indices.min(by: { readers[$0].document < readers[$1].document }),
      readers[least].document != BuiltPostings.none
    {
      var end = BuiltPostings.none
      for index in readers.indices where index != least { end = min(end, readers[index].document) }
      postings.add(&readers[least], before: end)
    }
    dictionary.add(word, documentCount: count, postingsSize: postings.end())
  }
}

/// Goes through some terms of a table in the order of their bytes.
private final class SortedTerms {
  private let table: TermTable
  private let order: [Int32]
  private var next = 0
  /// The letters of the next term; nil after the last one.
  private(set) var word: ScannedWord?

  init(_ table: TermTable, _ terms: ArraySlice<Int32>) {
    self.table = table
    order = table.sorted(terms)
    word = order.first.map { table.word(Int($0)) }
  }

  var documentCount: Int { Int(table.terms[Int(order[next])].documentCount) }
  var postings: BuiltPostings { BuiltPostings(table.terms[Int(order[next])]) }

  /// Frees the postings of the term, which no other stretch has.
  func release() { table.terms[Int(order[next])].release() }

  func advance() {
    next += 1
    word = next < order.count ? table.word(Int(order[next])) : nil
  }
}

/// Writes terms in the order of their bytes, in blocks of which each can be read by itself.
///
/// A block has where the postings of its first term begin, then its terms: how many bytes each shares with
/// the one before in the block, how many more it has, those bytes, in how many documents it stands, and how
/// many bytes its postings take.
final class DictionaryEncoder {
  /// How many terms a block has, at most.
  static let blockLength = 16

  let bytes = ByteSink(capacity: 1 << 14)
  /// Where each block begins.
  private(set) var blocks: [Int] = []
  private(set) var termCount = 0
  private var postings = 0
  private let letters = ByteSink(capacity: ScannedWord.longest)
  private let last = ByteSink(capacity: ScannedWord.longest)

  func add(_ word: ScannedWord, documentCount: Int, postingsSize: Int) {
    if termCount % Self.blockLength == 0 {
      blocks.append(bytes.count)
      bytes.append(fixed: UInt64(postings))
      last.removeAll()
    }
    letters.removeAll()
    word.append(to: letters)
    var shared = 0
    while shared < last.count, shared < letters.count, last.bytes[shared] == letters.bytes[shared] {
      shared += 1
    }
    bytes.append(UInt8(shared))
    bytes.append(UInt8(letters.count - shared))
    bytes.append(UnsafeRawBufferPointer(rebasing: letters.contents[shared...]))
    bytes.append(code: UInt32(documentCount))
    bytes.append(code: UInt32(postingsSize))
    last.removeAll()
    last.append(letters.contents)
    termCount += 1
    postings += postingsSize
  }

  /// Says that the postings of the first term begin so many bytes further on.
  func moveForward(by size: Int) {
    for block in blocks {
      let start = IndexLayout.number(bytes.contents, block)
      bytes.set(start + UInt64(size), at: block)
    }
  }
}
