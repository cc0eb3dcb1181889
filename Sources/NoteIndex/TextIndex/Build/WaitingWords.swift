/// Words of one document, of at most 16 bytes, that are to be added to their terms.
final class WaitingWords {
  private struct Word {
    let low: UInt64
    let high: UInt64
    let hash: UInt64
    let place: UInt32
    let count: Int32
    var slot: UInt64 = 0
    var term = 0

    @inline(__always)
    var scanned: ScannedWord { ScannedWord(low: low, high: high, count: Int(count)) }
  }

  private static let most = 64

  private let words: UnsafeMutablePointer<Word>
  private var count = 0

  init() { words = .allocate(capacity: Self.most) }

  deinit { words.deallocate() }

  var isFull: Bool {
    @inline(__always)
    get { count == Self.most }
  }

  @inline(__always)
  func append(_ word: ScannedWord, _ hash: UInt64, _ place: UInt32) {
    words[count] = Word(
      low: word.low, high: word.high, hash: hash, place: place, count: Int32(truncatingIfNeeded: word.count))
    count &+= 1
  }

  /// Adds all words to their terms, in three rounds of which each asks for memory that the next one needs.
  func empty(into table: TermTable, _ document: UInt32) {
    for index in 0..<count { words[index].slot = table.firstSlot(words[index].hash) }
    for index in 0..<count {
      let word = words + index
      word.pointee.term = table.shortTerm(word.pointee.slot, word.pointee.scanned, word.pointee.hash)
    }
    for index in 0..<count {
      let word = words + index
      var term = word.pointee.term
      if term < 0 { term = table.term(word.pointee.scanned, word.pointee.hash) }
      table.terms[term].add(word.pointee.place, in: document)
    }
    count = 0
  }
}
