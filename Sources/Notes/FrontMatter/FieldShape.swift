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

  /// Returns the offset after the colon of a key that begins a line, without quotes or properties.
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
  /// Returns the element with its lines, if only its dash precedes it on its first line.
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

extension FrontMatterEditor {
  /// Returns the edits that make a field a list; elements that stay keep their bytes.
  func listReplacement(
    of index: Int, by elements: [FieldValue], lists: ListStyle
  ) throws(EditError) -> Splices {
    let form = try form(of: index)
    let colon = reading.shapes[index].colon
    var splices = Splices()
    if case .list(let old) = reading.fields[index].value, !old.isEmpty, !elements.isEmpty {
      let change = ListChange(from: old, to: elements)
      switch form {
      case .flow(_, let spans):
        try changeFlow(spans, by: change, of: index, in: &splices)
        return splices
      case .block(let spans):
        changeBlock(spans, by: change, in: &splices)
        return splices
      case .empty, .scalar, .whole, .opaque: break
      }
    }
    if case .flow(let range, let spans) = form, spans.isEmpty, !elements.isEmpty {
      splices.insert(Array(flowList(elements).dropFirst().dropLast()), at: range.lowerBound + 1)
      return splices
    }
    try removeValue(of: index, from: &splices)
    if lists == .flow || elements.isEmpty {
      splices.insert([0x20] + flowList(elements, like: form.scalarStyle), at: colon)
    } else {
      let end = reading.fields[index].span.upperBound
      splices.insert(blockList(elements, lineEnd: text.bytes.lineEndBytes(before: end)), at: end)
    }
    return splices
  }

  /// Returns the edits that remove some elements of a list, of which at least one stays.
  func removal(
    of positions: [Int], leaving rest: [FieldValue], in index: Int
  ) throws(EditError) -> Splices {
    var splices = Splices()
    switch try form(of: index) {
    case .flow(_, let spans):
      try changeFlow(spans, by: ListChange(removing: positions), of: index, in: &splices)
    case .block(let spans): changeBlock(spans, by: ListChange(removing: positions), in: &splices)
    case .empty, .scalar, .whole, .opaque:
      return try listReplacement(of: index, by: rest, lists: .flow)
    }
    return splices
  }

  /// Returns a flow list with its brackets.
  func flowList(_ elements: [FieldValue], like style: ScalarStyle = .plain) -> [UInt8] {
    let written = elements.map { write($0, like: style, in: .flowElement) }
    return [UInt8(ascii: "[")] + Array(written.joined(separator: ", ".utf8)) + [UInt8(ascii: "]")]
  }

  /// Returns the lines of a block list.
  func blockList(_ elements: [FieldValue], lineEnd: [UInt8]) -> [UInt8] {
    let indentation = [UInt8](repeating: 0x20, count: reading.indentation + 2)
    return elements.flatMap { element in
      indentation + Array("- ".utf8) + write(element, like: .plain, in: .value) + lineEnd
    }
  }

  /// Returns an element in the style of another.
  func write(_ element: FieldValue, like style: ScalarStyle, in place: YAMLScalar.Place) -> [UInt8] {
    guard let text = element.text else { return [UInt8(ascii: "~")] }
    return YAMLScalar.write(text, in: place, like: style, previous: writesFractions ? text : nil)
  }
}

extension FrontMatterEditor {
  private func changeFlow(
    _ spans: [ElementSpan], by change: ListChange, of index: Int, in splices: inout Splices
  ) throws(EditError) {
    for (position, element) in change.replaced {
      let span = spans[position]
      splices.replace(span.range, with: write(element, like: span.style, in: .flowElement))
    }
    for run in change.removed {
      let hole =
        run.lowerBound > 0
        ? spans[run.lowerBound - 1].range.upperBound..<spans[run.upperBound - 1].range.upperBound
        : spans[0].range.lowerBound..<spans[run.upperBound].range.lowerBound
      let kept = spans[max(run.lowerBound - 1, 0)..<min(run.upperBound + 1, spans.count)]
      if hasComment(hole, beside: Array(kept)) { throw opaque(index, Self.commentInside) }
      splices.remove(hole)
    }
    let separator = separator(of: spans)
    let isFirst = change.place == 0
    let neighbour = spans[isFirst ? 0 : change.place - 1]
    for element in change.added {
      let written = write(element, like: neighbour.style, in: .flowElement)
      splices.insert(
        isFirst ? written + separator : separator + written,
        at: isFirst ? neighbour.range.lowerBound : neighbour.range.upperBound)
    }
  }

  static var commentInside: String { "its value contains a comment" }

  /// Whether a part of a flow list outside its elements contains a comment.
  func hasComment(_ range: Range<Int>, beside elements: [ElementSpan]) -> Bool {
    var start = range.lowerBound
    for element in elements where element.range.lowerBound >= start {
      let gap = start..<min(element.range.lowerBound, range.upperBound)
      if text.bytes[gap].contains(UInt8(ascii: "#")) { return true }
      start = min(element.range.upperBound, range.upperBound)
    }
    return text.bytes[start..<range.upperBound].contains(UInt8(ascii: "#"))
  }

  /// Returns the bytes between the first two elements of a flow list, else a comma and a space.
  private func separator(of spans: [ElementSpan]) -> [UInt8] {
    let usual = Array(", ".utf8)
    guard spans.count > 1 else { return usual }
    let gap = text.bytes[spans[0].range.upperBound..<spans[1].range.lowerBound]
    let isClean = gap.allSatisfy { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    return isClean && gap.count <= 40 ? Array(gap) : usual
  }

  private func changeBlock(_ spans: [ElementSpan], by change: ListChange, in splices: inout Splices) {
    for (position, element) in change.replaced {
      let span = spans[position]
      let written = write(element, like: span.style, in: .value)
      let isAfterDash = span.range.isEmpty && text.bytes[span.range.lowerBound - 1] == UInt8(ascii: "-")
      splices.replace(span.range, with: (isAfterDash ? [0x20] : []) + written)
    }
    for run in change.removed {
      for position in run { splices.remove(spans[position].lines) }
    }
    let isFirst = change.place == 0
    let neighbour = spans[isFirst ? 0 : change.place - 1]
    var start = Array(text.bytes[neighbour.lines.lowerBound..<neighbour.range.lowerBound])
    if start.last == UInt8(ascii: "-") { start.append(0x20) }
    let lineEnd = text.bytes.lineEndBytes(before: neighbour.lines.upperBound)
    for element in change.added {
      splices.insert(
        start + write(element, like: neighbour.style, in: .value) + lineEnd,
        at: isFirst ? neighbour.lines.lowerBound : neighbour.lines.upperBound)
    }
  }
}

/// The difference between two lists that are not empty, as few elements as a common start and end leave.
struct ListChange {
  /// Elements of the old list that others take the place of.
  private(set) var replaced: [(position: Int, element: FieldValue)] = []
  /// Runs of elements that go; at least one element stays.
  private(set) var removed: [Range<Int>] = []
  /// Elements that come, before the element of the old list at `place`.
  private(set) var added: [FieldValue] = []
  private(set) var place = 0

  init(from old: [FieldValue], to new: [FieldValue]) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let shared = shorter - start - end
    replaced = (start..<start + shared).map { ($0, new[$0]) }
    place = start + shared
    if old.count - end > place { removed = [place..<old.count - end] }
    if new.count - end > place { added = Array(new[place..<new.count - end]) }
  }

  /// The removal of some elements, given in rising order, of which at least one stays.
  init(removing positions: [Int]) {
    for position in positions {
      if let last = removed.last, last.upperBound == position {
        removed[removed.count - 1] = last.lowerBound..<position + 1
      } else {
        removed.append(position..<position + 1)
      }
    }
  }
}
