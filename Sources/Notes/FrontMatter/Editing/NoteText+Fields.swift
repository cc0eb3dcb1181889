extension NoteText {
  /// Makes a new note of fields and a text: front-matter as slip writes it, then the text as it is.
  ///
  /// Lists are written in brackets, maps in braces. Fields of one name must not be given twice, and `canName` must hold
  /// for each.
  package init(fields: [(name: String, value: FieldValue)], body: [UInt8]) {
    var bytes = Array("---\n".utf8)
    for (name, value) in fields {
      bytes += YAMLScalar.write(name, in: .key) + [UInt8(ascii: ":")]
      if case .text(let text) = value {
        bytes += [0x20] + YAMLScalar.write(text, in: .value)
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
