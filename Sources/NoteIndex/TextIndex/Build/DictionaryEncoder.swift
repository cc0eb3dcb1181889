/// Writes terms in the order of their bytes, in blocks of which each can be read by itself.
///
/// A block has where the postings of its first term begin, then its terms: how many bytes each shares with
/// the one before in the block, how many more it has, those bytes, in how many documents it stands, and how
/// many bytes its postings take.
final class DictionaryEncoder {
  /// How many terms a block has, at most.
  static let blockLength = 16

  let bytes = ByteSink(capacity: 1 << 14)
  /// Where each block begins.
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

  /// Says that the postings of the first term begin so many bytes further on.
  func moveForward(by size: Int) {
    for block in blocks {
      let start = IndexLayout.number(bytes.contents, block)
      bytes.set(start + UInt64(size), at: block)
    }
  }
}
