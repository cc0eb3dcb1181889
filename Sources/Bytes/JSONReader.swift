/// Reads values of JSON from bytes: the only parser of JSON in the program.
///
///     let node = try JSONReader.whole(bytes)
///     let title = node["title"]?.text
///
/// Control characters other than line ends are accepted inside strings, because programs write them.
/// Source: RFC 8259.
package struct JSONReader: Sendable {
  /// How the reader treats values that no Swift value represents exactly.
  package enum Fidelity: Sendable {
    /// Refuses names that occur twice in an object, and unpaired surrogates.
    case exact
    /// Accepts both; U+FFFD replaces an unpaired surrogate. The text keeps its length in UTF-16.
    case replacing
  }

  /// The maximum nesting of lists and objects, unless a caller gives a lower one.
  package static let deepest = 128

  package let bytes: [UInt8]
  /// The offset of the next byte, at most the number of bytes.
  package var offset = 0
  /// The line of the next byte, from 1.
  package var line = 1
  private let fidelity: Fidelity
  private let deepest: Int

  /// Makes a reader at the first byte.
  package init(_ bytes: [UInt8], _ fidelity: Fidelity = .exact, deepest: Int = Self.deepest) {
    self.bytes = bytes
    self.fidelity = fidelity
    self.deepest = deepest
  }

  /// Reads a text that is one value and nothing else but blanks and a byte-order mark.
  ///
  /// - Throws: if the text is not well formed, or is nested deeper than `deepest`.
  /// - Complexity: O(n).
  package static func whole(
    _ bytes: [UInt8], _ fidelity: Fidelity = .exact
  ) throws(JSONProblem) -> JSONNode {
    var reader = JSONReader(bytes, fidelity)
    reader.skipByteOrderMark()
    let node = try reader.value()
    reader.skipBlanks()
    guard reader.isAtEnd else { throw reader.problem("unexpected text after the value") }
    return node
  }

  package var isAtEnd: Bool { offset >= bytes.count }

  /// The next byte; nil at the end.
  package var nextByte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Skips a byte-order mark, which some programs write before a text.
  package mutating func skipByteOrderMark() { _ = skip("\u{FEFF}") }

  /// Skips blanks and line ends.
  package mutating func skipBlanks() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x0A: line += 1
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      offset += 1
    }
  }

  /// Skips a text without line ends if it comes next.
  ///
  /// - Returns: whether it did.
  package mutating func skip(_ text: StaticString) -> Bool {
    guard offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    let isNext = text.withUTF8Buffer { bytes[offset..<offset + $0.count].elementsEqual($0) }
    if isNext { offset += text.utf8CodeUnitCount }
    return isNext
  }

  /// Reads one value, after blanks; does not read beyond it.
  ///
  /// - Throws: if the value is not well formed. The reader is then at the byte where reading stopped.
  package mutating func value() throws(JSONProblem) -> JSONNode { try value(depth: 0) }

  package func problem(_ message: String) -> JSONProblem { JSONProblem(line: line, message) }
}

extension JSONReader {
  private mutating func skip(byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONNode {
    guard depth < deepest else { throw problem("nested deeper than \(deepest) levels") }
    skipBlanks()
    let start = line
    guard offset < bytes.count else { throw problem("unexpected end of text inside a value") }
    let value: JSONNode.Value
    switch bytes[offset] {
    case UInt8(ascii: "{"): value = try object(depth)
    case UInt8(ascii: "["): value = try array(depth)
    case UInt8(ascii: "\""): value = .string(try string())
    default: value = try word()
    }
    return JSONNode(line: start, value: value)
  }

  private mutating func object(_ depth: Int) throws(JSONProblem) -> JSONNode.Value {
    offset += 1
    var members: [(key: String, node: JSONNode)] = []
    var names: Set<[UInt8]> = []
    skipBlanks()
    if skip(byte: UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipBlanks()
      guard nextByte == UInt8(ascii: "\"") else { throw problem("expected a name in quotes") }
      let key = try string()
      skipBlanks()
      guard skip(byte: UInt8(ascii: ":")) else { throw problem("no colon after the name \(key)") }
      if fidelity == .exact, !names.insert(Array(key.utf8)).inserted {
        throw problem("the name \(key) occurs twice")
      }
      members.append((key, try value(depth: depth + 1)))
      skipBlanks()
      if skip(byte: UInt8(ascii: "}")) { return .object(members) }
      guard skip(byte: UInt8(ascii: ",")) else { throw problem("no comma or closing brace after \(key)") }
    }
  }

  private mutating func array(_ depth: Int) throws(JSONProblem) -> JSONNode.Value {
    offset += 1
    var elements: [JSONNode] = []
    skipBlanks()
    if skip(byte: UInt8(ascii: "]")) { return .array([]) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipBlanks()
      if skip(byte: UInt8(ascii: "]")) { return .array(elements) }
      guard skip(byte: UInt8(ascii: ",")) else { throw problem("no comma or closing bracket in a list") }
    }
  }

  /// Reads a number, or one of the three words.
  private mutating func word() throws(JSONProblem) -> JSONNode.Value {
    let word = bytes[offset...].prefix { byte in
      ASCII.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "+")
    }
    let text = String(decoding: word, as: UTF8.self)
    let value: JSONNode.Value
    switch text {
    case "null": value = .null
    case "true": value = .boolean(true)
    case "false": value = .boolean(false)
    default:
      guard Self.isNumber(word) else {
        throw problem(text.isEmpty ? "a value is missing" : "\(text) is not a JSON value")
      }
      value = .number(text)
    }
    offset += word.count
    return value
  }

  /// Whether bytes are a number by RFC 8259, section 6.
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    /// Removes digits; false if there are none.
    func dropDigits() -> Bool {
      let count = rest.prefix(while: ASCII.isDigit).count
      rest = rest.dropFirst(count)
      return count > 0
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    if rest.first == UInt8(ascii: "0") { rest = rest.dropFirst() } else if !dropDigits() { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard dropDigits() else { return false }
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard dropDigits() else { return false }
    }
    return rest.isEmpty
  }
}

/// Strings.
extension JSONReader {
  /// Reads a string; the next byte is its opening quote.
  ///
  /// - Throws: if the string is not well formed.
  package mutating func string() throws(JSONProblem) -> String {
    offset += 1
    let start = offset
    offset = endOfPlainBytes()
    if skip(byte: UInt8(ascii: "\"")) { return try text(bytes[start..<offset - 1]) }
    var decoded = Array(bytes[start..<offset])
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return try text(decoded[...])
      case UInt8(ascii: "\\"):
        offset += 1
        decoded.append(scalar: try escaped())
      case 0x0A: throw problem("a string has no closing quote")
      default:
        offset += 1
        decoded.append(byte)
      }
      let run = offset
      offset = endOfPlainBytes()
      decoded.append(contentsOf: bytes[run..<offset])
    }
    throw problem("a string has no closing quote")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(JSONProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("a string is not UTF-8") }
    return text
  }

  /// The offset of the next quote, backslash or control character, searched eight bytes at a time.
  private func endOfPlainBytes() -> Int {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let span = bytes.span
    var place = offset
    while place + 8 <= span.count {
      let word = UInt64(littleEndian: span.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
      let (quotes, slashes) = (word ^ 0x22 &* ones, word ^ 0x5C &* ones)
      // A byte below the true first one is never marked: only bytes after a marked one borrow from it.
      let marks =
        (((word &- 0x20 &* ones) & ~word) | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes))
        & highs
      if marks != 0 { return place + marks.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < span.count, span[place] >= 0x20, span[place] != 0x22, span[place] != 0x5C { place += 1 }
    return place
  }

  /// Reads an escape after its backslash.
  private mutating func escaped() throws(JSONProblem) -> UInt32 {
    guard offset < bytes.count else { throw problem("unexpected end of text inside an escape") }
    let letter = bytes[offset]
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(letter)
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
      let unit = try unit()
      guard (0xD800..<0xE000).contains(unit) else { return unit }
      let place = offset
      if unit < 0xDC00, skip("\\u") {
        let low = try self.unit()
        if (0xDC00..<0xE000).contains(low) { return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00) }
        offset = place
      }
      if fidelity == .replacing { return 0xFFFD }
      throw problem("unpaired surrogate: \\u\(String(unit, radix: 16))")
    default: throw problem("invalid escape")
    }
  }

  /// Reads four hexadecimal digits.
  private mutating func unit() throws(JSONProblem) -> UInt32 {
    var unit: UInt32 = 0
    for place in offset..<offset + 4 {
      guard place < bytes.count, let digit = Character(UnicodeScalar(bytes[place])).hexDigitValue else {
        throw problem("expected four hexadecimal digits")
      }
      unit = unit << 4 | UInt32(digit)
    }
    offset += 4
    return unit
  }
}

/// The first error in a text that is not JSON.
package struct JSONProblem: Error, Sendable, Equatable {
  /// The line, from 1.
  package let line: Int
  /// The mistake, on one line. It may quote the text.
  package let message: String

  package init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }
}

/// A value of JSON with the line on which it begins.
package struct JSONNode: Sendable {
  package enum Value: Sendable {
    case null
    case boolean(Bool)
    /// A number as it is spelled.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members in their order.
    case object([(key: String, node: JSONNode)])
  }

  package let line: Int
  package let value: Value

  package init(line: Int, value: Value) {
    self.line = line
    self.value = value
  }

  /// The text of a string, a number or a boolean.
  package var text: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// The elements of an array.
  package var elements: [JSONNode]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  /// The members of an object.
  package var members: [(key: String, node: JSONNode)]? {
    if case .object(let members) = value { members } else { nil }
  }

  /// The last member of a name.
  package subscript(key: String) -> JSONNode? { members?.last { $0.key == key }?.node }
}
