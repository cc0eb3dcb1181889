extension NoteText {
  /// Makes a new note of fields and a text: front-matter as slip writes it, then the text as it is.
  ///
  /// Lists are written in brackets, maps in braces. Fields of one name must not be given twice, and `canName` must hold
  /// for each.
  ///
  /// - Parameters:
  ///   - plainScalars: for fields by name, whether each scalar is a number or boolean if it looks like one, so that it stands
  ///     without quotes, or text, so that it stands in quotes.
  package init(
    fields: [(name: String, value: FieldValue)], plainScalars: [String: [Bool]] = [:], body: [UInt8]
  ) {
    var bytes = Array("---\n".utf8)
    for (name, value) in fields {
      bytes += YAMLScalar.write(name, in: .key) + [UInt8(ascii: ":")]
      var plain = (plainScalars[name] ?? [])[...]
      if case .text(let text) = value {
        bytes += [0x20] + Self.scalar(text, in: .value, isPlain: plain.first)
      } else if value != .empty {
        bytes += [0x20] + Self.flow(value, &plain)
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
    var plain: ArraySlice<Bool> = []
    return flow(value, &plain)
  }

  /// Writes a value in brackets and braces.
  ///
  /// - Parameter plain: whether each scalar that follows has no quotes if it looks like a number or boolean.
  private static func flow(_ value: FieldValue, _ plain: inout ArraySlice<Bool>) -> [UInt8] {
    switch value {
    case .text(let text): return scalar(text, in: .flowElement, isPlain: plain.popFirst())
    case .empty:
      _ = plain.popFirst()
      return [UInt8(ascii: "~")]
    case .list(let elements):
      let written = elements.map { flow($0, &plain) }
      return [UInt8(ascii: "[")] + written.joined(separator: ", ".utf8) + [UInt8(ascii: "]")]
    case .map(let entries):
      let written = entries.map {
        YAMLScalar.write($0.key, in: .key) + Array(": ".utf8) + flow($0.value, &plain)
      }
      return [UInt8(ascii: "{")] + written.joined(separator: ", ".utf8) + [UInt8(ascii: "}")]
    }
  }

  private static func scalar(_ text: String, in place: YAMLScalar.Place, isPlain: Bool?) -> [UInt8] {
    let looksTyped = ScalarType(text, isPlain: true) != .text
    guard let isPlain, looksTyped else { return YAMLScalar.write(text, in: place) }
    return isPlain ? Array(text.utf8) : YAMLScalar.write(text, in: place, like: .double)
  }
}
