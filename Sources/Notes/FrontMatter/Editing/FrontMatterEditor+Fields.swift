/// How a list is written where there was none before.
package enum ListStyle: Sendable {
  /// `name: [a, b]`
  case flow
  /// A line for each element.
  case block
}

extension NoteText {
  /// Returns the note with one field set, in the style that it had; nothing else changes.
  ///
  /// Setting the value that is there returns the note as it is; setting the old value again gives the old
  /// bytes wherever the field's style could carry the new one (a plain text that needs quotes once keeps them,
  /// a text of several lines becomes one, an emptied list or a changed form does not come back). A note without
  /// front-matter gets a first block.
  /// - Parameters:
  ///   - order: Where a new key goes: after the nearest key before it in this list that is there, else at
  ///     the end.
  ///   - lists: How a list is written where the field was none.
  ///   - writesFractions: Whether a decimal fraction is written without quotes, as whole numbers are.
  /// - Throws: `EditError` where the front-matter is not writable, the field is of a form that can't be
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
  /// - Throws: `EditError` where the front-matter is not writable or the field can't be changed.
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

  /// Refuses values that can't stand in front-matter.
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

  /// Returns what changes in a field that is there.
  func replacement(
    of index: Int, by value: FieldValue, lists: ListStyle
  ) throws(EditError) -> Splices {
    switch value {
    case .list(let elements): try listReplacement(of: index, by: elements, lists: lists)
    case .text(let text): try scalarReplacement(of: index, by: text)
    case .empty, .map: try scalarReplacement(of: index, by: nil)
    }
  }

  /// Returns what changes where a field becomes a scalar, or has no value any more.
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

  /// Removes all that stands after the colon, except comments.
  /// - Throws: `EditError.opaque` where a comment stands inside the value.
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
