/// Reads front-matter of the usual shapes straight from its bytes.
///
/// It takes keys at column 0 with plain or quoted scalars on one line, one-line flow lists of scalars and
/// block lists of scalars; comments and blank lines between them. Whatever else it meets it does not
/// recognise, so that libyaml decides. What it takes it reads as libyaml does.
struct SpanReader {
  /// Names above this are left to libyaml, which has a limit of its own for keys.
  static let longestName = 200

  let bytes: [UInt8]
  let end: Int
  let keepsShapes: Bool
  /// The start of the line to be read next.
  var at: Int
  /// Its number in the file.
  var line: Int
  var fields: [FrontMatterField] = []
  var shapes: [FieldShape] = []
  var plainScalars: [[Bool]] = []

  init(_ bytes: [UInt8], in range: Range<Int>, keepsShapes: Bool) {
    self.bytes = bytes
    self.keepsShapes = keepsShapes
    at = range.lowerBound
    end = range.upperBound
    line = 2
    fields.reserveCapacity(10)
  }

  /// Reads a block whose bytes are simple, or returns nil where it does not recognise all of it.
  ///
  /// - Parameter range: What stands between the fences: whole lines, the first being the file's second.
  /// - Complexity: O(n).
  static func read(_ bytes: [UInt8], in range: Range<Int>, keepsShapes: Bool) -> FrontMatterReading? {
    var reader = SpanReader(bytes, in: range, keepsShapes: keepsShapes)
    while reader.at < reader.end {
      guard reader.skipLine() || reader.readField() else { return nil }
    }
    return FrontMatterReading(
      fields: reader.fields, shapes: reader.shapes, plainScalars: reader.plainScalars)
  }

  /// Skips one line where it is blank or a comment.
  private mutating func skipLine() -> Bool {
    guard let next = emptyLineEnd(from: at) else { return false }
    at = next
    line += 1
    return true
  }

  /// Returns the start of the next line where only blanks or a comment stand from an offset on.
  func emptyLineEnd(from start: Int) -> Int? {
    let index = afterBlanks(start)
    guard index < end else { return end }
    switch bytes[index] {
    case 0x0A, 0x0D, UInt8(ascii: "#"): return nextLine(from: index)
    default: return nil
    }
  }

  /// Returns the start of the line after the one that an offset is in.
  func nextLine(from start: Int) -> Int {
    var index = start
    while index < end {
      if bytes[index] == 0x0A { return index + 1 }
      index += 1
    }
    return end
  }

  /// Returns the offset after spaces.
  func afterBlanks(_ start: Int) -> Int {
    var index = start
    while index < end, bytes[index] == 0x20 { index += 1 }
    return index
  }

  /// Says whether a space, a line end or the end of the block stands at an offset.
  func isBlankOrEnd(_ offset: Int) -> Bool {
    guard offset < end else { return true }
    return bytes[offset] == 0x20 || bytes[offset] == 0x0A || bytes[offset] == 0x0D
  }

  /// Returns the start of the next line where nothing but blanks and a comment follows a value.
  func lineEnd(afterValue start: Int) -> Int? {
    let index = afterBlanks(start)
    guard index < end else { return end }
    switch bytes[index] {
    case 0x0A, 0x0D: return nextLine(from: index)
    case UInt8(ascii: "#"): return index > start ? nextLine(from: index) : nil
    default: return nil
    }
  }
}

extension SpanReader {
  /// Reads the field that begins at the current line; where it is not recognised nothing changes.
  mutating func readField() -> Bool {
    let start = at
    guard let colon = colon(of: start) else { return false }
    let name = text(start..<colon)
    let value = afterBlanks(colon + 1)
    if let next = emptyLineEnd(from: value) {
      return readBelow(name, from: start, colon: colon + 1, next: next)
    }
    if bytes[value] == UInt8(ascii: "[") {
      guard let list = flowList(at: value), let next = lineEnd(afterValue: list.range.upperBound) else {
        return false
      }
      add(name, .list(list.values), from: start, next: next, lines: 1)
      keep(.flow(list.range, list.spans), colon: colon + 1)
      return true
    }
    guard let scalar = scalar(at: value, inFlow: false),
      let next = lineEnd(afterValue: scalar.range.upperBound)
    else { return false }
    add(name, scalar.value, from: start, next: next, lines: 1)
    keep(.scalar(scalar.range, scalar.style), colon: colon + 1)
    return true
  }

  /// Reads what stands on the lines below a key: a block list, or nothing.
  private mutating func readBelow(_ name: String, from start: Int, colon: Int, next: Int) -> Bool {
    guard let below = significantLine(from: next) else {
      add(name, .empty, from: start, next: next, lines: 1)
      keep(.empty, colon: colon)
      return true
    }
    guard isEntry(below.text) else {
      guard below.text == below.start else { return false }
      add(name, .empty, from: start, next: next, lines: 1)
      keep(.empty, colon: colon)
      return true
    }
    guard let list = blockList(at: below) else { return false }
    add(name, .list(list.values), from: start, next: list.next, lines: list.line - line)
    keep(.block(list.spans), colon: colon)
    return true
  }

  /// Returns the offset of the colon that ends a plain name.
  func colon(of start: Int) -> Int? {
    guard start < end, bytes[start].isKeyByte, isNameStart(bytes[start]) else { return nil }
    let last = min(end, start + Self.longestName)
    var index = start + 1
    while index < last, bytes[index].isKeyByte { index += 1 }
    guard index < last, bytes[index] == UInt8(ascii: ":"), isBlankOrEnd(index + 1), bytes[index - 1] != 0x20
    else { return nil }
    return index
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    byte != 0x20 && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "/")
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func add(
    _ name: String, _ value: FieldValue, from start: Int, next: Int, lines: Int
  ) {
    fields.append(
      FrontMatterField(name: name, value: value, line: line, span: start..<next, isEditable: true))
    at = next
    line += lines
  }

  private mutating func keep(_ form: FieldShape.Form, colon: Int) {
    guard keepsShapes else { return }
    shapes.append(FieldShape(form: form, colon: colon))
    switch form {
    case .scalar(_, let style): plainScalars.append([style == .plain])
    case .flow(_, let spans), .block(let spans): plainScalars.append(spans.map { $0.style == .plain })
    case .empty, .whole, .opaque: plainScalars.append([true])
    }
  }
}
