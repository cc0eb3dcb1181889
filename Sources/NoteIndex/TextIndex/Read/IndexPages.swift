import Bytes

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
