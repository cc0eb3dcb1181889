extension FrontMatterEditor {
  /// Returns what changes where a field becomes a list; elements that stay keep their bytes.
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

  /// Returns what changes where some elements of a list go and at least one stays.
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

  /// Says whether a comment stands in a part of a flow list outside its elements.
  func hasComment(_ range: Range<Int>, beside elements: [ElementSpan]) -> Bool {
    var start = range.lowerBound
    for element in elements where element.range.lowerBound >= start {
      let gap = start..<min(element.range.lowerBound, range.upperBound)
      if text.bytes[gap].contains(UInt8(ascii: "#")) { return true }
      start = min(element.range.upperBound, range.upperBound)
    }
    return text.bytes[start..<range.upperBound].contains(UInt8(ascii: "#"))
  }

  /// Returns what stands between the first two elements of a flow list, else a comma and a space.
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
