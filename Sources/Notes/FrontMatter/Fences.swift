import Bytes

/// The bounds of the front-matter in the bytes of a file.
///
/// The opening fence is the first line, after an optional byte-order mark; the closing one is the next
/// line that has nothing but the fence and blanks.
struct Fences {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Keys of front-matter that is not closed are looked for in so many bytes.
  private static let longestKey = 40

  private(set) var format = NoteText.Format.none
  /// The offset after the byte-order mark.
  let start: Int
  private(set) var inner: Range<Int>?
  /// The offset after the closing fence's line, or `start` if there is no front-matter.
  private(set) var end: Int
  private(set) var isUnclosed = false

  init(in bytes: [UInt8]) {
    start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    end = start
    if let end = JSONBlock.end(in: bytes, at: start) {
      format = .json
      inner = start..<end
      self.end = end
      return
    }
    guard start + 3 < bytes.count, let opening = Self.Mark(bytes[start]), opening != .dots,
      let first = opening.lineEnd(in: bytes, at: start), first.next > first.line
    else { return }
    let closing: [Mark] = opening == .plus ? [.plus] : [.dashes, .dots]
    format = opening == .plus ? .toml : .yaml
    var line = first.next
    while line < bytes.count {
      if let mark = Mark(bytes[line]), closing.contains(mark), let last = mark.lineEnd(in: bytes, at: line) {
        inner = first.next..<line
        end = last.next
        return
      }
      guard let lineFeed = bytes.lineFeed(from: line) else { break }
      line = lineFeed + 1
    }
    isUnclosed = Self.looksLikeKey(bytes, at: first.next, before: opening == .plus ? "=" : ":")
    if !isUnclosed { format = .none }
  }

  /// Says whether a line begins with a short name and a separator, as prose under a rule rarely does.
  private static func looksLikeKey(_ bytes: [UInt8], at line: Int, before separator: Unicode.Scalar) -> Bool {
    let last = min(line + longestKey, bytes.count)
    guard line < last, bytes[line] != 0x20 else { return false }
    for index in line..<last {
      if bytes[index] == UInt8(ascii: separator) { return index > line && bytes.isBlankOrEnd(index + 1) }
      guard bytes[index].isKeyByte || bytes[index] == UInt8(ascii: "\"") else { return false }
    }
    return false
  }
}

extension Fences {
  /// The three bytes of a fence.
  private enum Mark {
    case dashes, dots, plus

    init?(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "-"): self = .dashes
      case UInt8(ascii: "."): self = .dots
      case UInt8(ascii: "+"): self = .plus
      default: return nil
      }
    }

    private var byte: UInt8 {
      switch self {
      case .dashes: UInt8(ascii: "-")
      case .dots: UInt8(ascii: ".")
      case .plus: UInt8(ascii: "+")
      }
    }

    /// Returns the ends of the line without and with its line end, if it is this fence and blanks alone.
    func lineEnd(in bytes: [UInt8], at start: Int) -> (line: Int, next: Int)? {
      guard start + 3 <= bytes.count, bytes[start] == byte, bytes[start + 1] == byte, bytes[start + 2] == byte
      else { return nil }
      var index = start + 3
      while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
      if index == bytes.count { return (index, index) }
      if bytes[index] == 0x0A { return (index, index + 1) }
      if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { return (index, index + 2) }
      return nil
    }
  }
}

/// An object of JSON that a file begins with.
private enum JSONBlock {
  /// Larger ones are text.
  private static let longest = 1 << 20

  /// The offset after the line in which the object ends; nil if the file begins with none, or if text follows it there.
  static func end(in bytes: [UInt8], at start: Int) -> Int? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{"),
      let first = bytes[(start + 1)...].firstIndex(where: { $0 > 0x20 }), bytes[first] == UInt8(ascii: "\""),
      let name = string(in: bytes, from: first),
      let colon = bytes[name...].firstIndex(where: { $0 > 0x20 }), bytes[colon] == UInt8(ascii: ":")
    else { return nil }
    var (position, depth) = (start, 0)
    let limit = min(bytes.count, start + longest)
    while position < limit {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        guard let end = string(in: bytes, from: position) else { return nil }
        position = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return lineEnd(in: bytes, from: position) }
    }
    return nil
  }

  /// The offset after a string that begins at a quote; nil if it does not end.
  private static func string(in bytes: [UInt8], from start: Int) -> Int? {
    var position = start + 1
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\"") { return position + 1 }
      if bytes[position] < 0x20 { return nil }
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private static func lineEnd(in bytes: [UInt8], from offset: Int) -> Int? {
    var position = offset
    while position < bytes.count, bytes[position] != 0x0A {
      guard [0x20, 0x09, 0x0D].contains(bytes[position]) else { return nil }
      position += 1
    }
    return min(position + 1, bytes.count)
  }
}

extension [UInt8] {
  /// Returns the offset of the next line feed.
  func lineFeed(from start: Int) -> Int? {
    guard start < count else { return nil }
    return withUnsafeBytes { CLibrary.offset(of: 0x0A, in: $0, from: start, to: $0.count) }
  }

  /// Says whether a part holds the same bytes as a part of other bytes.
  func isSame(in range: Range<Int>, as other: [UInt8], in otherRange: Range<Int>) -> Bool {
    guard range.count == otherRange.count, range.upperBound <= count, otherRange.upperBound <= other.count
    else { return false }
    guard !range.isEmpty else { return true }
    return withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return false }
        return CLibrary.compare(
          mine + range.lowerBound, theirs + otherRange.lowerBound, count: range.count) == 0
      }
    }
  }

  /// The first line end of the file, else a line feed.
  var firstLineEnd: [UInt8] {
    guard let lineFeed = lineFeed(from: 0), lineFeed > 0, self[lineFeed - 1] == 0x0D else { return [0x0A] }
    return [0x0D, 0x0A]
  }

  /// Whether a blank, a line end or the end of the bytes is at an offset.
  func isBlankOrEnd(_ offset: Int) -> Bool {
    guard offset < count else { return true }
    return self[offset] == 0x20 || self[offset] == 0x09 || self[offset] == 0x0A || self[offset] == 0x0D
  }
}

extension UInt8 {
  /// Whether the plain name of a field may contain the byte at any place for the span reader.
  var isKeyByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "/"), 0x20, 0x80...:
      true
    default: false
    }
  }
}

/// Checks of bytes that come before reading them as YAML.
enum FrontMatterBytes {
  /// Returns the first NUL byte or byte that is not UTF-8, in the whole file.
  static func firstUnreadable(_ bytes: [UInt8]) -> Int? {
    guard bytes.hasNULOrHighBit else { return nil }
    var valid = bytes.count
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      valid = error.byteOffsets.lowerBound
    }
    return bytes.firstNUL(before: valid) ?? (valid < bytes.count ? valid : nil)
  }

  /// Says whether valid UTF-8 has nothing but printable characters and the line ends LF and CRLF.
  static func areSimple(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if index + 8 <= range.upperBound, bytes.arePrintable(at: index) {
        index += 8
        continue
      }
      let byte = bytes[index]
      if byte < 0x20 {
        if byte == 0x0D {
          guard index + 1 < range.upperBound, bytes[index + 1] == 0x0A else { return false }
        } else if byte != 0x0A {
          return false
        }
      } else if byte >= 0x7F, byte == 0x7F || isSpecial(bytes, at: index) {
        return false
      }
      index += 1
    }
    return true
  }

  /// Returns the first character that YAML does not allow, with what to say of it.
  static func firstForbidden(_ bytes: [UInt8], in range: Range<Int>) -> (offset: Int, message: String)? {
    for index in range {
      let byte = bytes[index]
      if byte >= 0x20, byte < 0x7F { continue }
      if byte < 0x20 ? !(byte == 0x09 || byte == 0x0A || byte == 0x0D) : byte == 0x7F {
        return (index, "a control character, which YAML does not allow")
      }
      if byte >= 0xC2, isSpecial(bytes, at: index), !isLineSeparator(bytes, at: index) {
        return (index, "a control character, which YAML does not allow")
      }
    }
    return nil
  }

  /// Says whether a C1 control, a line separator, a byte-order mark or a noncharacter begins here.
  private static func isSpecial(_ bytes: [UInt8], at index: Int) -> Bool {
    switch bytes[index] {
    case 0xC2: index + 1 < bytes.count && bytes[index + 1] < 0xA0
    case 0xE2: isLineSeparator(bytes, at: index)
    case 0xEF:
      index + 2 < bytes.count
        && (bytes[index + 1] == 0xBB && bytes[index + 2] == 0xBF
          || bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE)
    default: false
    }
  }

  /// Says whether a line end of YAML 1.1 beyond ASCII begins here: NEL, LS or PS.
  private static func isLineSeparator(_ bytes: [UInt8], at index: Int) -> Bool {
    switch bytes[index] {
    case 0xC2: index + 1 < bytes.count && bytes[index + 1] == 0x85
    case 0xE2:
      index + 2 < bytes.count && bytes[index + 1] == 0x80 && (bytes[index + 2] & 0xFE) == 0xA8
    default: false
    }
  }
}

extension [UInt8] {
  /// Returns the offset of the first NUL byte.
  fileprivate func firstNUL(before end: Int) -> Int? {
    withUnsafeBytes { CLibrary.offset(of: 0, in: $0, from: 0, to: end) }
  }

  /// Whether the eight bytes at an offset are printable ASCII, from a blank to a tilde.
  @inline(__always)
  fileprivate func arePrintable(at offset: Int) -> Bool {
    let word = withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (belowBlank, deletes) = ((word &- 0x20 &* ones) & ~word, (word ^ 0x7F &* ones) &- ones)
    return (word | belowBlank | deletes & ~(word ^ 0x7F &* ones)) & highs == 0
  }

  /// Whether a NUL byte or a byte above ASCII is there, so that a closer look is needed.
  ///
  /// - Complexity: O(n), eight bytes at a step.
  var hasNULOrHighBit: Bool {
    withUnsafeBytes { buffer in
      var offset = 0
      while offset + 8 <= buffer.count {
        let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let zeros = (word &- 0x0101_0101_0101_0101) & ~word
        guard (word | zeros) & 0x8080_8080_8080_8080 == 0 else { return true }
        offset += 8
      }
      while offset < buffer.count {
        guard buffer[offset] != 0, buffer[offset] < 0x80 else { return true }
        offset += 1
      }
      return false
    }
  }
}
