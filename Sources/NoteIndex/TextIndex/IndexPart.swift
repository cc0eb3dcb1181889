import Bytes

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

/// Writes terms in the order of their bytes, in blocks that can be decoded independently.
///
/// A block has the start of the postings of its first term, then its terms. A term has the length of the prefix that it
/// shares with the previous term of the block, and the number of its further bytes. Then follow these bytes, the number
/// of documents with the term, and the size of its postings in bytes.
final class DictionaryEncoder {
  /// The most terms of a block.
  static let blockLength = 16

  let bytes = ByteSink(capacity: 1 << 14)
  /// The start of each block.
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

  /// Moves the start of the postings of each block by a number of bytes.
  func moveForward(by size: Int) {
    for block in blocks {
      let start = IndexLayout.number(bytes.contents, block)
      bytes.set(start + UInt64(size), at: block)
    }
  }
}

/// Encodes the postings of one term after another in the format of look-ups.
///
/// Documents are in blocks of 128. A block has its documents, then their places.
///
/// A document begins with twice its distance from the previous document, plus 1 if the word occurs in it once, in the
/// body. Otherwise a second number follows. If the word occurs only in the body, the number is twice the count less 2.
/// Else it is twice the set of fields as bits, plus 1, and the count of each of these fields follows.
///
/// Places are distances from the previous place in the field. If there are several blocks, a table with the last document
/// and the end of each block precedes them.
final class PostingsEncoder {
  let bytes = ByteSink(capacity: 1 << 16)
  private let documents = ByteSink()
  private let places = ByteSink()
  private let list = PlaceList()
  /// The number of occurrences of the word in each field of a document.
  private let counts: UnsafeMutablePointer<UInt32>
  private var start = 0
  private var blockStart = 0
  private var block = 0
  private var blockCount = 0
  private var inBlock = 0
  /// The number after the last document.
  private var nextDocument: UInt32 = 0

  init() { counts = .allocate(capacity: TextField.count) }

  deinit { counts.deallocate() }

  /// Begins a term that occurs in a number of documents.
  func begin(documentCount: Int) {
    start = bytes.count
    blockCount = PostingsLayout.blockCount(documentCount)
    if blockCount > 1 { bytes.append(zeros: blockCount * PostingsLayout.skipSize) }
    blockStart = bytes.count
    block = 0
    inBlock = 0
    nextDocument = 0
  }

  /// Adds the documents before a certain one, and their places.
  func add(_ postings: inout BuiltPostings, before end: UInt32) {
    var source = postings
    while source.document < end {
      places.reserve(source.remaining + NumberCode.longest)
      documents.reserve(PostingsLayout.blockLength * 3 * NumberCode.longest)
      inBlock &+= addBodies(&source, before: end)
      if inBlock < PostingsLayout.blockLength, source.document < end { addFields(&source) }
      if inBlock == PostingsLayout.blockLength { finishBlock() }
    }
    postings = source
  }

  /// Adds a document, which comes after those before, with its places, which ascend.
  func add(_ document: UInt32, _ placesInDocument: UnsafeMutableBufferPointer<UInt32>) {
    guard let last = placesInDocument.last else { return }
    let distance = document &+ 1 &- nextDocument
    nextDocument = document &+ 1
    if WordPlace.field(of: last) != 0 {
      addFields(distance, placesInDocument)
    } else {
      let count = placesInDocument.count
      documents.append(code: distance << 1 | (count == 1 ? 1 : 0))
      if count > 1 { documents.append(code: UInt32(count - 2) << 1) }
      var last: UInt32 = 0
      for place in placesInDocument {
        places.append(code: place &- last)
        last = place
      }
    }
    inBlock += 1
    if inBlock == PostingsLayout.blockLength { finishBlock() }
  }

  /// Adds documents until one has the word outside its body, or the block is full; returns their number.
  @inline(__always)
  private func addBodies(_ source: inout BuiltPostings, before end: UInt32) -> Int {
    let placesStart = places.bytes + places.count
    let documentsStart = documents.bytes + documents.count
    var (nextPlace, nextDocument) = (placesStart, documentsStart)
    var (last, added) = (self.nextDocument, 0)
    let room = PostingsLayout.blockLength &- inBlock
    while added < room, source.document < end {
      let document = source.document
      let count = source.writeBody(to: &nextPlace)
      if count == 0 { break }
      let distance = document &+ 1 &- last
      last = document &+ 1
      nextDocument += NumberCode.write(distance << 1 | (count == 1 ? 1 : 0), to: nextDocument)
      if count > 1 { nextDocument += NumberCode.write(UInt32(count &- 2) << 1, to: nextDocument) }
      added &+= 1
    }
    places.extend(by: nextPlace - placesStart)
    documents.extend(by: nextDocument - documentsStart)
    self.nextDocument = last
    return added
  }

  /// Adds a document that has the word in several fields.
  private func addFields(_ source: inout BuiltPostings) {
    let document = source.document
    let distance = document &+ 1 &- nextDocument
    source.read(into: list)
    nextDocument = document &+ 1
    addFields(distance, list.contents)
    inBlock += 1
  }

  private func addFields(_ distance: UInt32, _ placesInDocument: UnsafeMutableBufferPointer<UInt32>) {
    documents.append(code: distance << 1)
    for field in 0..<TextField.count { counts[field] = 0 }
    var last: UInt32 = 0
    for place in placesInDocument {
      let field = WordPlace.field(of: place)
      if field != WordPlace.field(of: last) { last = field << WordPlace.fieldShift }
      places.append(code: place &- last)
      last = place
      counts[Int(field)] += 1
    }
    var fields: UInt32 = 0
    for field in 0..<TextField.count where counts[field] > 0 { fields |= 1 << UInt32(field) }
    documents.append(code: fields << 1 | 1)
    for field in 0..<TextField.count where counts[field] > 0 { documents.append(code: counts[field]) }
  }

  private func finishBlock() {
    bytes.append(documents.contents)
    bytes.append(places.contents)
    documents.removeAll()
    places.removeAll()
    inBlock = 0
    if blockCount > 1 {
      let skip = start + block * PostingsLayout.skipSize
      bytes.set(nextDocument &- 1, at: skip)
      bytes.set(UInt32(bytes.count - blockStart), at: skip + 4)
    }
    block += 1
  }

  /// Ends the term; returns the size of its postings in bytes.
  func end() -> Int {
    if inBlock > 0 { finishBlock() }
    return bytes.count - start
  }
}
