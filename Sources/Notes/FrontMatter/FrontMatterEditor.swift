/// Changes one field of a note's front-matter and makes sure that nothing else changed.
struct FrontMatterEditor {
  let text: NoteText
  let reading: FrontMatterReading
  /// Whether a decimal fraction is written without quotes, as whole numbers are.
  let writesFractions: Bool

  /// - Throws: `EditError.unreadable` if the front-matter has an error.
  init(_ text: NoteText, writesFractions: Bool = false) throws(EditError) {
    self.text = text
    self.writesFractions = writesFractions
    reading = FrontMatterReading(text, keepsShapes: true)
    if let problem = reading.problems.first(where: { $0.severity == .error }) { throw .unreadable(problem) }
  }

  func index(of name: String) -> Int? {
    reading.fields.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  /// Returns how a field is written.
  /// - Throws: `EditError.opaque` if it can't be changed.
  func form(of index: Int) throws(EditError) -> FieldShape.Form {
    let form = reading.shapes[index].form
    if case .opaque(let reason) = form { throw opaque(index, reason) }
    return form
  }

  func opaque(_ index: Int, _ reason: String) -> EditError {
    .opaque(field: reading.fields[index].name, line: reading.fields[index].line, reason: reason)
  }

  /// Makes changes and reads the result again by libyaml.
  ///
  /// - Parameter expected: The value that the field must have then, nil if it must be gone.
  /// - Throws: `EditError.opaque` if another field or the body would change.
  func finish(
    _ splices: Splices, _ name: String, expecting expected: FieldValue?
  ) throws(EditError) -> NoteText {
    try finish(splices, [(name, expected)])
  }

  /// The same for several fields with different names, of which at least one is given.
  func finish(
    _ splices: Splices, _ expected: [(name: String, value: FieldValue?)]
  ) throws(EditError) -> NoteText {
    let result = NoteText(splices.applied(to: text.bytes))
    let after = FrontMatterReading(libyaml: result)
    let wanted = Dictionary(expected.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    let name = expected.first?.name ?? ""
    let isSound =
      after.problems.isEmpty
      && after.firstValues(of: wanted.keys) == wanted.compactMapValues { $0 }
      && result.bytes.isSame(in: result.body, as: text.bytes, in: text.body)
      && after.hasSameFields(as: reading, except: wanted.keys)
    guard isSound else {
      let line = index(of: name).map { reading.fields[$0].line } ?? 1
      throw .opaque(field: name, line: line, reason: "the change would alter other parts of the note")
    }
    return result
  }
}

extension FrontMatterReading {
  fileprivate typealias Names = Dictionary<[UInt8], FieldValue?>.Keys

  /// The values of the first fields of some names that are there.
  fileprivate func firstValues(of names: Names) -> [[UInt8]: FieldValue] {
    Dictionary(
      fields.map { (Array($0.name.utf8), $0.value) }.filter { names.contains($0.0) }
    ) { first, _ in first }
  }

  /// Says whether all fields but those of some names have the same names and values in the same order.
  fileprivate func hasSameFields(as other: FrontMatterReading, except names: Names) -> Bool {
    let mine = fields.filter { !names.contains(Array($0.name.utf8)) }
    let theirs = other.fields.filter { !names.contains(Array($0.name.utf8)) }
    return mine.count == theirs.count
      && zip(mine, theirs).allSatisfy { $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value }
  }
}

/// Why a change of front-matter was refused; nothing was changed.
package enum EditError: Error, Equatable, Sendable {
  /// The front-matter can't be read as YAML, so it is never rewritten.
  case unreadable(Problem)
  /// The field is there in a form that can't be changed without harm to the rest.
  case opaque(field: String, line: Int, reason: String)
  /// The value or the name can't be written as a field.
  case unsettable(field: String, reason: String)
}

/// How a list is written if there was none before.
package enum ListStyle: Sendable {
  /// `name: [a, b]`
  case flow
  /// A line for each element.
  case block
}

extension NoteText {
  /// Returns the note with one field set, in the style that it had; nothing else changes.
  ///
  /// Setting the current value returns the note as it is. Setting the old value again gives the old
  /// bytes wherever the field's style could express the new one (a plain text that needs quotes once keeps them,
  /// a text of several lines becomes one, an emptied list or a changed form is not restored). A note without
  /// front-matter gets a first block.
  /// - Parameters:
  ///   - order: the place of a new key: after the nearest existing key before it in this list, else at
  ///     the end.
  ///   - lists: the style of a list if the field was not a list.
  ///   - writesFractions: whether a decimal fraction is written without quotes, as whole numbers are.
  /// - Throws: `EditError` if the front-matter is not writable, the field is of a form that can't be
  ///   changed, or the value has maps or lists inside lists.
  package func setting(
    _ name: String, to value: FieldValue, order: [String] = [], lists: ListStyle = .flow,
    writesFractions: Bool = false
  ) throws(EditError) -> NoteText {
    let editor = try FrontMatterEditor(self, writesFractions: writesFractions)
    try editor.checkSettable(value, name)
    guard let index = editor.index(of: name) else {
      return try editor.inserting(name, value, order: order, lists: lists)
    }
    guard editor.reading.fields[index].value != value else { return self }
    let splices = try editor.replacement(of: index, by: value, lists: lists)
    return try editor.finish(splices, name, expecting: value)
  }

  /// Returns the note without a field: its lines go, the fences stay.
  ///
  /// - Throws: `EditError` if the front-matter is not writable or the field can't be changed.
  package func clearing(_ name: String) throws(EditError) -> NoteText {
    let editor = try FrontMatterEditor(self)
    guard let index = editor.index(of: name) else { return self }
    return try editor.clearing(index)
  }
}

extension FrontMatterEditor {
  func clearing(_ index: Int) throws(EditError) -> NoteText {
    _ = try form(of: index)
    var splices = Splices()
    splices.remove(reading.fields[index].span)
    return try finish(splices, reading.fields[index].name, expecting: nil)
  }

  /// Refuses values that front-matter can't contain.
  func checkSettable(_ value: FieldValue, _ name: String) throws(EditError) {
    switch value {
    case .text, .empty: return
    case .map: throw .unsettable(field: name, reason: "maps can't be set")
    case .list(let elements):
      for element in elements {
        switch element {
        case .text, .empty: continue
        case .list, .map: throw .unsettable(field: name, reason: "nested lists can't be set")
        }
      }
    }
  }

  /// Returns the edits of an existing field.
  func replacement(
    of index: Int, by value: FieldValue, lists: ListStyle
  ) throws(EditError) -> Splices {
    switch value {
    case .list(let elements): try listReplacement(of: index, by: elements, lists: lists)
    case .text(let text): try scalarReplacement(of: index, by: text)
    case .empty, .map: try scalarReplacement(of: index, by: nil)
    }
  }

  /// Returns the edits that make a field a scalar, or remove its value.
  private func scalarReplacement(of index: Int, by text: String?) throws(EditError) -> Splices {
    let form = try form(of: index)
    let colon = reading.shapes[index].colon
    var splices = Splices()
    guard case .scalar(let range, let style) = form, let text else {
      try removeValue(of: index, from: &splices)
      if let text { splices.insert([0x20] + write(.text(text), like: .plain, in: .value), at: colon) }
      return splices
    }
    let previous = writesFractions ? text : reading.fields[index].value.text
    splices.replace(range, with: YAMLScalar.write(text, in: .value, like: style, previous: previous))
    return splices
  }

  /// Removes everything after the colon, except comments.
  /// - Throws: `EditError.opaque` if the value contains a comment.
  func removeValue(of index: Int, from splices: inout Splices) throws(EditError) {
    let colon = reading.shapes[index].colon
    switch try form(of: index) {
    case .empty, .opaque: return
    case .scalar(let range, _):
      if hasComment(colon..<range.lowerBound, beside: []) { throw opaque(index, Self.commentInside) }
      splices.remove(colon..<range.upperBound)
    case .flow(let range, let elements):
      if hasComment(colon..<range.upperBound, beside: elements) { throw opaque(index, Self.commentInside) }
      splices.remove(colon..<range.upperBound)
    case .whole(let range): splices.remove(range)
    case .block(let elements):
      for element in elements { splices.remove(element.lines) }
    }
  }
}

extension FrontMatterEditor {
  /// Returns the note with a field that was not there.
  func inserting(
    _ name: String, _ value: FieldValue, order: [String], lists: ListStyle
  ) throws(EditError) -> NoteText {
    try checkName(name)
    if reading.isFlow {
      throw .opaque(
        field: name, line: 2, reason: "the whole block is one map in braces, or has an anchor or a YAML tag")
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

  /// Returns the note with texts as fields that were not there, at the end of the others.
  ///
  /// - Parameter fields: fields with different names.
  /// - Throws: `EditError` as `setting` does; the caller may then set them one by one to find the field at fault.
  func appending(_ fields: [(name: String, value: FieldValue)]) throws(EditError) -> NoteText {
    for field in fields { try checkName(field.name) }
    guard !fields.isEmpty else { return text }
    guard !reading.isFlow, let block = text.frontMatter else {
      var result = text
      for field in fields {
        result = try result.setting(field.name, to: field.value, writesFractions: writesFractions)
      }
      return result
    }
    let place = place(of: fields[0].name, order: [], in: block)
    let lineEnd = text.bytes.lineEndBytes(before: place)
    var splices = Splices()
    splices.insert(
      fields.flatMap { lines($0.name, $0.value, lists: .flow, lineEnd: lineEnd) }, at: place)
    return try finish(splices, fields.map { ($0.name, $0.value) })
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

  /// Returns the offset at which the lines of a new key are inserted.
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

  /// Returns the end of the lines of a field, with the blank lines that may be part of a block scalar.
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
  /// Whether the line at an offset is blank.
  fileprivate func isBlankLine(at start: Int) -> Bool {
    self[start..<lineEnd(of: start)].allSatisfy { $0 <= 0x20 }
  }

  /// Returns the line end before an offset, else the first of the file.
  func lineEndBytes(before offset: Int) -> [UInt8] {
    guard offset > 0, self[offset - 1] == 0x0A else { return firstLineEnd }
    return offset > 1 && self[offset - 2] == 0x0D ? [0x0D, 0x0A] : [0x0A]
  }
}
