import Bytes
import func Glibc.memchr

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
    withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base, 0, end) else { return nil }
      return UnsafeRawPointer(base).distance(to: found)
    }
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
