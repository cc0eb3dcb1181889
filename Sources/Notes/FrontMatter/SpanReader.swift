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

  /// Reads a block whose bytes are simple, or returns nil if it does not recognise all of it.
  ///
  /// - Parameter range: the bytes between the fences: whole lines, the first being the file's second.
  /// - Complexity: O(n).
  static func read(_ bytes: [UInt8], in range: Range<Int>, keepsShapes: Bool) -> FrontMatterReading? {
    var reader = SpanReader(bytes, in: range, keepsShapes: keepsShapes)
    while reader.at < reader.end {
      guard reader.skipLine() || reader.readField() else { return nil }
    }
    return FrontMatterReading(
      fields: reader.fields, shapes: reader.shapes, plainScalars: reader.plainScalars)
  }

  /// Skips one line if it is blank or a comment.
  private mutating func skipLine() -> Bool {
    guard let next = emptyLineEnd(from: at) else { return false }
    at = next
    line += 1
    return true
  }

  /// Returns the start of the next line if the rest of the line is blank or a comment.
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

  /// Whether a space, a line end or the end of the block is at an offset.
  func isBlankOrEnd(_ offset: Int) -> Bool {
    guard offset < end else { return true }
    return bytes[offset] == 0x20 || bytes[offset] == 0x0A || bytes[offset] == 0x0D
  }

  /// Returns the start of the next line if nothing but blanks and a comment follows a value.
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
  /// Reads the field at the current line; if it is not recognised nothing changes.
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

  /// Reads the lines below a key: a block list, or nothing.
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

/// A list as the span reader finds it.
struct SpannedList {
  var values: [FieldValue] = []
  var spans: [ElementSpan] = []
  /// A flow list with its brackets.
  var range = 0..<0
  /// The start of the line after the last element.
  var next = 0
  /// The number of that line in the file.
  var line = 0
}

extension SpanReader {
  /// Returns the next line that is neither blank nor a comment, with the start of its text.
  func significantLine(from next: Int) -> (start: Int, text: Int, lines: Int)? {
    var start = next
    var lines = 0
    while start < end {
      guard let following = emptyLineEnd(from: start) else { return (start, afterBlanks(start), lines) }
      start = following
      lines += 1
    }
    return nil
  }

  /// Whether a dash that begins an element of a block list is at an offset.
  func isEntry(_ offset: Int) -> Bool { bytes[offset] == UInt8(ascii: "-") && isBlankOrEnd(offset + 1) }

  /// Reads a block list of scalars, or returns nil if one of its lines is not recognised.
  func blockList(at first: (start: Int, text: Int, lines: Int)) -> SpannedList? {
    let column = first.text - first.start
    var list = SpannedList()
    var entry = first
    list.line = line + 1
    while true {
      let value = afterBlanks(entry.text + 1)
      guard let scalar = scalar(at: value, inFlow: false),
        let next = lineEnd(afterValue: scalar.range.upperBound)
      else { return nil }
      list.values.append(scalar.value)
      if keepsShapes {
        list.spans.append(
          ElementSpan(range: scalar.range, style: scalar.style, lines: entry.start..<next))
      }
      list.next = next
      list.line += entry.lines + 1
      guard let below = significantLine(from: next) else { return list }
      if below.text - below.start == column, isEntry(below.text) {
        entry = below
      } else {
        return below.text == below.start ? list : nil
      }
    }
  }

  /// Reads a one-line flow list of scalars, or returns nil if it is not one.
  func flowList(at bracket: Int) -> SpannedList? {
    var list = SpannedList()
    var index = afterBlanks(bracket + 1)
    while index < end {
      if bytes[index] == UInt8(ascii: "]") {
        list.range = bracket..<index + 1
        return list
      }
      guard let scalar = scalar(at: index, inFlow: true) else { return nil }
      list.values.append(scalar.value)
      if keepsShapes {
        list.spans.append(ElementSpan(range: scalar.range, style: scalar.style, lines: scalar.range))
      }
      index = afterBlanks(scalar.range.upperBound)
      guard index < end else { return nil }
      if bytes[index] == UInt8(ascii: ",") {
        index = afterBlanks(index + 1)
      } else if bytes[index] != UInt8(ascii: "]") {
        return nil
      }
    }
    return nil
  }
}

extension SpanReader {
  /// Returns the fields that can be read line by line in a block that is not valid YAML, for display only.
  ///
  /// A line of a field that is not recognised gives the text after its colon as it was typed. A field whose value is
  /// elsewhere, such as an alias or a block scalar, is left out.
  static func salvage(_ bytes: [UInt8], in range: Range<Int>) -> [FrontMatterField] {
    var reader = SpanReader(bytes, in: range, keepsShapes: false)
    while reader.at < reader.end {
      if reader.colon(of: reader.at) == nil || !reader.readField() { reader.salvageLine() }
    }
    return reader.fields.map { field in
      FrontMatterField(
        name: field.name, value: field.value, line: field.line, span: field.span, isEditable: false)
    }
  }

  /// Takes one line as it is typed and goes to the next.
  private mutating func salvageLine() {
    let next = nextLine(from: at)
    if let colon = colon(of: at) {
      let range = trimmed(colon + 1..<next)
      let value = range.isEmpty ? FieldValue.empty : .text(text(range))
      if range.isEmpty || !standsElsewhere(bytes[range.lowerBound]) {
        fields.append(
          FrontMatterField(
            name: text(at..<colon), value: value, line: line, span: at..<next, isEditable: false))
      }
    }
    at = next
    line += 1
  }

  /// Whether a sign begins an alias, an anchor, a tag of YAML or a text on the lines below.
  private func standsElsewhere(_ sign: UInt8) -> Bool {
    switch sign {
    case UInt8(ascii: "*"), UInt8(ascii: "&"), UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"): true
    default: false
    }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
    while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
    return lower..<upper
  }
}
