import Synchronization

/// A field in the text of a note: `key:: value` on a line or an item of its own, `[key:: value]` or `(key:: value)`.
///
/// Source: Dataview's documentation, "Adding Metadata to your Pages".
package struct InlineField: Sendable, Equatable {
  /// The key; one with blanks in small letters with `-` between its words, as Dataview names it.
  package let name: String
  /// The value as it is written, without blanks around it.
  package let written: String
  /// The bytes of the value in the file; if it is empty, the place of one.
  package let range: Range<Int>
  /// The line of the file, from 1.
  package let line: Int
  /// Whether it has no brackets and ends with its line.
  var isWholeLine = false
  /// Whether it is a property of the page: one of the lines of fields that begin the body, as Logseq reads them.
  package var isOfPage = false

  /// Whether it lists tags or other titles of the page, which need no quotes between commas.
  var isCommaList: Bool { isOfPage && !name.isSameName(as: "title") }

  /// The value: a list if it is numbers, quoted texts or links between commas; of tags and titles of the page any texts.
  package var value: FieldValue {
    guard isCommaList else { return Self.value(of: written) }
    let texts = Self.elements(of: written).map { FieldValue.text(Self.unquoted($0)) }
    return texts.count > 1 ? .list(texts) : texts.first ?? .empty
  }

  static func value(of written: String) -> FieldValue {
    if written.isEmpty { return .empty }
    let parts = elements(of: written)
    if parts.count > 1, parts.allSatisfy(isElement) {
      return .list(parts.map { .text(unquoted($0)) })
    }
    return .text(unquoted(written))
  }

  /// The parts of a value between commas, as they are written.
  static func elements(of text: String) -> [String] {
    var parts: [String] = [""]
    var (isQuoted, depth) = (false, 0)
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted { depth += character == "[" ? 1 : character == "]" ? -1 : 0 }
      if character == ",", !isQuoted, depth <= 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    let isBlank = { (byte: UInt8) in isSpaceByte(byte) }
    return parts.map { part in
      let start = Array(part.utf8.drop(while: isBlank))
      return String(decoding: start.reversed().drop(while: isBlank).reversed(), as: UTF8.self)
    }.filter { !$0.isEmpty }
  }

  static func isElement(_ text: String) -> Bool {
    let isLink = text.hasPrefix("[[") && text.hasSuffix("]]")
    let isText = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return isLink || isText || ScalarType(text, isPlain: true) != .text
  }

  /// The name of a tag or page without `#` before it and without `[[ ]]`.
  static func bareName(_ written: Substring.UTF8View) -> Substring.UTF8View {
    var name = written
    if name.starts(with: "[[".utf8), name.suffix(2).elementsEqual("]]".utf8), name.count > 4 {
      name = name.dropFirst(2).dropLast(2).prefix { $0 != UInt8(ascii: "|") }
    }
    return name.first == UInt8(ascii: "#") ? name.dropFirst() : name
  }

  static func unquoted(_ text: String) -> String {
    let isQuoted = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    let inside = text.dropFirst().dropLast()
    return isQuoted && !inside.contains("\"") ? String(inside) : text
  }

  /// A value as it is written in the text; nil if it can't be on one line.
  ///
  /// - Parameter isCommaList: whether only elements with commas or quotes need quotes.
  static func bytes(of value: FieldValue, isCommaList: Bool = false) -> [UInt8]? {
    let text: String
    switch value {
    case .empty: text = ""
    case .text(let one): text = one
    case .list(let elements):
      let texts = elements.compactMap(\.text)
      guard texts.count == elements.count, !texts.contains(where: { $0.contains("\"") }) else { return nil }
      let isPlain = { (text: String) in isElement(text) || isCommaList && self.elements(of: text) == [text] }
      text = texts.map { isPlain($0) ? $0 : "\"\($0)\"" }.joined(separator: ", ")
    case .map: return nil
    }
    return text.utf8.contains { $0 == 0x0A || $0 == 0x0D } ? nil : Array(text.utf8)
  }
}

/// Whether the fields in the text of notes are read.
///
/// It belongs to the process, as `TextConventions` do, because notes are read without the settings of their box.
package enum InlineFields {
  package enum Reading: Int, Sendable {
    case none, fields
    /// Fields, of which `title`, `tags` and `alias` at the beginning of the body are those of the page.
    case pageProperties
  }

  private static let stored = Atomic<Int>(Reading.none.rawValue)

  package static var reading: Reading { Reading(rawValue: stored.load(ordering: .relaxed)) ?? .none }

  package static var areRead: Bool { reading != .none }

  /// Sets it for the box that the program reads.
  package static func use(_ reading: Reading) { stored.store(reading.rawValue, ordering: .relaxed) }

  /// The fields in the text of a note, in their order; none unless they are read.
  ///
  /// - Complexity: O(n) in the body's length.
  package static func all(in text: NoteText) -> [InlineField] {
    switch reading {
    case .none: []
    case .fields: found(in: text)
    case .pageProperties: markingPageProperties(found(in: text), of: text)
    }
  }

  private static let pageNames = ["title", "tags", "alias", "aliases"]

  /// Marks the fields of the page among the lines of fields that begin the body.
  static func markingPageProperties(_ fields: [InlineField], of text: NoteText) -> [InlineField] {
    var fields = fields
    for place in fields.indices.prefix(countOnFirstLines(fields, of: text)) {
      fields[place].isOfPage = pageNames.contains { fields[place].name.isSameName(as: $0) }
    }
    return fields
  }

  /// How many of the fields are on the lines that begin the body and have nothing but fields.
  private static func countOnFirstLines(_ fields: [InlineField], of text: NoteText) -> Int {
    let start = text.bytes[text.body].firstIndex { !isSpaceByte($0) && $0 != 0x0A && $0 != 0x0D }
    guard let start, let first = fields.first?.line,
      first == text.bytes[..<start].reduce(1, { $0 + ($1 == 0x0A ? 1 : 0) })
    else { return 0 }
    return fields.indices.prefix { fields[$0].line == first + $0 && fields[$0].isWholeLine }.count
  }

  /// The last of the fields on the lines that begin the body, to which a property of the page can be added; nil if the note
  /// has front-matter or if the properties of pages are not read.
  static func lastPageProperty(of text: NoteText) -> InlineField? {
    guard reading == .pageProperties, text.body.lowerBound == 0 else { return nil }
    let fields = found(in: text)
    return fields.prefix(countOnFirstLines(fields, of: text)).last
  }

  /// The fields in the text of a note.
  package static func found(in note: NoteText) -> [InlineField] {
    guard mayHold(note) else { return [] }
    let text = BodyComments.readable(note) ?? note
    let prose = text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: text.body.upperBound)
      scanner.inline.prose = ([], [])
      scanner.scan(from: text.body.lowerBound)
      return scanner.inline.prose
    }
    guard let prose else { return [] }
    var scan = InlineFieldScan(text.bytes, skipped: prose.skipped)
    for stretch in prose.scanned { scan.take(stretch) }
    return scan.found
  }

  private static func mayHold(_ text: NoteText) -> Bool {
    text.bytes.withUnsafeBufferPointer { bytes in
      var position = text.body.lowerBound
      while let colon = bytes.offset(of: UInt8(ascii: ":"), from: position, to: text.body.upperBound) {
        if colon + 1 < text.body.upperBound, bytes[colon + 1] == UInt8(ascii: ":") { return true }
        position = colon + 1
      }
      return false
    }
  }
}

/// Reads stretches of running text for fields, line by line.
private struct InlineFieldScan {
  private let bytes: [UInt8]
  private let skipped: [Range<Int>]
  private var line = 1
  private var counted = 0
  private(set) var found: [InlineField] = []

  init(_ bytes: [UInt8], skipped: [Range<Int>]) {
    self.bytes = bytes
    self.skipped = skipped.sorted { $0.lowerBound < $1.lowerBound }
  }

  mutating func take(_ stretch: Range<Int>) {
    var start = stretch.lowerBound
    while start < stretch.upperBound {
      let end = bytes[start..<stretch.upperBound].firstIndex(of: 0x0A) ?? stretch.upperBound
      takeLine(start..<end)
      start = end + 1
    }
  }

  private mutating func takeLine(_ range: Range<Int>) {
    guard let first = mark(in: range) else { return }
    var mark: Int? = first
    var hasBrackets = false
    while let place = mark {
      var next = place + 2
      if let field = bracketed(at: place, in: range) {
        add(field.name, field.value, isWholeLine: false)
        hasBrackets = true
        next = field.end
      }
      mark = next < range.upperBound ? self.mark(in: next..<range.upperBound) : nil
    }
    if !hasBrackets, let field = wholeLine(first, range) { add(field.name, field.value, isWholeLine: true) }
  }

  /// The next `::` outside of code and comments.
  private func mark(in range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position + 1 < range.upperBound {
      guard let colon = bytes[position..<range.upperBound - 1].firstIndex(of: UInt8(ascii: ":")) else {
        return nil
      }
      if bytes[colon + 1] == UInt8(ascii: ":"), !isSkipped(colon) { return colon }
      position = colon + 1
    }
    return nil
  }

  private func isSkipped(_ offset: Int) -> Bool {
    var (low, high) = (0, skipped.count)
    while low < high {
      let middle = (low + high) / 2
      if skipped[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low < skipped.count && skipped[low].contains(offset)
  }

  private mutating func add(_ name: String, _ value: Range<Int>, isWholeLine: Bool) {
    line += bytes[counted..<value.lowerBound].count { $0 == 0x0A }
    counted = value.lowerBound
    let written = String(decoding: bytes[value], as: UTF8.self)
    found.append(
      InlineField(name: name, written: written, range: value, line: line, isWholeLine: isWholeLine))
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpaceByte(bytes[start]) { start += 1 }
    while end > start, isSpaceByte(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// The field between brackets or parentheses whose `::` is at a place.
  private func bracketed(
    at place: Int, in range: Range<Int>
  ) -> (name: String, value: Range<Int>, end: Int)? {
    var open = place - 1
    while open >= range.lowerBound, !"[]()".utf8.contains(bytes[open]) { open -= 1 }
    guard open >= range.lowerBound, "[(".utf8.contains(bytes[open]),
      open == range.lowerBound || bytes[open - 1] != UInt8(ascii: "[") || bytes[open] != UInt8(ascii: "["),
      let name = name(trimmed(open + 1..<place))
    else { return nil }
    let closing = bytes[open] == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: ")")
    var depth = 1
    var end = place + 2
    while end < range.upperBound {
      if bytes[end] == UInt8(ascii: "\\") {
        end += 2
        continue
      }
      if bytes[end] == bytes[open] { depth += 1 }
      if bytes[end] == closing { depth -= 1 }
      if depth == 0 { return (name, trimmed(place + 2..<end), end + 1) }
      end += 1
    }
    return nil
  }

  /// The field of a whole line, whose first `::` is at a place; marks before and after the key do not count.
  private func wholeLine(_ place: Int, _ range: Range<Int>) -> (name: String, value: Range<Int>)? {
    var start = range.lowerBound
    while start < place, !isWord(bytes[start]) { start += 1 }
    // A wiki link is not a key: `[[std::move]]`.
    if start >= range.lowerBound + 2, bytes[start - 2..<start].elementsEqual("[[".utf8) { return nil }
    var end = place
    while end > start, isSpaceByte(bytes[end - 1]) { end -= 1 }
    while end > start, "_*~`".utf8.contains(bytes[end - 1]) { end -= 1 }
    guard let name = name(start..<end) else { return nil }
    let value = trimmed(place + 2..<range.upperBound)
    guard let block = blockName(in: value) else { return (name, value) }
    return (name, block == value.lowerBound ? place + 2..<place + 2 : trimmed(value.lowerBound..<block))
  }

  /// The start of a block name, ` ^name`, at the end of a value; nil if it has none.
  private func blockName(in value: Range<Int>) -> Int? {
    var start = value.upperBound
    while start > value.lowerBound, bytes[start - 1].isLetterOrDigit || bytes[start - 1] == UInt8(ascii: "-")
    {
      start -= 1
    }
    guard start < value.upperBound, start > value.lowerBound, bytes[start - 1] == UInt8(ascii: "^") else {
      return nil
    }
    let mark = start - 1
    return isSpaceByte(bytes[mark - 1]) ? mark : nil
  }

  private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }

  /// The name that a key gives: letters, digits, `_`, `-`, `/` and blanks; nil for any other.
  private func name(_ range: Range<Int>) -> String? {
    let key = bytes[trimmed(range)]
    guard !key.isEmpty, key.count <= 100, key.contains(where: isWord),
      key.allSatisfy({ isWord($0) || "-/ \t".utf8.contains($0) })
    else { return nil }
    let text = String(decoding: key, as: UTF8.self)
    guard key.contains(where: isSpaceByte) else { return text }
    return text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: "-")
  }
}
