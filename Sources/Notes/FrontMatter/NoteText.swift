import Bytes

/// The exact bytes of a note with the spans of its front-matter and its body.
///
/// A byte-order mark, the block and the body follow one another and together are all bytes.
package struct NoteText: Sendable {
  /// The kind of front-matter that a note begins with.
  package enum Format: Sendable {
    case none, yaml, toml, json
  }

  package let bytes: [UInt8]
  package let format: Format
  /// The front-matter with both fences and the closing line end, without a byte-order mark.
  package let block: Range<Int>?
  /// The bytes between the fences: whole lines, or nothing. For JSON the object with its line end.
  package let frontMatter: Range<Int>?
  package let body: Range<Int>
  /// The line end of the file: the first one found, else a line feed.
  package let lineEnd: [UInt8]
  /// Whether front-matter begins that no fence closes; all of it is body then.
  let isUnclosed: Bool

  /// Finds the front-matter and the body of a file.
  ///
  /// Any bytes are accepted.
  /// - Complexity: O(n) at most; the body is not read if the front-matter is closed.
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

extension NoteText {
  /// Returns the note with another body, taken as it is.
  ///
  /// A line end is added only if the body would otherwise join the closing fence or be read as
  /// front-matter.
  package func replacingBody(_ body: [UInt8]) -> NoteText {
    NoteText(Array(bytes[..<self.body.lowerBound]) + separator(before: body) + body)
  }

  /// Returns the note with text after its end, on lines of its own, with the line ends of the file.
  package func appending(_ addition: [UInt8]) -> NoteText {
    guard !addition.isEmpty else { return self }
    var added = withOwnLineEnds(addition)
    if added.last != 0x0A { added += lineEnd }
    if body.isEmpty { return replacingBody(added) }
    let needsBlank = continuesBlock(addition[...], at: body.upperBound)
    return NoteText(bytes + (bytes.last == 0x0A ? [] : lineEnd) + (needsBlank ? lineEnd : []) + added)
  }

  /// Whether text at an offset would belong to the block before it against its own form: to the item of a list, a
  /// quotation, a table, a footnote, or a block with a name (`^id`), which is the end of the block.
  func continuesBlock(_ addition: ArraySlice<UInt8>, at end: Int) -> Bool {
    let lines = lastLines(before: end)
    guard let last = lines.last, let first = lines.first, addition.first != 0x0A, addition.first != 0x0D
    else { return false }
    let (isItem, opensQuote) = (Self.isItemOrIndented(addition), addition.first == UInt8(ascii: ">"))
    if lines.contains(where: Self.isItemOrIndented), !isItem { return true }
    if first.drop(while: Self.isSpace).first == UInt8(ascii: ">") { return !opensQuote }
    if lines.contains(where: Self.isTableRule) { return addition.first != UInt8(ascii: "|") }
    if first.starts(with: "[^".utf8), first.contains(UInt8(ascii: ":")) {
      return !addition.starts(with: "[^".utf8)
    }
    return Self.endsInName(last) && !lines.contains(where: Self.isItemOrIndented)
  }

  /// The lines of the body before an offset that are not blank, up to a blank one.
  private func lastLines(before end: Int) -> [ArraySlice<UInt8>] {
    var end = end
    if end > body.lowerBound, bytes[end - 1] == 0x0A { end -= 1 }
    var lines: [ArraySlice<UInt8>] = []
    while end > body.lowerBound {
      let start = bytes[body.lowerBound..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? body.lowerBound
      let line = bytes[start..<end]
      if line.allSatisfy(Self.isSpace) { break }
      lines.append(line)
      end = max(body.lowerBound, start - 1)
    }
    return lines.reversed()
  }

  /// Whether a line parts the head of a table from its rows.
  private static func isTableRule(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains(UInt8(ascii: "-")) && line.contains(UInt8(ascii: "|"))
      && line.allSatisfy { "|-:".utf8.contains($0) || isSpace($0) }
  }

  /// Whether a line ends with the name of a block.
  private static func endsInName(_ line: ArraySlice<UInt8>) -> Bool {
    let word = line.reversed().drop(while: isSpace).prefix { !isSpace($0) }
    return word.count > 1 && word.last == UInt8(ascii: "^")
  }

  private static func isItemOrIndented(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    return isSpace(first) || isItem(text)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Returns the line end that must come before a new body, or nothing.
  private func separator(before body: [UInt8]) -> [UInt8] {
    guard !body.isEmpty else { return [] }
    if block != nil { return bytes[self.body.lowerBound - 1] == 0x0A ? [] : lineEnd }
    return Fences(in: body).format == .none ? [] : lineEnd
  }

  /// Returns text with every line end written as in the file.
  package func withOwnLineEnds(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 16)
    for (index, byte) in text.enumerated() {
      if byte == 0x0A {
        result += lineEnd
      } else if byte != 0x0D || text[(index + 1)...].first != 0x0A {
        result.append(byte)
      }
    }
    return result
  }
}

extension NoteText {
  /// The first thing in the file that is no text, a NUL byte or bytes that are not UTF-8; nil if all is.
  ///
  /// - Complexity: O(n).
  package var unreadable: Problem? {
    guard let offset = FrontMatterBytes.firstUnreadable(bytes) else { return nil }
    return problem(at: offset, bytes[offset] == 0 ? "a NUL byte" : "not UTF-8 text")
  }
}

/// A fault found in a note, with the place to look at.
package struct Problem: Error, Equatable, Sendable {
  /// How much a fault hinders.
  package enum Severity: Sendable {
    /// The front-matter can't be changed.
    case error
    /// Worth a word; changes are still possible.
    case warning
  }

  package let severity: Severity
  /// The line in the file, from 1.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int
  /// The fault, without the place.
  package let message: String
  /// Whether the fault is a placeholder of a template that slip does not know.
  package let isUnknownPlaceholder: Bool

  package init(
    severity: Severity, line: Int, column: Int, message: String, isUnknownPlaceholder: Bool = false
  ) {
    self.severity = severity
    self.line = line
    self.column = column
    self.message = message
    self.isUnknownPlaceholder = isUnknownPlaceholder
  }
}

/// Replacements of byte ranges, to be made at once.
package struct Splices {
  private var items: [(range: Range<Int>, bytes: [UInt8])] = []

  package init() {}

  /// Replaces a range; ranges must not overlap, and insertions at one place keep their order.
  package mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) { items.append((range, bytes)) }

  package mutating func insert(_ bytes: [UInt8], at offset: Int) { replace(offset..<offset, with: bytes) }

  package mutating func remove(_ range: Range<Int>) { replace(range, with: []) }

  /// Returns bytes with all replacements made.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + items.reduce(0) { $0 + $1.bytes.count })
    var offset = 0
    for item in items.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if item.range.lowerBound > offset { result += bytes[offset..<item.range.lowerBound] }
      result += item.bytes
      offset = max(offset, item.range.upperBound)
    }
    return result + bytes[offset...]
  }
}

extension String {
  /// Says whether two strings have the same UTF-8 bytes, where `==` compares canonical equivalents.
  @inline(__always)
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && hasSameBytes(ofSameCount: other)
  }

  private func hasSameBytes(ofSameCount other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard let own = own.baseAddress, let start = others.baseAddress else { return true }
        return CLibrary.compare(own, start, count: others.count) == 0
      }
    }
    return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether a byte below a blank is there, such as a tab or the end of a line.
  var hasControls: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var lowest = UInt8.max
      for byte in bytes { lowest = min(lowest, byte) }
      return lowest < 0x20
    } ?? utf8.contains { $0 < 0x20 }
  }

  /// Whether there are no bytes above 127.
  var isASCII: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var all: UInt8 = 0
      for byte in bytes { all |= byte }
      return all < 0x80
    } ?? utf8.allSatisfy { $0 < 0x80 }
  }
}
