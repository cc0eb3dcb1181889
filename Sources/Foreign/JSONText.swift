import Bytes
package import Notes

/// Reads JSON, one record after the other.
///
/// Records are the elements of a list, objects one after the other, or one a line; brackets and commas between records are
/// not asked for, so that each form of a file is read alike. What is not well formed ends where the next line begins
/// with a brace: the records after it are read.
///
/// Source: RFC 8259.
package struct JSONText {
  private let bytes: [UInt8]
  private var next = 0
  private var line = 1
  /// The lists of records that are open.
  private var openLists = 0
  /// Lists and objects inside of each other that are read.
  private static let deepest = 128

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
  }

  /// Calls `visit` for each record of a text, and `fault` for each that is not well formed, in order.
  ///
  /// The records of an object with a list `notes`, as `slip list --json` prints them, are those of that list.
  /// - Complexity: O(n), with one record in memory at a time but for a text that is one object.
  package static func read(
    _ bytes: [UInt8], visit: (JSONNode) -> Void, fault: (ForeignProblem) -> Void
  ) {
    var reader = JSONText(bytes)
    while true {
      reader.skipBetweenRecords()
      guard !reader.isAtEnd else {
        // The file was cut off.
        if reader.openLists > 0 { fault(reader.problem("unexpected end of text inside a list")) }
        return
      }
      let start = reader
      do throws(ForeignProblem) {
        let node = try reader.node(depth: 0)
        if let notes = node["notes"]?.elements {
          notes.forEach(visit)
        } else if node.members != nil {
          visit(node)
        } else {
          fault(ForeignProblem(line: node.line, "this is not a JSON object"))
        }
      } catch {
        let hasPassedRecord = reader.goBackToRecord(after: start)
        fault(hasPassedRecord ? ForeignProblem(line: start.line, error.message) : error)
        if !hasPassedRecord { reader.skipToNextRecord() }
      }
    }
  }

  /// Calls `visit` for the first record of a text that is well formed.
  package static func readFirst(_ bytes: [UInt8], visit: (JSONNode) -> Void) {
    var reader = JSONText(bytes)
    while true {
      reader.skipBetweenRecords()
      guard !reader.isAtEnd else { return }
      do throws(ForeignProblem) {
        let node = try reader.node(depth: 0)
        guard let notes = node["notes"]?.elements else { return visit(node) }
        return notes.prefix(1).forEach(visit)
      } catch {
        reader.skipToNextRecord()
      }
    }
  }

  /// Reads a text that is one value and nothing else.
  ///
  /// - Throws: what is not well formed, and where.
  package static func whole(_ bytes: [UInt8]) throws(ForeignProblem) -> JSONNode {
    var reader = JSONText(bytes)
    reader.skipBlanks()
    let node = try reader.node(depth: 0)
    reader.skipBlanks()
    guard reader.isAtEnd else { throw ForeignProblem(line: reader.line, "unexpected text after the value") }
    return node
  }

  private var isAtEnd: Bool { next >= bytes.count }

  private mutating func skipBlanks() {
    while next < bytes.count {
      switch bytes[next] {
      case 0x0A: line += 1
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      next += 1
    }
  }

  private mutating func skipBetweenRecords() {
    skipBlanks()
    while next < bytes.count, ",[]".utf8.contains(bytes[next]) {
      if bytes[next] == UInt8(ascii: "[") { openLists += 1 }
      if bytes[next] == UInt8(ascii: "]") { openLists = max(0, openLists - 1) }
      next += 1
      skipBlanks()
    }
  }

  /// Goes back to the first line that begins with a brace, without blanks before it, and that the reading of a record ran
  /// into: in a file with a record a line, a broken one goes no further than its line.
  ///
  /// - Returns: whether there is one.
  private mutating func goBackToRecord(after start: JSONText) -> Bool {
    var (position, line) = (start.next, start.line)
    while let end = bytes[position..<min(next, bytes.count)].firstIndex(of: 0x0A) {
      (position, line) = (end + 1, line + 1)
      if position < bytes.count, bytes[position] == UInt8(ascii: "{") {
        (next, self.line, openLists) = (position, line, start.openLists)
        return true
      }
    }
    return false
  }

  /// Goes to the next line that begins with a brace, behind the place where reading stopped.
  private mutating func skipToNextRecord() {
    while next < bytes.count {
      let isLineEnd = bytes[next] == 0x0A
      next += 1
      guard isLineEnd else { continue }
      line += 1
      let start = bytes[next...].first { $0 != 0x20 && $0 != 0x09 }
      if start == UInt8(ascii: "{") { return }
    }
  }
}

extension JSONText {
  private func problem(_ message: String) -> ForeignProblem { ForeignProblem(line: line, message) }

  private mutating func skip(_ text: String) -> Bool {
    guard bytes[next...].starts(with: text.utf8) else { return false }
    next += text.utf8.count
    return true
  }

  private mutating func node(depth: Int) throws(ForeignProblem) -> JSONNode {
    guard depth < Self.deepest else { throw problem("nested deeper than \(Self.deepest) levels") }
    skipBlanks()
    let start = line
    guard next < bytes.count else { throw problem("unexpected end of text inside a value") }
    let value: JSONNode.Value
    switch bytes[next] {
    case UInt8(ascii: "{"): value = try object(depth)
    case UInt8(ascii: "["): value = try array(depth)
    case UInt8(ascii: "\""): value = .string(try string())
    default: value = try word()
    }
    return JSONNode(line: start, value: value)
  }

  private mutating func object(_ depth: Int) throws(ForeignProblem) -> JSONNode.Value {
    next += 1
    var members: [(key: String, node: JSONNode)] = []
    var names: Set<[UInt8]> = []
    skipBlanks()
    if skip("}") { return .object([]) }
    while true {
      skipBlanks()
      guard next < bytes.count, bytes[next] == UInt8(ascii: "\"") else {
        throw problem("expected a name in quotes")
      }
      let key = try string()
      skipBlanks()
      guard skip(":") else { throw problem("no colon after the name \(key)") }
      guard names.insert(Array(key.utf8)).inserted else { throw problem("the name \(key) occurs twice") }
      members.append((key, try node(depth: depth + 1)))
      skipBlanks()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw problem("no comma or closing brace after \(key)") }
    }
  }

  private mutating func array(_ depth: Int) throws(ForeignProblem) -> JSONNode.Value {
    next += 1
    var elements: [JSONNode] = []
    skipBlanks()
    if skip("]") { return .array([]) }
    while true {
      elements.append(try node(depth: depth + 1))
      skipBlanks()
      if skip("]") { return .array(elements) }
      guard skip(",") else { throw problem("no comma or closing bracket in a list") }
    }
  }

  /// A number, or one of the three words.
  private mutating func word() throws(ForeignProblem) -> JSONNode.Value {
    let word = bytes[next...].prefix { ASCII.isWord($0) || "+-.".utf8.contains($0) }
    let text = String(decoding: word, as: UTF8.self)
    switch text {
    case "null", "true", "false": break
    default:
      guard let first = word.first, ASCII.isDigit(first) || first == UInt8(ascii: "-"), Double(text) != nil
      else {
        throw problem(text.isEmpty ? "a value is missing" : "\(text) is not a JSON value")
      }
    }
    next += word.count
    if text == "null" { return .null }
    return text == "true" || text == "false" ? .boolean(text == "true") : .number(text)
  }

  private mutating func string() throws(ForeignProblem) -> String {
    next += 1
    let start = line
    var text: [UInt8] = []
    while next < bytes.count {
      let byte = bytes[next]
      next += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw ForeignProblem(line: start, "a string is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): text.append(scalar: try escaped())
      case 0x0A:
        next -= 1
        throw problem("a string has no closing quote")
      default: text.append(byte)
      }
    }
    throw ForeignProblem(line: start, "a string has no closing quote")
  }

  /// The code point of an escape.
  private mutating func escaped() throws(ForeignProblem) -> UInt32 {
    guard next < bytes.count else { throw problem("unexpected end of text inside an escape") }
    let letter = bytes[next]
    next += 1
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
      let place = next
      if unit < 0xDC00, skip("\\u") {
        let low = try self.unit()
        if (0xDC00..<0xE000).contains(low) { return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00) }
        next = place
      }
      throw problem("unpaired surrogate: \\u\(String(unit, radix: 16))")
    default: throw problem("invalid escape")
    }
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(ForeignProblem) -> UInt32 {
    let digits = bytes[next...].prefix(4)
    guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw problem("expected four hexadecimal digits")
    }
    next += 4
    return unit
  }
}

/// A value of JSON with the line on which it begins.
package struct JSONNode: Sendable {
  package indirect enum Value: Sendable {
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

  /// Whether each scalar of the value is no string, in the order of the value.
  package var plainScalars: [Bool] {
    switch value {
    case .null, .boolean, .number: [true]
    case .string: [false]
    case .array(let elements): elements.flatMap(\.plainScalars)
    case .object(let members): members.flatMap(\.node.plainScalars)
    }
  }

  /// The value as a field of a note holds it; nil for null.
  package var field: FieldValue? {
    switch value {
    case .null: nil
    case .boolean, .number, .string: text.map { .text($0) }
    case .array(let elements): .list(elements.map { $0.field ?? .empty })
    case .object(let members):
      .map(members.map { MapEntry(key: $0.key, value: $0.node.field ?? .empty) })
    }
  }
}
