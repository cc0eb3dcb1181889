/// The exact bytes of a note with the spans of its front-matter and its body.
///
/// A byte-order mark, the block and the body follow one another and together are all bytes.
package struct NoteText: Sendable {
  /// The kind of front-matter that a note begins with.
  package enum Format: Sendable {
    case none, yaml, toml
  }

  package let bytes: [UInt8]
  package let format: Format
  /// The front-matter with both fences and the closing line end, without a byte-order mark.
  package let block: Range<Int>?
  /// The bytes between the fences: whole lines, or nothing.
  package let frontMatter: Range<Int>?
  package let body: Range<Int>
  /// The line end of the file: the first one found, else a line feed.
  package let lineEnd: [UInt8]
  /// Whether front-matter begins that no fence closes; all of it is body then.
  let isUnclosed: Bool

  /// Finds the front-matter and the body of a file.
  ///
  /// Any bytes are accepted.
  /// - Complexity: O(n) at most; the body is not read where the front-matter is closed.
  package init(_ bytes: [UInt8]) {
    let fences = Fences(in: bytes)
    self.bytes = bytes
    format = fences.format
    frontMatter = fences.inner
    block = fences.inner == nil ? nil : fences.start..<fences.end
    body = fences.end..<bytes.count
    isUnclosed = fences.isUnclosed
    lineEnd = bytes.firstLineEnd
  }

  /// Returns the lines and the columns of byte offsets that never decrease.
  ///
  /// - Complexity: O(n), however many they are.
  package func positions(of offsets: [Int]) -> [(line: Int, column: Int)] {
    var (line, column, index) = (1, 1, 0)
    return offsets.map { offset in
      while index < min(offset, bytes.count) {
        if bytes[index] == 0x0A {
          (line, column) = (line + 1, 1)
        } else if bytes[index] & 0xC0 != 0x80 {
          column += 1
        }
        index += 1
      }
      return (line, column)
    }
  }

  /// Returns the line and the column of a byte offset, both from 1, columns in characters.
  ///
  /// - Complexity: O(n).
  package func position(of offset: Int) -> (line: Int, column: Int) {
    let end = min(max(offset, 0), bytes.count)
    var line = 1
    var start = 0
    while let lineFeed = bytes.lineFeed(from: start), lineFeed < end {
      line += 1
      start = lineFeed + 1
    }
    if start == 0, bytes.starts(with: Fences.byteOrderMark) { start = min(3, end) }
    var column = 1
    for index in start..<end where bytes[index] & 0xC0 != 0x80 { column += 1 }
    return (line, column)
  }

  /// Returns a problem at a byte offset.
  func problem(at offset: Int, _ message: String, severity: Problem.Severity = .error) -> Problem {
    let place = position(of: offset)
    return Problem(severity: severity, line: place.line, column: place.column, message: message)
  }
}

extension NoteText: Equatable {
  /// Says whether the bytes are the same; all else follows from them.
  package static func == (left: NoteText, right: NoteText) -> Bool {
    left.bytes.isSame(in: left.bytes.indices, as: right.bytes, in: right.bytes.indices)
  }
}
