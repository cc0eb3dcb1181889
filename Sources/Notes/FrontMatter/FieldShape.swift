/// How a field is written, for edits.
struct FieldShape: Equatable {
  enum Form: Equatable {
    /// Nothing but a comment follows the colon.
    case empty
    /// A plain or quoted scalar, on one line or more.
    case scalar(Range<Int>, ScalarStyle)
    /// `[a, b]` with its brackets.
    case flow(Range<Int>, [ElementSpan])
    /// Lines of `- a`.
    case block([ElementSpan])
    /// A block scalar, or a list of such: whatever follows the colon, to be replaced as a whole.
    case whole(Range<Int>)
    /// Not to be changed, and why.
    case opaque(String)

    /// The style of a scalar, else plain.
    var scalarStyle: ScalarStyle {
      if case .scalar(_, let style) = self { return style }
      return .plain
    }
  }

  let form: Form
  /// The offset after the colon.
  let colon: Int

  var isEditable: Bool {
    if case .opaque = form { return false }
    return true
  }
}

extension FieldShape {
  /// Finds how a field that libyaml read is written.
  init(key: YAMLNode, value: YAMLNode, lineStart: Int, isFlow: Bool, in bytes: [UInt8]) {
    guard !isFlow else {
      colon = key.range.upperBound
      form = .opaque("the whole block is one map in braces, or has an anchor or a YAML tag")
      return
    }
    let found = Self.colon(after: key, before: value, lineStart: lineStart, in: bytes)
    colon = found ?? key.range.upperBound
    if let objection = key.objection ?? value.objection {
      form = .opaque(objection.rawValue)
    } else if let found, key.form == .scalar, key.style != .bracketed, key.name != "<<" {
      form = Self.form(of: value, colon: found, in: bytes)
    } else {
      form = .opaque("its key is not a simple 'key:' on a line of its own")
    }
  }

  /// Returns the offset after the colon where key and colon stand alone at the start of a line.
  private static func colon(
    after key: YAMLNode, before value: YAMLNode, lineStart: Int, in bytes: [UInt8]
  ) -> Int? {
    guard bytes[lineStart..<key.range.lowerBound].allSatisfy({ $0 == 0x20 }) else { return nil }
    var index = key.range.upperBound
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":"), index < value.range.lowerBound else {
      return nil
    }
    return index + 1
  }

  private static func form(of value: YAMLNode, colon: Int, in bytes: [UInt8]) -> Form {
    switch value.form {
    case .map: return .opaque(YAMLNode.Objection.map.rawValue)
    case .list(isFlow: true): return .flow(value.range, value.elements)
    case .list(isFlow: false):
      var elements: [ElementSpan] = []
      for element in value.elements {
        guard let entry = element.asEntry(in: bytes) else { return whole(value, colon: colon, in: bytes) }
        elements.append(entry)
      }
      return .block(elements)
    case .scalar:
      if value.range.isEmpty { return .empty }
      return value.style == .block
        ? whole(value, colon: colon, in: bytes) : .scalar(value.range, value.style)
    }
  }

  /// Returns the form of a value to be replaced as a whole, unless a comment would go with it.
  private static func whole(_ value: YAMLNode, colon: Int, in bytes: [UInt8]) -> Form {
    let end = max(colon, value.contentEnd(in: bytes, from: colon))
    let isScalar = value.form == .scalar
    let searched = colon..<(isScalar ? min(end, bytes.lineEnd(of: value.range.lowerBound)) : end)
    let hasComment = bytes[searched].contains(UInt8(ascii: "#"))
    return hasComment ? .opaque("its value contains a comment") : .whole(colon..<end)
  }
}

extension ElementSpan {
  /// Returns the element with its lines, where its dash stands before it on a line of their own.
  fileprivate func asEntry(in bytes: [UInt8]) -> ElementSpan? {
    guard style != .block else { return nil }
    var index = range.lowerBound
    while index > 0, bytes[index - 1] == 0x20 { index -= 1 }
    guard index > 0, bytes[index - 1] == UInt8(ascii: "-"),
      let start = bytes.indentedLineStart(of: index - 1)
    else { return nil }
    return ElementSpan(range: range, style: style, lines: start..<bytes.lineEnd(of: range.upperBound))
  }
}

/// Where the name and the values of a field of front-matter stand in the file.
package struct FieldPlace: Sendable {
  /// A scalar of a value.
  package struct Scalar: Sendable {
    /// The scalar, decoded from its quotes and escapes.
    package let text: String
    /// Its bytes, without quotes.
    package let range: Range<Int>

    /// Whether the bytes are those of the text, so that a part of one is where it is in the other.
    package func isVerbatim(in bytes: [UInt8]) -> Bool { bytes[range].elementsEqual(text.utf8) }
  }

  package let field: FrontMatterField
  /// The bytes of the name.
  package let name: Range<Int>
  /// The value, or the elements of a list; none where they are nested, or of TOML.
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
  /// Where the values on the lines of the field end.
  fileprivate var ends: [Int] {
    switch form {
    case .empty: [colon]
    case .scalar(let range, _), .flow(let range, _): [range.upperBound]
    case .block(let elements): [colon] + elements.map(\.range.upperBound)
    case .whole, .opaque: []
    }
  }
}
