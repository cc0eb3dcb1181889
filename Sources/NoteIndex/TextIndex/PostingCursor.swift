import Bytes

/// Goes through the documents of one term, in ascending order, and can leap forward over whole blocks.
final class PostingCursor {
  private let pages: IndexPages
  let documentCount: Int
  private let postings: Range<Int>
  private let blockCount: Int
  /// Of each block its last document and its end; nothing where there is one block only.
  private let skips: UnsafeRawBufferPointer
  private let block: PostingBlock
  private var nextBlock = 0
  /// The place of the document in the block.
  private var index = 0

  /// The document that the cursor is at; `none` after the last one.
  private(set) var document: UInt32 = 0

  static let none = UInt32.max

  /// Stands at the first document.
  ///
  /// - Parameter block: is used from now on by this cursor alone.
  init(
    _ pages: IndexPages, _ entry: TermEntry, _ block: PostingBlock = PostingBlock()
  ) throws(DamagedBytes) {
    self.pages = pages
    documentCount = entry.documentCount
    blockCount = PostingsLayout.blockCount(entry.documentCount)
    let skipSize = blockCount > 1 ? blockCount * PostingsLayout.skipSize : 0
    guard skipSize <= entry.postings.count else { throw DamagedBytes() }
    let blocksStart = entry.postings.lowerBound + skipSize
    skips = try pages.bytes(entry.postings.lowerBound..<blocksStart)
    postings = blocksStart..<entry.postings.upperBound
    self.block = block
    try loadBlock(0)
  }

  /// Goes to the next document.
  @inline(__always)
  func advance() throws(DamagedBytes) {
    index &+= 1
    if index < block.count { document = block.documents[index] } else { try loadBlock(nextBlock) }
  }

  /// Goes to the first document from `target` on, and returns it; stays where it is if it is there already.
  @inline(__always)
  @discardableResult
  func advance(to target: UInt32) throws(DamagedBytes) -> UInt32 {
    if document < target { try leap(to: target) }
    return document
  }

  private func leap(to target: UInt32) throws(DamagedBytes) {
    if block.last < target {
      try loadBlock(firstBlock(reaching: target))
      if document >= target { return }
    }
    // In words that are in most documents it is the next.
    var (low, high) = (index &+ 1, block.count)
    if low < high, block.documents[low] >= target { high = low }
    while low < high {
      let middle = (low + high) / 2
      if block.documents[middle] < target { low = middle + 1 } else { high = middle }
    }
    index = low
    if index < block.count { document = block.documents[index] } else { try loadBlock(nextBlock) }
  }

  /// The first block after the present one whose last document is not before a document.
  private func firstBlock(reaching target: UInt32) -> Int {
    guard blockCount > 1 else { return blockCount }
    var (low, step) = (nextBlock, 1)
    while low + step < blockCount, lastDocument(low + step) < target {
      low += step
      step *= 2
    }
    var high = min(low + step, blockCount)
    while low < high {
      let middle = (low + high) / 2
      if lastDocument(middle) < target { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func lastDocument(_ block: Int) -> UInt32 {
    IndexLayout.word(skips, block * PostingsLayout.skipSize)
  }

  private func blockEnd(_ block: Int) -> Int {
    Int(IndexLayout.word(skips, block * PostingsLayout.skipSize + 4))
  }

  private func loadBlock(_ number: Int) throws(DamagedBytes) {
    guard number < blockCount else {
      document = Self.none
      block.clear()
      index = 0
      nextBlock = blockCount
      return
    }
    let hasSkips = blockCount > 1
    let start = number > 0 ? blockEnd(number - 1) : 0
    let end = hasSkips ? blockEnd(number) : postings.count
    guard start < end, end <= postings.count else { throw DamagedBytes() }
    let bytes = try pages.bytes(postings.lowerBound + start..<postings.lowerBound + end)
    let first = number > 0 ? lastDocument(number - 1) &+ 1 : 0
    let count = min(PostingsLayout.blockLength, documentCount - number * PostingsLayout.blockLength)
    try block.load(bytes, count: count, from: first, below: pages.layout.documentCount)
    guard !hasSkips || block.last == lastDocument(number) else { throw DamagedBytes() }
    nextBlock = number + 1
    index = 0
    document = block.documents[0]
  }

  /// The documents of the block that the cursor is at, from the document on; the cursor goes to the next
  /// block.
  func takeBlock(_ body: (PostingBlock, Int) -> Void) throws(DamagedBytes) {
    body(block, index)
    try loadBlock(nextBlock)
  }

  /// How often the term stands in each field of the document.
  var counts: FieldCounts {
    @inline(__always)
    get { block.counts(index) }
  }

  /// The places of the term in the document, ascending; valid until the cursor goes on.
  func places() throws(DamagedBytes) -> UnsafeBufferPointer<UInt32> { try block.places(index) }
}
