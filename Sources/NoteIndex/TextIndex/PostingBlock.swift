import Bytes

/// A block of postings, decoded: its documents at once, their places when they are asked for.
final class PostingBlock {
  let documents: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  /// For each document the fields that have the word, as bits.
  private let fields: UnsafeMutablePointer<UInt8>
  /// For each document and each of these fields how often.
  private let frequencies: UnsafeMutablePointer<UInt32>
  /// Where the places of each document begin.
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

  /// The last document; 0 where there is none.
  var last: UInt32 { count > 0 ? documents[count - 1] : 0 }

  /// Decodes the documents.
  ///
  /// - Parameters:
  ///   - count: how many there are, one to a full block.
  ///   - first: the lowest that the first may be.
  ///   - limit: one more than the highest that the last may be.
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
      // A distance of zero, of which there is none, would leave the order.
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

  /// Reads how often the word stands in the fields of a document, and returns how often in all.
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

  /// How often the word stands in the body of a document; nil where it stands elsewhere too.
  @inline(__always)
  func bodyCount(_ index: Int) -> UInt32? {
    fields[index] == 1 ? frequencies[index &* TextField.count] : nil
  }

  /// How often the word stands in each field of a document.
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

  /// Makes room for so many places in all.
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

/// How the postings of a term are divided.
///
/// Documents come in blocks. Where there is more than one block, a table of the blocks stands before them.
enum PostingsLayout {
  /// The number of documents in a block, but for the last one.
  static let blockLength = 128
  /// The size in bytes of a row of the table of blocks: the last document of the block, and where the block ends.
  static let skipSize = 8

  /// The number of blocks for a number of documents.
  static func blockCount(_ documentCount: Int) -> Int { (documentCount + blockLength - 1) / blockLength }
}
