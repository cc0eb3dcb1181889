extension FrontMatterReading {
  /// Shows the simple `key = value` lines of TOML, which is never changed.
  mutating func readTOML(_ text: NoteText, in range: Range<Int>) {
    problems.append(text.problem(at: range.lowerBound, "TOML front-matter is read-only"))
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
