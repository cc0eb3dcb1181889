import Bytes

/// All that is known of a note's front-matter: fields, their shapes and problems.
struct FrontMatterReading: Equatable {
  /// Blocks above this are not read.
  static let longestBlock = 1 << 20
  /// Maps and lists nested deeper are not read.
  static let deepest = 64

  var fields: [FrontMatterField] = []
  /// One for each field; empty if they were not requested.
  var shapes: [FieldShape] = []
  /// For each field, whether each scalar of its value is written without quotes; none at all if shapes were not kept.
  var plainScalars: [[Bool]] = []
  var problems: [Problem] = []
  /// The column of the keys.
  var indentation = 0
  /// Whether the block is one `{a: b}`.
  var isFlow = false
}

extension FrontMatterReading {
  /// Reads front-matter by the span reader if it recognises all of it, else by libyaml.
  init(_ text: NoteText, keepsShapes: Bool) {
    guard let range = text.frontMatter, text.format == .yaml, range.count <= Self.longestBlock,
      !text.bytes.hasNULOrHighBit, FrontMatterBytes.areSimple(text.bytes, in: range),
      let quick = SpanReader.read(text.bytes, in: range, keepsShapes: keepsShapes)
    else {
      self.init(slowly: text, shapesByQuickReader: keepsShapes)
      return
    }
    self = quick
    addDuplicates(in: text)
  }

  /// Reads front-matter by libyaml alone.
  init(libyaml text: NoteText) {
    self.init(slowly: text, shapesByQuickReader: nil)
  }

  /// - Parameter shapesByQuickReader: whether the quick reader keeps shapes; nil if libyaml reads everything.
  private init(slowly text: NoteText, shapesByQuickReader: Bool?) {
    self.init()
    let unreadable = FrontMatterBytes.firstUnreadable(text.bytes)
    if let unreadable {
      let message = text.bytes[unreadable] == 0 ? "a NUL byte" : "not UTF-8 text"
      problems.append(text.problem(at: unreadable, message))
    }
    if text.isUnclosed { problems.append(Self.unclosed(text)) }
    guard let range = text.frontMatter else { return }
    if text.format == .toml {
      readTOML(text, in: range)
    } else if text.format == .json {
      readJSON(text, in: range)
    } else if range.count > Self.longestBlock {
      problems.append(text.problem(at: range.lowerBound, "front matter of more than 1 MB is not read"))
    } else if let unreadable, range.contains(unreadable) {
      fields = SpanReader.salvage(text.bytes, in: range)
    } else {
      readYAML(text, in: range, shapesByQuickReader)
    }
  }

  private mutating func readYAML(_ text: NoteText, in range: Range<Int>, _ shapesByQuickReader: Bool?) {
    if let keepsShapes = shapesByQuickReader, FrontMatterBytes.areSimple(text.bytes, in: range),
      let quick = SpanReader.read(text.bytes, in: range, keepsShapes: keepsShapes)
    {
      take(quick)
    } else {
      switch YAMLReader.read(text.bytes, in: range) {
      case .success(let reading):
        take(reading)
      case .failure(let fault):
        problems.append(text.problem(at: fault.offset, fault.message))
        fields = SpanReader.salvage(text.bytes, in: range)
      }
    }
    addDuplicates(in: text)
  }

  /// Takes the fields of a reading and keeps the problems.
  private mutating func take(_ reading: FrontMatterReading) {
    let found = problems
    self = reading
    problems = found + reading.problems
  }

  /// Adds a problem for the first duplicate key.
  private mutating func addDuplicates(in text: NoteText) {
    guard let (name, offset) = firstDuplicate() else { return }
    problems.append(text.problem(at: offset, "the key '\(name)' occurs twice here"))
  }

  private func firstDuplicate() -> (name: String, offset: Int)? {
    guard fields.count > 1 else { return nil }
    if fields.count > 32 { return firstDuplicateOfMany() }
    for (index, field) in fields.enumerated() {
      for earlier in 0..<index where fields[earlier].name.hasSameBytes(as: field.name) {
        return (field.name, field.span.lowerBound)
      }
    }
    return nil
  }

  private func firstDuplicateOfMany() -> (name: String, offset: Int)? {
    var seen: Set<[UInt8]> = []
    for field in fields where !seen.insert(Array(field.name.utf8)).inserted {
      return (field.name, field.span.lowerBound)
    }
    return nil
  }

  private static func unclosed(_ text: NoteText) -> Problem {
    text.problem(at: text.body.lowerBound, "front matter begins here without a closing line of dashes")
  }
}

extension FrontMatterReading {
  /// Shows the simple `key = value` lines of TOML, which is never changed.
  mutating func readTOML(_ text: NoteText, in range: Range<Int>) {
    problems.append(text.problem(at: range.lowerBound, "TOML front matter is read-only"))
    var start = range.lowerBound
    var line = 2
    while start < range.upperBound {
      let end = min(text.bytes.lineEnd(of: start), range.upperBound)
      if text.bytes[start] == UInt8(ascii: "[") { return }
      if let (name, value, plain) = TOMLLine.read(text.bytes[start..<end]) {
        fields.append(
          FrontMatterField(name: name, value: value, line: line, span: start..<end, isEditable: false))
        plainScalars.append(plain)
      }
      start = end
      line += 1
    }
  }
}

extension FrontMatterReading {
  /// Shows the fields of an object of JSON, which is never changed: it is a flow map of YAML too.
  fileprivate mutating func readJSON(_ text: NoteText, in range: Range<Int>) {
    problems.append(text.problem(at: range.lowerBound, "JSON front matter is read-only"))
    guard case .success(let reading) = YAMLReader.read(text.bytes, in: range) else { return }
    plainScalars = reading.plainScalars
    fields = reading.fields.map { field in
      FrontMatterField(
        name: field.name, value: field.value, line: field.line, span: field.span, isEditable: false)
    }
  }
}

/// One line of TOML: a bare key with a string, a bare value or an array of those.
private struct TOMLLine {
  private var rest: ArraySlice<UInt8>
  /// Whether each scalar that was read was unquoted.
  private var plainScalars: [Bool] = []

  private init(rest: ArraySlice<UInt8>) { self.rest = rest }

  static func read(_ line: ArraySlice<UInt8>) -> (name: String, value: FieldValue, plainScalars: [Bool])? {
    var reader = TOMLLine(rest: line)
    guard let name = reader.key(), let value = reader.value(), reader.isAtEnd else { return nil }
    return (name, value, reader.plainScalars)
  }

  private var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return rest.isEmpty || rest.first == UInt8(ascii: "#") || rest.first == 0x0A || rest.first == 0x0D
    }
  }

  private mutating func skipBlanks() {
    while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func key() -> String? {
    skipBlanks()
    let name = rest.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    rest = rest[name.endIndex...]
    guard !name.isEmpty, take("=") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func value() -> FieldValue? {
    guard take("[") else { return scalar().map(FieldValue.text) }
    var elements: [FieldValue] = []
    while !take("]") {
      guard let element = scalar() else { return nil }
      elements.append(.text(element))
      if !take(",") { return take("]") ? .list(elements) : nil }
    }
    return .list(elements)
  }

  private mutating func scalar() -> String? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    plainScalars.append(!isQuoted)
    if isQuoted { return quoted(by: first) }
    let bare = rest.prefix { byte in
      byte.isLetterOrDigit || "+-_.:".utf8.contains(byte)
    }
    rest = rest[bare.endIndex...]
    return bare.isEmpty ? nil : String(decoding: bare, as: UTF8.self)
  }

  private mutating func quoted(by quote: UInt8) -> String? {
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        guard let escaped = rest.popFirst(), escaped == quote || escaped == byte else { return nil }
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return nil
  }
}

extension NoteText {
  /// The lines in which front-matter is looked for that does not begin at the first one.
  private static let mostLines = 200

  /// The advice about front-matter below other text.
  package static let lateFrontMatterWords =
    "front matter must begin at the first line: move the text above its first --- below it"

  /// Whether the text has front-matter below other text, which does not count as front-matter.
  package var hasLateFrontMatter: Bool {
    guard frontMatter == nil else { return false }
    var line = 0
    for _ in 0..<Self.mostLines {
      guard let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) else { return false }
      line = end + 1
      guard bytes[line...].starts(with: "---".utf8) else { continue }
      let rest = NoteText(Array(bytes[line...]))
      if rest.frontMatter != nil, !FrontMatter(rest).fields.isEmpty { return true }
    }
    return false
  }
}

/// The type that a scalar of a field without a declaration has in JSON and in comparisons.
package enum ScalarType: Sendable {
  case text, number, boolean

  /// The type of a scalar: plain decimal numbers, `true` and `false` have one if no quotes are around them.
  ///
  /// - Parameter isPlain: whether the scalar is written without quotes.
  package init(_ text: String, isPlain: Bool) {
    if !isPlain {
      self = .text
    } else if text.hasSameBytes(as: "true") || text.hasSameBytes(as: "false") {
      self = .boolean
    } else {
      self = PlainNumber.isNumber(text) ? .number : .text
    }
  }
}

/// The quotes of a note's fields, read from the file when they are first needed.
package struct FieldQuotes {
  private let text: NoteText
  private var fields: [[Bool]]?

  package init(_ text: NoteText) { self.text = text }

  /// Whether each scalar of a field is written without quotes, in the order of its value.
  ///
  /// It is empty if that is not known, as in front-matter that is not valid YAML.
  /// - Parameter place: that of the field in `FrontMatter.fields`.
  /// - Complexity: that of reading the front-matter the first time.
  package mutating func plainScalars(ofField place: Int) -> [Bool] {
    let known = fields ?? FrontMatterReading(text, keepsShapes: true).plainScalars
    fields = known
    return known.indices.contains(place) ? known[place] : []
  }

  /// The type of a field with one scalar; that of any other value is text.
  package mutating func type(of value: FieldValue, ofField place: Int) -> ScalarType {
    guard let text = value.text, value.mayHaveTypes else { return .text }
    return ScalarType(text, isPlain: plainScalars(ofField: place).first ?? false)
  }
}

extension FieldValue {
  /// Whether some scalar of the value is a number or a boolean if it has no quotes.
  package var mayHaveTypes: Bool {
    switch self {
    case .text(let text): ScalarType(text, isPlain: true) != .text
    case .list(let elements): elements.contains { $0.mayHaveTypes }
    case .map(let entries): entries.contains { $0.value.mayHaveTypes }
    case .empty: false
    }
  }
}

/// A value of a field in a cell of a table, written so that it can be read again. A text is written as it is, and quoted if
/// it would read as something else; lists and maps are in brackets, as in front-matter.
package enum CSVValue {
  /// The cell of a value.
  package static func text(_ value: FieldValue) -> String {
    switch value {
    case .empty: return ""
    case .text(let text):
      if text.isEmpty || read(text) == value { return text }
      return String(decoding: YAMLScalar.write(text, in: .flowElement, like: .double), as: UTF8.self)
    case .list, .map:
      let flow = String(decoding: NoteText.flow(value), as: UTF8.self)
      // A text that begins with two brackets is a link.
      return flow.hasPrefix("[[") ? "[ " + flow.dropFirst() : flow
    }
  }

  /// The value of a cell.
  package static func read(_ cell: String) -> FieldValue {
    guard let first = cell.utf8.first, let last = cell.utf8.last, cell.utf8.count > 1, !cell.hasPrefix("[["),
      [("[", "]"), ("{", "}"), ("\"", "\""), ("'", "'")].contains(where: {
        first == $0.0.utf8.first && last == $0.1.utf8.first
      })
    else { return .text(cell) }
    let block = FrontMatter(NoteText(Array("---\nv: \(cell)\n---\n".utf8)))
    guard block.isWritable, block.fields.count == 1, let value = block["v"], value != .empty else {
      return .text(cell)
    }
    return value
  }
}
