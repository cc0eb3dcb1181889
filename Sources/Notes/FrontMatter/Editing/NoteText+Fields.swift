extension NoteText {
  /// Makes a new note of fields and a text: front-matter as slip writes it, then the text as it is.
  ///
  /// Lists are written in brackets, maps in braces. Fields of one name must not be given twice, and `canName` must hold
  /// for each.
  ///
  /// - Parameters:
  ///   - numbers: the names of the fields whose texts are numbers and stand without quotes.
  ///   - texts: the names of the fields whose texts are no numbers, whatever they look like, and stand in quotes.
  package init(
    fields: [(name: String, value: FieldValue)], numbers: Set<String> = [], texts: Set<String> = [],
    body: [UInt8]
  ) {
    var bytes = Array("---\n".utf8)
    for (name, value) in fields {
      bytes += YAMLScalar.write(name, in: .key) + [UInt8(ascii: ":")]
      if case .text(let text) = value {
        let style: ScalarStyle = texts.contains(name) ? .double : .plain
        // A fraction may follow another one without quotes.
        let previous = numbers.contains(name) ? text : nil
        bytes += [0x20] + YAMLScalar.write(text, in: .value, like: style, previous: previous)
      } else if value != .empty {
        bytes += [0x20] + Self.flow(value)
      }
      bytes.append(0x0A)
    }
    self.init(bytes + Array("---\n".utf8) + body)
  }

  /// Whether a field of a note can have a name.
  package static func canName(_ name: String) -> Bool {
    let hasControls = name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return !name.isEmpty && name.utf8.count <= SpanReader.longestName && !hasControls && name != "<<"
  }

  static func flow(_ value: FieldValue) -> [UInt8] {
    switch value {
    case .text(let text): YAMLScalar.write(text, in: .flowElement)
    case .empty: [UInt8(ascii: "~")]
    case .list(let elements):
      [UInt8(ascii: "[")] + elements.map(flow).joined(separator: ", ".utf8) + [UInt8(ascii: "]")]
    case .map(let entries):
      [UInt8(ascii: "{")]
        + entries.map { YAMLScalar.write($0.key, in: .key) + Array(": ".utf8) + flow($0.value) }
        .joined(separator: ", ".utf8) + [UInt8(ascii: "}")]
    }
  }
}
