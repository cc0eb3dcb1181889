/// What is wrong with an index of history when it cannot answer.
enum PathHistoryFailure: Error {
  /// It is damaged, and has to be made anew.
  case damaged
  /// An object of the repository cannot be read.
  case unreadable
}

/// Bytes of a mapped file that are held against a sum page by page, each when it is first looked at.
final class PagedBytes {
  static let pageSize = 4_096

  private let file: FileBytes
  private let start: Int
  private let count: Int
  /// Where the sums of the pages lie in the file.
  private let sums: Int
  private var isSound: [Bool]

  /// The bytes from an offset of a file to its end; nil where their number is another.
  /// - Parameter sums: the offset of eight bytes for each page.
  init?(_ file: FileBytes, from start: Int, count: Int, sums: Int) {
    guard start >= 0, count >= 0, start + count == file.buffer.count else { return nil }
    self.file = file
    self.start = start
    self.count = count
    self.sums = sums
    isSound = Array(repeating: false, count: Self.pages(of: count))
  }

  /// How many pages some bytes fill.
  static func pages(of count: Int) -> Int { (count + pageSize - 1) / pageSize }

  /// Lends a part of the bytes.
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    get throws(PathHistoryFailure) {
      guard range.lowerBound >= 0, range.upperBound <= count else { throw .damaged }
      if !range.isEmpty {
        for page in range.lowerBound / Self.pageSize...(range.upperBound - 1) / Self.pageSize
        where !isSound[page] {
          try check(page)
        }
      }
      return file.buffer[rebased: (start + range.lowerBound)..<(start + range.upperBound)]
    }
  }

  private func check(_ page: Int) throws(PathHistoryFailure) {
    let from = start + page * Self.pageSize
    let bytes = file.buffer[rebased: from..<min(from + Self.pageSize, file.buffer.count)]
    guard bytes.sum(from: 0) == file.buffer.little64(at: sums + page * 8) else { throw .damaged }
    isSound[page] = true
  }

  func little32(at offset: Int) throws(PathHistoryFailure) -> UInt32 {
    try self[offset..<(offset + 4)].little32(at: 0)
  }

  func little64(at offset: Int) throws(PathHistoryFailure) -> UInt64 {
    try self[offset..<(offset + 8)].little64(at: 0)
  }

  func id(at offset: Int) throws(PathHistoryFailure) -> ObjectID {
    ObjectID(loading: try self[offset..<(offset + 20)], at: 0)
  }
}
