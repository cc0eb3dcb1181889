import Bytes

/// The dictionary's entry of a term.
struct TermEntry: Equatable {
  /// The number of documents with the term.
  let documentCount: Int
  /// The range of its postings in the index.
  let postings: Range<Int>
}

/// Looks terms up in the sorted blocks of an index.
struct TermDictionary {
  let pages: IndexPages

  private var layout: IndexLayout { pages.layout }

  /// Returns the entry of a term; nil if no document has it.
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

  /// Returns the terms that one slip of the finger may make of some letters, and some others, with their documents.
  ///
  /// - Complexity: O(n).
  func entries(like letters: [UInt8]) throws(DamagedBytes) -> [(term: [UInt8], documentCount: Int)] {
    var entries: [(term: [UInt8], documentCount: Int)] = []
    guard let reader = try reader(from: []) else { return [] }
    while try reader.next() {
      if reader.isLike(letters) { entries.append((Array(reader.letters), reader.entry.documentCount)) }
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

  /// Returns a reader before the first term of the block that contains a term, if any block does.
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

/// Reads the terms of a dictionary in their order, from a block on.
final class DictionaryReader {
  private let pages: IndexPages
  private let firstBlock: Int
  private var nextBlock: Int
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  private var offset = 0
  private var postings = 0
  private let term: UnsafeMutablePointer<UInt8>
  private var count = 0
  /// The entry of the term that was read last.
  private(set) var entry = TermEntry(documentCount: 0, postings: 0..<0)

  init(_ pages: IndexPages, block: Int) {
    self.pages = pages
    firstBlock = block
    nextBlock = block
    term = .allocate(capacity: 256)
  }

  deinit { term.deallocate() }

  /// The letters of the term that was read last.
  var letters: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: term, count: count) }

  /// Reads the next term; returns whether there is one.
  func next() throws(DamagedBytes) -> Bool {
    if offset == block.count {
      guard nextBlock < pages.layout.blockCount else { return false }
      try load()
    }
    guard offset + 2 <= block.count else { throw DamagedBytes() }
    let (shared, rest) = (Int(block[offset]), Int(block[offset + 1]))
    guard shared <= count, shared + rest <= ScannedWord.longest, offset + 2 + rest <= block.count else {
      throw DamagedBytes()
    }
    for index in 0..<rest { term[shared + index] = block[offset + 2 + index] }
    count = shared + rest
    offset += 2 + rest
    var numbers = NumberReader(UnsafeRawBufferPointer(rebasing: block[offset...]))
    let (documentCount, size) = (Int(numbers.read()), Int(numbers.read()))
    offset = block.count - numbers.remaining
    let all = pages.postings
    guard !numbers.isDamaged, postings + size <= all.count, documentCount > 0, documentCount <= size,
      documentCount <= pages.layout.documentCount
    else { throw DamagedBytes() }
    let start = all.lowerBound + postings
    entry = TermEntry(documentCount: documentCount, postings: start..<start + size)
    postings += size
    return true
  }

  private func load() throws(DamagedBytes) {
    let layout = pages.layout
    let isLast = nextBlock + 1 == layout.blockCount
    let at = pages.blocks.lowerBound + 4 * nextBlock
    let bounds = try pages.bytes(at..<at + (isLast ? 4 : 8))
    let start = Int(IndexLayout.word(bounds, 0))
    let end = isLast ? layout.dictionarySize : Int(IndexLayout.word(bounds, 4))
    guard start + 8 < end, end <= layout.dictionarySize else { throw DamagedBytes() }
    block = try pages.bytes(pages.dictionary.lowerBound + start..<pages.dictionary.lowerBound + end)
    let first = IndexLayout.number(block, 0)
    // In a row of blocks each has its own postings, so that going through all is never more than that.
    let isNext = nextBlock == firstBlock || first == UInt64(postings)
    guard isNext, first <= UInt64(layout.postingsSize) else { throw DamagedBytes() }
    postings = Int(first)
    offset = 8
    count = 0
    nextBlock += 1
  }

  /// Compares the current term with another one: negative if the current term precedes it, zero if they are equal.
  func order(_ other: [UInt8]) -> Int {
    let order = other.withUnsafeBytes { other in
      other.baseAddress.map { CLibrary.compare(term, $0, count: min(count, other.count)) } ?? 0
    }
    return order != 0 ? order : count - other.count
  }

  /// Whether all but two letters at one place are those of another term.
  func isLike(_ other: [UInt8]) -> Bool {
    let (short, long) = (min(count, other.count), max(count, other.count))
    let letter = other.allSatisfy { $0 < 0x80 } ? 1 : 4
    guard long - short <= letter else { return false }
    var (start, end) = (0, 0)
    while start < short, term[start] == other[start] { start += 1 }
    while end < short - start, term[count - 1 - end] == other[other.count - 1 - end] { end += 1 }
    return start + end >= max(1, long - 2 * letter)
  }

  func begins(with prefix: [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    for index in prefix.indices where term[index] != prefix[index] { return false }
    return true
  }
}

/// The layout of the bytes of an index.
///
/// A header, a checksum for each page, then the pages: the lengths of all documents, the starts of the blocks of the
/// dictionary, the dictionary, the postings. Numbers of fixed size are little-endian, none is aligned.
struct IndexLayout: Equatable {
  /// The part of the bytes that is checked at once.
  static let pageSize = 1 << 14
  static let headerSize = 88
  /// More documents than that are never in one index.
  static let mostDocuments = 1 << 30
  /// Raised whenever the words of a text, or the form of the index, change.
  static let version: UInt32 = 3

  private static let signature: UInt64 = 0x7478_6554_7069_6C53
  private static let sumOffset = 80

  var documentCount = 0
  var termCount = 0
  var blockCount = 0
  var titleWords: UInt64 = 0
  var bodyWords: UInt64 = 0
  var dictionarySize = 0
  var postingsSize = 0

  /// The sums of the pages.
  var sums: Range<Int> { Self.headerSize..<Self.headerSize + 8 * pageCount }
  /// All that is in pages.
  var pages: Range<Int> { sums.upperBound..<byteCount }
  var pageCount: Int { (pagesSize + Self.pageSize - 1) / Self.pageSize }
  var byteCount: Int { Self.headerSize + 8 * pageCount + pagesSize }
  var lengths: Range<Int> { sums.upperBound..<sums.upperBound + 8 * documentCount }
  var blocks: Range<Int> { lengths.upperBound..<lengths.upperBound + 4 * blockCount }
  var dictionary: Range<Int> { blocks.upperBound..<blocks.upperBound + dictionarySize }
  var postings: Range<Int> { dictionary.upperBound..<dictionary.upperBound + postingsSize }

  private var pagesSize: Int { 8 * documentCount + 4 * blockCount + dictionarySize + postingsSize }

  init() {}

  /// Reads a header, and verifies the number of bytes and the checksums of the pages.
  init(_ bytes: UnsafeRawBufferPointer) throws(DamagedBytes) {
    guard bytes.count >= Self.headerSize, Self.number(bytes, 0) == Self.signature,
      Self.word(bytes, 8) == Self.version,
      Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<Self.sumOffset]))
        == Self.number(bytes, Self.sumOffset)
    else { throw DamagedBytes() }
    guard let layout = IndexLayout(unchecked: bytes) else { throw DamagedBytes() }
    self = layout
    guard blockCount <= termCount, termCount <= dictionarySize,
      Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[sums])) == Self.number(bytes, 56)
    else { throw DamagedBytes() }
  }

  /// Reads a header without verifying any checksum; nil if its size differs from that of the bytes.
  init?(unchecked bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize else { return nil }
    documentCount = Int(Self.word(bytes, 12))
    termCount = Int(Self.word(bytes, 16))
    blockCount = Int(Self.word(bytes, 20))
    titleWords = Self.number(bytes, 24)
    bodyWords = Self.number(bytes, 32)
    // None of the sums below can overflow.
    let highest = UInt64(1) << 48
    let sizes = (Self.number(bytes, 40), Self.number(bytes, 48))
    guard documentCount <= Self.mostDocuments, sizes.0 < highest, sizes.1 < highest else { return nil }
    dictionarySize = Int(sizes.0)
    postingsSize = Int(sizes.1)
    guard byteCount == bytes.count else { return nil }
  }

  /// Writes the header, after the pages and their sums.
  func write(to bytes: UnsafeMutableRawBufferPointer) {
    let header = ByteSink(capacity: Self.headerSize)
    header.append(fixed: Self.signature)
    header.append(fixed: Self.version)
    for count in [documentCount, termCount, blockCount] { header.append(fixed: UInt32(count)) }
    header.append(fixed: titleWords)
    header.append(fixed: bodyWords)
    header.append(fixed: UInt64(dictionarySize))
    header.append(fixed: UInt64(postingsSize))
    header.append(fixed: Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[sums])))
    header.append(zeros: Self.sumOffset - header.count)
    header.append(fixed: Checksum.of(header.contents))
    bytes.copyMemory(from: header.contents)
  }

  /// Returns the range of a page.
  func page(_ index: Int) -> Range<Int> {
    let start = pages.lowerBound + index * Self.pageSize
    return start..<min(start + Self.pageSize, byteCount)
  }

  @inline(__always)
  static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  @inline(__always)
  static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
  }
}

/// The parts of an index. Each page is verified before its first use.
final class IndexPages: Sendable {
  let layout: IndexLayout
  /// The lengths of the documents.
  let lengths: Range<Int>
  /// The starts of the blocks of the dictionary.
  let blocks: Range<Int>
  let dictionary: Range<Int>
  let postings: Range<Int>
  private let bytes: ByteSlice
  private let checked: CheckedBlocks

  init(_ bytes: ByteSlice) throws(DamagedBytes) {
    self.bytes = bytes
    layout = try bytes.withBytes { (bytes) throws(DamagedBytes) in try IndexLayout(bytes) }
    lengths = layout.lengths
    blocks = layout.blocks
    dictionary = layout.dictionary
    postings = layout.postings
    let checked = CheckedBlocks(
      bytes, content: layout.pages, blockLength: IndexLayout.pageSize, sums: layout.sums.lowerBound)
    guard let checked else { throw DamagedBytes() }
    self.checked = checked
  }

  /// Returns bytes of the index by their offsets in the whole index. They are valid for the lifetime of this object.
  ///
  /// - Throws: `DamagedBytes` if they are outside the pages or their checksum is wrong.
  @inline(__always)
  func bytes(_ range: Range<Int>) throws(DamagedBytes) -> UnsafeRawBufferPointer {
    guard checked.isSound(range) else { throw DamagedBytes() }
    // Readers of terms and postings retain the pointer, and this object with it.
    return bytes.withBytes { $0[rebased: range] }
  }
}
