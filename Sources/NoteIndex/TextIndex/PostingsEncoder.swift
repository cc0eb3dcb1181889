/// Writes the postings of one term after another in the form in which they are looked up.
///
/// Documents come in blocks of 128. A block has its documents, then their places. Of each document it has twice
/// the distance from the one before, plus 1 where the word stands in it once, in the body; else it has a number
/// more: how often it stands in the body less 2, twice; or if it stands elsewhere too, the fields as bits,
/// twice, plus 1, and then how often it stands in each. Places are distances from the one before in the field.
/// Where there is more than one block, the last document and the end of each stand before them.
final class PostingsEncoder {
  static let blockLength = 128
  /// The size of what stands before the blocks about each of them.
  static let skipSize = 8

  let bytes = ByteSink(capacity: 1 << 16)
  private let documents = ByteSink()
  private let places = ByteSink()
  /// How often the word stands in each field of a document.
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

  /// Begins a term that stands in so many documents.
  func begin(documentCount: Int) {
    start = bytes.count
    blockCount = Self.blockCount(documentCount)
    if blockCount > 1 { bytes.append(zeros: blockCount * Self.skipSize) }
    blockStart = bytes.count
    block = 0
    inBlock = 0
    nextDocument = 0
  }

  /// How many blocks hold so many documents.
  static func blockCount(_ documentCount: Int) -> Int { (documentCount + blockLength - 1) / blockLength }

  /// Adds a document with its places, which ascend.
  @inline(__always)
  func add(_ document: UInt32, _ placesInDocument: UnsafeMutableBufferPointer<UInt32>) {
    let count = placesInDocument.count
    let distance = document &+ 1 &- nextDocument
    nextDocument = document &+ 1
    if placesInDocument[count &- 1] >> WordPlace.fieldShift != 0 {
      addFields(distance, placesInDocument)
    } else {
      documents.append(code: distance << 1 | (count == 1 ? 1 : 0))
      if count > 1 { documents.append(code: UInt32(count &- 2) << 1) }
      var last: UInt32 = 0
      for place in placesInDocument {
        places.append(code: place &- last)
        last = place
      }
    }
    inBlock &+= 1
    if inBlock == Self.blockLength { finishBlock() }
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
      let skip = start + block * Self.skipSize
      bytes.set(nextDocument &- 1, at: skip)
      bytes.set(UInt32(bytes.count - blockStart), at: skip + 4)
    }
    block += 1
  }

  /// Ends the term; returns how many bytes its postings take.
  func end() -> Int {
    if inBlock > 0 { finishBlock() }
    return bytes.count - start
  }
}
