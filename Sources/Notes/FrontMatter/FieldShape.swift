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
