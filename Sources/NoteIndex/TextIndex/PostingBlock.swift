import Bytes

/// A decoded block of postings: its documents at once, their places on demand.
final class PostingBlock {
  let documents: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  /// For each document the fields that have the word, as bits.
  private let fields: UnsafeMutablePointer<UInt8>
  /// For each document and each of these fields the number of occurrences.
  private let frequencies: UnsafeMutablePointer<UInt32>
  /// The start of the places of each document.
  private let starts: UnsafeMutablePointer<Int>
  private var placeNumbers = NumberReader(UnsafeRawBufferPointer(start: nil, count: 0))
  private let list = PlaceList()
  private var hasPlaces = false

  init() {
    let length = PostingsLayout.blockLength
    documents = .allocate(capacity: length)
    fields = .allocate(capacity: length)
    frequencies = .allocate(capacity: length * TextField.count)
    starts = .allocate(capacity: length + 1)
  }

  deinit {
    documents.deallocate()
    fields.deallocate()
    frequencies.deallocate()
    starts.deallocate()
  }

  func clear() { count = 0 }

  /// The last document; 0 if the block is empty.
  var last: UInt32 { count > 0 ? documents[count - 1] : 0 }

  /// Decodes the documents.
  ///
  /// - Parameters:
  ///   - count: the number of documents, from one to a full block.
  ///   - first: the lowest valid number of the first document.
  ///   - limit: one more than the highest valid number of the last document.
  func load(
    _ bytes: UnsafeRawBufferPointer, count: Int, from first: UInt32, below limit: Int
  ) throws(DamagedBytes) {
    var numbers = NumberReader(bytes)
    var next = UInt64(first)
    var total = 0
    self.count = 0
    for index in 0..<count {
      let code = numbers.read()
      next &+= UInt64(code >> 1)
      documents[index] = UInt32(truncatingIfNeeded: next &- 1)
      // A distance of zero is invalid: the order would not ascend.
      if code < 2 { throw DamagedBytes() }
      starts[index] = total
      if code & 1 != 0 {
        fields[index] = 1
        frequencies[index &* TextField.count] = 1
        total &+= 1
      } else {
        total &+= try readFrequencies(&numbers, index)
      }
    }
    starts[count] = total
    guard !numbers.isDamaged, next <= UInt64(limit), total <= numbers.remaining else {
      throw DamagedBytes()
    }
    placeNumbers = numbers
    hasPlaces = false
    self.count = count
  }

  /// Reads the numbers of occurrences in the fields of a document, and returns their sum.
  @inline(__always)
  private func readFrequencies(_ numbers: inout NumberReader, _ index: Int) throws(DamagedBytes) -> Int {
    let code = numbers.read()
    let frequencies = frequencies + index &* TextField.count
    guard code & 1 != 0 else {
      fields[index] = 1
      frequencies[0] = code >> 1 &+ 2
      return Int(frequencies[0])
    }
    guard code >> 1 < 1 << TextField.count, code > 1 else { throw DamagedBytes() }
    fields[index] = UInt8(truncatingIfNeeded: code >> 1)
    var total = 0
    for field in 0..<TextField.count where code >> UInt32(field + 1) & 1 != 0 {
      frequencies[field] = numbers.read()
      total &+= Int(frequencies[field])
    }
    return total
  }

  /// Returns the number of occurrences in the body of a document; nil if the word occurs in other fields too.
  @inline(__always)
  func bodyCount(_ index: Int) -> UInt32? {
    fields[index] == 1 ? frequencies[index &* TextField.count] : nil
  }

  /// Returns the number of occurrences of the word in each field of a document.
  @inline(__always)
  func counts(_ index: Int) -> FieldCounts {
    let frequencies = frequencies + index &* TextField.count
    guard fields[index] != 1 else { return FieldCounts(body: frequencies[0]) }
    var counts = FieldCounts()
    for field in TextField.allCases where fields[index] >> field.rawValue & 1 != 0 {
      counts.add(Int(frequencies[Int(field.rawValue)]), in: field)
    }
    return counts
  }

  /// The places of the word in a document, ascending.
  func places(_ index: Int) throws(DamagedBytes) -> UnsafeBufferPointer<UInt32> {
    if !hasPlaces { try decodePlaces() }
    return UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(list.contents)[starts[index]..<starts[index + 1]])
  }

  private func decodePlaces() throws(DamagedBytes) {
    list.removeAll()
    list.reserve(starts[count])
    var numbers = placeNumbers
    for index in 0..<count {
      if fields[index] == 1 {
        append(frequencies[index &* TextField.count], from: 0, &numbers)
      } else {
        for field in 0..<TextField.count where fields[index] >> UInt8(field) & 1 != 0 {
          let start = UInt32(field) << WordPlace.fieldShift
          append(frequencies[index &* TextField.count &+ field], from: start, &numbers)
        }
      }
    }
    guard !numbers.isDamaged, numbers.remaining == 0 else { throw DamagedBytes() }
    hasPlaces = true
  }

  @inline(__always)
  private func append(_ count: UInt32, from start: UInt32, _ numbers: inout NumberReader) {
    var place = start
    var left = count
    while left > 0 {
      place &+= numbers.read()
      list.append(place)
      left &-= 1
    }
  }
}

/// Places of a word, in one document or several.
final class PlaceList {
  private var places: UnsafeMutablePointer<UInt32>
  private var capacity = 1024
  private(set) var count = 0

  init() { places = .allocate(capacity: capacity) }

  deinit { places.deallocate() }

  @inline(__always)
  func append(_ place: UInt32) {
    if count == capacity { grow(count &+ 1) }
    places[count] = place
    count &+= 1
  }

  func append(_ others: UnsafeBufferPointer<UInt32>) {
    guard let start = others.baseAddress else { return }
    reserve(count + others.count)
    (places + count).update(from: start, count: others.count)
    count += others.count
  }

  /// Reserves space for a total number of places.
  func reserve(_ total: Int) {
    if total > capacity { grow(total) }
  }

  @inline(never)
  private func grow(_ total: Int) {
    capacity = max(capacity * 2, total)
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    larger.update(from: places, count: count)
    places.deallocate()
    places = larger
  }

  func removeAll() { count = 0 }

  /// Forgets all places from a certain one on.
  func keep(_ count: Int) { self.count = min(self.count, count) }

  func sort() {
    var places = contents
    places.sort()
  }

  var contents: UnsafeMutableBufferPointer<UInt32> { UnsafeMutableBufferPointer(start: places, count: count) }
}

/// The layout of the postings of a term.
///
/// Documents are in blocks. If there is more than one block, a table of the blocks precedes them.
enum PostingsLayout {
  /// The number of documents in a block, but for the last one.
  static let blockLength = 128
  /// The size in bytes of a row of the table of blocks: the last document and the end of the block.
  static let skipSize = 8

  /// The number of blocks for a number of documents.
  static func blockCount(_ documentCount: Int) -> Int { (documentCount + blockLength - 1) / blockLength }
}

/// Goes through the documents of one term, in ascending order, and can leap forward over whole blocks.
final class PostingCursor {
  private let pages: IndexPages
  let documentCount: Int
  private let postings: Range<Int>
  private let blockCount: Int
  /// The last document and the end of each block; empty if there is only one block.
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

  /// Advances to the first document from `target` on, and returns it. Does not move if the current document is that one
  /// or a later one.
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

  /// The number of occurrences of the term in each field of the document.
  var counts: FieldCounts {
    @inline(__always)
    get { block.counts(index) }
  }

  /// Returns the places of the term in the document, ascending; valid until the cursor advances.
  func places() throws(DamagedBytes) -> UnsafeBufferPointer<UInt32> { try block.places(index) }
}
