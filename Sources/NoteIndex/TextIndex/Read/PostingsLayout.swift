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
