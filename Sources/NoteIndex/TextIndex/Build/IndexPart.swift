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
