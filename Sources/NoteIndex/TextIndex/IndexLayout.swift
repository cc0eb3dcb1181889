import Bytes

/// Where everything lies in the bytes of an index.
///
/// A header, a sum for each page, then the pages: the lengths of all documents, where each block of the
/// dictionary begins, the dictionary, the postings. Numbers of fixed size are little-endian, none is aligned.
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

  /// Reads a header, and checks that the bytes are as many as it says and that the sums of the pages hold.
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

  /// Reads a header without checking any sum; nil where the bytes are not as many as it says.
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

  /// Where a page lies.
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

/// The parts of an index, of which each page is checked before anything in it is read for the first time.
final class IndexPages: Sendable {
  let layout: IndexLayout
  /// The lengths of the documents.
  let lengths: Range<Int>
  /// Where the blocks of the dictionary begin.
  let blocks: Range<Int>
  let dictionary: Range<Int>
  let postings: Range<Int>
  private let checked: CheckedBlocks

  init(_ bytes: ByteSlice) throws(DamagedBytes) {
    layout = try IndexLayout(bytes.memory)
    lengths = layout.lengths
    blocks = layout.blocks
    dictionary = layout.dictionary
    postings = layout.postings
    let checked = CheckedBlocks(
      bytes, content: layout.pages, blockLength: IndexLayout.pageSize, sums: layout.sums.lowerBound)
    guard let checked else { throw DamagedBytes() }
    self.checked = checked
  }

  /// Returns bytes of the index by their offsets in all of it, for as long as this object lives.
  ///
  /// - Throws: `DamagedBytes` where they are outside the pages or not as they were written.
  @inline(__always)
  func bytes(_ range: Range<Int>) throws(DamagedBytes) -> UnsafeRawBufferPointer {
    try checked.bytes(range)
  }
}
