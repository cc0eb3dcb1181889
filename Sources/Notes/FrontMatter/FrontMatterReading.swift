import Bytes

/// All that is known of a note's front-matter: fields, their shapes and problems.
struct FrontMatterReading: Equatable {
  /// Blocks above this are not read.
  static let longestBlock = 1 << 20
  /// Maps and lists nested deeper are not read.
  static let deepest = 64

  var fields: [FrontMatterField] = []
  /// One for each field, or none at all where they were not asked for.
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
  /// Reads front-matter by the quick reader where it recognises all of it, else by libyaml.
  init(_ text: NoteText, keepsShapes: Bool) {
    guard let range = text.frontMatter, text.format == .yaml, range.count <= Self.longestBlock,
      !text.bytes.hasNULOrHighBit, FrontMatterBytes.areSimple(text.bytes, in: range),
      let quick = SpanReader.read(text.bytes, in: range, keepsShapes: keepsShapes)
    else {
      self.init(slowly: text, keepsShapes: keepsShapes)
      return
    }
    self = quick
    addDuplicates(in: text)
  }

  /// Reads front-matter by libyaml alone.
  init(libyaml text: NoteText) {
    self.init(slowly: text, keepsShapes: true, skippingQuick: true)
  }

  private init(slowly text: NoteText, keepsShapes: Bool, skippingQuick: Bool = false) {
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
      readYAML(text, in: range, keepsShapes: keepsShapes, skippingQuick: skippingQuick)
    }
  }

  private mutating func readYAML(
    _ text: NoteText, in range: Range<Int>, keepsShapes: Bool, skippingQuick: Bool
  ) {
    if !skippingQuick, FrontMatterBytes.areSimple(text.bytes, in: range),
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

  /// Takes over what was read and keeps the problems.
  private mutating func take(_ reading: FrontMatterReading) {
    let found = problems
    self = reading
    problems = found + reading.problems
  }

  /// Adds a problem for the first key that stands there twice.
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
  /// Whether each scalar that was read stood without quotes.
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

  /// What to do about front-matter below other text.
  package static let lateFrontMatterWords =
    "front matter must begin at the first line: move the text above its first --- below it"

  /// Whether front-matter stands below other text, where it is none.
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
