import Synchronization

/// The bytes of an index, of which each page is checked before anything in it is read for the first time.
final class CheckedPages: @unchecked Sendable {
  let layout: IndexLayout
  /// The lengths of the documents.
  let lengths: Range<Int>
  /// Where the blocks of the dictionary begin.
  let blocks: Range<Int>
  let dictionary: Range<Int>
  let postings: Range<Int>
  private let all: Range<Int>
  private let bytes: UnsafeRawBufferPointer
  /// Keeps the bytes in place.
  private let owner: (any Sendable)?
  /// For each page whether it was found to be whole.
  private let whole: UnsafeMutablePointer<Atomic<UInt8>>

  /// - Parameter bytes: valid as long as the owner lives, or as this does where there is none.
  init(_ bytes: UnsafeRawBufferPointer, owner: (any Sendable)?) throws(TextIndexDamage) {
    layout = try IndexLayout(bytes)
    lengths = layout.lengths
    blocks = layout.blocks
    dictionary = layout.dictionary
    postings = layout.postings
    all = layout.pages
    self.bytes = bytes
    self.owner = owner
    whole = .allocate(capacity: max(layout.pageCount, 1))
    for page in 0..<layout.pageCount { (whole + page).initialize(to: Atomic(0)) }
  }

  deinit { whole.deallocate() }

  /// Returns bytes of the index by their offsets in all of it.
  ///
  /// - Throws: `TextIndexDamage` where they are outside the pages or not as they were written.
  @inline(__always)
  func bytes(_ range: Range<Int>) throws(TextIndexDamage) -> UnsafeRawBufferPointer {
    guard range.lowerBound >= all.lowerBound, range.upperBound <= all.upperBound else {
      throw TextIndexDamage()
    }
    guard !range.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let first = (range.lowerBound - all.lowerBound) / IndexLayout.pageSize
    let last = (range.upperBound - 1 - all.lowerBound) / IndexLayout.pageSize
    for page in first...last where whole[page].load(ordering: .relaxed) == 0 { try check(page) }
    return UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  @inline(never)
  private func check(_ page: Int) throws(TextIndexDamage) {
    let sum = IndexLayout.number(bytes, layout.sums.lowerBound + 8 * page)
    guard ByteSum.of(UnsafeRawBufferPointer(rebasing: bytes[layout.page(page)])) == sum else {
      throw TextIndexDamage()
    }
    whole[page].store(1, ordering: .relaxed)
  }
}
