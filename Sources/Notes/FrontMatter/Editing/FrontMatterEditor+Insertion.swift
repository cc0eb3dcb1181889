extension FrontMatterEditor {
  /// Returns the note with a field that was not there.
  func inserting(
    _ name: String, _ value: FieldValue, order: [String], lists: ListStyle
  ) throws(EditError) -> NoteText {
    try checkName(name)
    if reading.isFlow {
      throw .opaque(
        field: name, line: 2, reason: "the whole block is one map in braces, or has an anchor or a tag")
    }
    var splices = Splices()
    if let block = text.frontMatter {
      let place = place(of: name, order: order, in: block)
      let lineEnd = text.bytes.lineEndBytes(before: place)
      splices.insert(lines(name, value, lists: lists, lineEnd: lineEnd), at: place)
    } else {
      let fence = Array("---".utf8) + text.lineEnd
      let lines = lines(name, value, lists: lists, lineEnd: text.lineEnd)
      splices.insert(fence + lines + fence, at: text.body.lowerBound)
    }
    return try finish(splices, name, expecting: value)
  }

  /// Refuses names that a new field can't have.
  private func checkName(_ name: String) throws(EditError) {
    if NoteText.canName(name) { return }
    throw .unsettable(field: name, reason: "this is not a valid field name")
  }

  /// Returns the lines of a new field.
  private func lines(
    _ name: String, _ value: FieldValue, lists: ListStyle, lineEnd: [UInt8]
  ) -> [UInt8] {
    let indentation = [UInt8](repeating: 0x20, count: reading.indentation)
    var line = indentation + YAMLScalar.write(name, in: .key) + [UInt8(ascii: ":")]
    switch value {
    case .empty, .map: break
    case .text: line += [0x20] + write(value, like: .plain, in: .value)
    case .list(let elements) where lists == .flow || elements.isEmpty:
      line += [0x20] + flowList(elements)
    case .list(let elements):
      return line + lineEnd + blockList(elements, lineEnd: lineEnd)
    }
    return line + lineEnd
  }

  /// Returns where the lines of a new key go.
  private func place(of name: String, order: [String], in block: Range<Int>) -> Int {
    let before = order.firstIndex { $0.hasSameBytes(as: name) } ?? 0
    for earlier in order[..<before].reversed() {
      if let index = index(of: earlier) { return end(of: index, in: block) }
    }
    guard let last = reading.fields.indices.last else {
      return withoutBlankLines(block.upperBound, from: block.lowerBound)
    }
    return withoutBlankLines(block.upperBound, from: end(of: last, in: block))
  }

  /// Returns where the lines of a field end, with the blank lines that may be part of a block scalar.
  private func end(of index: Int, in block: Range<Int>) -> Int {
    var end = reading.fields[index].span.upperBound
    switch reading.shapes[index].form {
    case .whole, .opaque:
      while end < block.upperBound, text.bytes.isBlankLine(at: end) { end = text.bytes.lineEnd(of: end) }
    case .empty, .scalar, .flow, .block: break
    }
    return end
  }

  /// Returns the start of the blank lines before an offset.
  private func withoutBlankLines(_ offset: Int, from lower: Int) -> Int {
    var end = offset
    var index = offset
    while index > lower, text.bytes[index - 1] <= 0x20 {
      index -= 1
      if index == lower || text.bytes[index - 1] == 0x0A { end = index }
    }
    return end
  }
}

extension [UInt8] {
  /// Says whether nothing but blanks stands on the line that begins at an offset.
  fileprivate func isBlankLine(at start: Int) -> Bool {
    self[start..<lineEnd(of: start)].allSatisfy { $0 <= 0x20 }
  }

  /// Returns the line end that stands before an offset, else the first of the file.
  func lineEndBytes(before offset: Int) -> [UInt8] {
    guard offset > 0, self[offset - 1] == 0x0A else { return firstLineEnd }
    return offset > 1 && self[offset - 2] == 0x0D ? [0x0D, 0x0A] : [0x0A]
  }
}
