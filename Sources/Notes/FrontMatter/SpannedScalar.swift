import Bytes
/// A scalar as the span reader finds it.
struct SpannedScalar {
  let value: FieldValue
  /// The scalar with its quotes.
  let range: Range<Int>
  let style: ScalarStyle
}

extension SpanReader {
  /// Reads a scalar on one line, or returns nil if it is not recognised.
  func scalar(at start: Int, inFlow: Bool) -> SpannedScalar? {
    guard start < end else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""): return doubleQuoted(at: start)
    case UInt8(ascii: "'"): return singleQuoted(at: start)
    default: return plain(at: start, inFlow: inFlow)
    }
  }

  private func plain(at start: Int, inFlow: Bool) -> SpannedScalar? {
    guard canBeginPlain(at: start, inFlow: inFlow) else { return nil }
    guard let last = inFlow ? plainEndInFlow(start) : plainEnd(start) else { return nil }
    let range = start..<last
    let value = isNull(range) ? FieldValue.empty : .text(text(range))
    return SpannedScalar(value: value, range: range, style: .plain)
  }

  private func canBeginPlain(at start: Int, inFlow: Bool) -> Bool {
    switch bytes[start] {
    case UInt8(ascii: "-"):
      guard !isBlankOrEnd(start + 1) else { return false }
      return !inFlow || bytes[start + 1].isLetterOrDigit
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"),
      UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "'"), UInt8(ascii: "\""),
      UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"), 0x20, 0x0A, 0x0D:
      return false
    default: return true
    }
  }

  /// Returns the end of a plain scalar outside flow lists, without the blanks after it.
  private func plainEnd(_ start: Int) -> Int? {
    var last = start
    var index = start
    while index < end {
      switch bytes[index] {
      case 0x0A, 0x0D: return last
      case UInt8(ascii: ":"):
        if isBlankOrEnd(index + 1) { return nil }
        last = index + 1
      case UInt8(ascii: "#"):
        if bytes[index - 1] == 0x20 { return last }
        last = index + 1
      case 0x20: break
      default: last = index + 1
      }
      index += 1
    }
    return last
  }

  /// Returns the end of a plain scalar in a flow list; signs that mean something there are left to libyaml.
  private func plainEndInFlow(_ start: Int) -> Int? {
    var last = start
    var index = start
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: ","), UInt8(ascii: "]"): return last
      case UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "{"),
        UInt8(ascii: "}"), 0x0A, 0x0D:
        return nil
      case 0x20: break
      default: last = index + 1
      }
      index += 1
    }
    return nil
  }

  private func singleQuoted(at start: Int) -> SpannedScalar? {
    var hasQuotes = false
    var index = start + 1
    while index < end, bytes[index] != 0x0A {
      if bytes[index] == UInt8(ascii: "'") {
        guard index + 1 < end, bytes[index + 1] == UInt8(ascii: "'") else {
          let content = start + 1..<index
          let value = hasQuotes ? unquoted(content, doubling: UInt8(ascii: "'")) : text(content)
          return SpannedScalar(value: .text(value), range: start..<index + 1, style: .single)
        }
        hasQuotes = true
        index += 1
      }
      index += 1
    }
    return nil
  }

  private func doubleQuoted(at start: Int) -> SpannedScalar? {
    var hasEscapes = false
    var index = start + 1
    while index < end, bytes[index] != 0x0A {
      if bytes[index] == UInt8(ascii: "\"") {
        let content = start + 1..<index
        let value = hasEscapes ? unquoted(content, doubling: UInt8(ascii: "\\")) : text(content)
        return SpannedScalar(value: .text(value), range: start..<index + 1, style: .double)
      }
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
        guard index < end, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "\\") else {
          return nil
        }
        hasEscapes = true
      }
      index += 1
    }
    return nil
  }

  /// Returns text in which the byte after each mark is literal.
  private func unquoted(_ range: Range<Int>, doubling mark: UInt8) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == mark { index += 1 }
      result.append(bytes[index])
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func isNull(_ range: Range<Int>) -> Bool {
    switch range.count {
    case 1: bytes[range.lowerBound] == UInt8(ascii: "~")
    case 4:
      switch bytes[range.lowerBound] {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): YAMLTypes.isNull(text(range))
      default: false
      }
    default: false
    }
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit.
  var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
