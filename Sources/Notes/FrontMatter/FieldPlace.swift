/// The ranges of the name and the values of a front-matter field in the file.
package struct FieldPlace: Sendable {
  /// A scalar of a value.
  package struct Scalar: Sendable {
    /// The scalar, decoded from its quotes and escapes.
    package let text: String
    /// Its bytes, without quotes.
    package let range: Range<Int>

    /// Whether the bytes are those of the text, so that offsets in both are the same.
    package func isVerbatim(in bytes: [UInt8]) -> Bool { bytes[range].elementsEqual(text.utf8) }
  }

  package let field: FrontMatterField
  /// The bytes of the name.
  package let name: Range<Int>
  /// The value, or the elements of a list; empty if they are nested, or TOML.
  package let values: [Scalar]

  /// The fields of a text in their order.
  ///
  /// - Complexity: that of reading the front-matter.
  package static func all(in text: NoteText) -> [FieldPlace] {
    let reading = FrontMatterReading(text, keepsShapes: true)
    let hasShapes = reading.shapes.count == reading.fields.count
    return reading.fields.enumerated().map { number, field in
      let shape = hasShapes ? reading.shapes[number] : nil
      return FieldPlace(
        field: field, name: name(of: field, shape, text.bytes),
        values: shape.map { scalars(of: field, $0, text.bytes) } ?? [])
    }
  }

  private static func name(of field: FrontMatterField, _ shape: FieldShape?, _ bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (field.span.lowerBound, min(field.span.upperBound, bytes.count))
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    end = min(end, shape.map { $0.colon - 1 } ?? start + field.name.utf8.count)
    while end > start, bytes[end - 1] == 0x20 { end -= 1 }
    return start..<max(start, end)
  }

  private static func scalars(of field: FrontMatterField, _ shape: FieldShape, _ bytes: [UInt8]) -> [Scalar] {
    switch shape.form {
    case .scalar(let range, let style):
      return field.value.text.map { [Scalar(text: $0, range: inside(range, style))] } ?? []
    case .flow(_, let spans), .block(let spans):
      guard case .list(let elements) = field.value, elements.count == spans.count else { return [] }
      return zip(elements, spans).compactMap { element, span in
        element.text.map { Scalar(text: $0, range: inside(span.range, span.style)) }
      }
    case .whole(let range):
      return field.value.text.map { [Scalar(text: $0, range: trimmed(range, bytes))] } ?? []
    case .empty, .opaque: return []
    }
  }

  private static func inside(_ range: Range<Int>, _ style: ScalarStyle) -> Range<Int> {
    let isQuoted = style == .single || style == .double
    return isQuoted && range.count > 1 ? range.lowerBound + 1..<range.upperBound - 1 : range
  }

  /// A range without the blanks and line ends around it.
  private static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, min(range.upperBound, bytes.count))
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    return start..<max(start, end)
  }
}

extension NoteText {
  /// The comments of the front-matter: those on lines of their own, and those after values, without blanks around them.
  package var frontMatterComments: [String] {
    guard let block = frontMatter, format == .yaml else { return [] }
    let reading = FrontMatterReading(self, keepsShapes: true)
    var comments: [String] = []
    var position = block.lowerBound
    for (field, shape) in zip(reading.fields, reading.shapes) where field.span.lowerBound >= position {
      comments += Self.comments(in: bytes[position..<field.span.lowerBound])
      for end in shape.ends { comments += Self.comments(in: bytes[end..<bytes.lineEnd(of: end)]) }
      position = field.span.upperBound
    }
    return comments + Self.comments(in: bytes[position..<max(position, block.upperBound)])
  }

  private static func comments(in bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
      let comment = line.drop { $0 == 0x20 || $0 == 0x09 }
      return comment.first == UInt8(ascii: "#") ? String(decoding: comment, as: UTF8.self) : nil
    }
  }
}

extension FieldShape {
  /// The ends of the values on the lines of the field.
  fileprivate var ends: [Int] {
    switch form {
    case .empty: [colon]
    case .scalar(let range, _), .flow(let range, _): [range.upperBound]
    case .block(let elements): [colon] + elements.map(\.range.upperBound)
    case .whole, .opaque: []
    }
  }
}
