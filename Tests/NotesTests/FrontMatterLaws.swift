import Testing

@testable import Notes

/// Makes a note of a block's lines and a body.
func note(_ block: String, body: String = "Body\n") -> NoteText {
  NoteText(Array("---\n\(block)---\n\(body)".utf8))
}

extension NoteText {
  /// The bytes as text, for messages.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  init(_ string: String) { self.init(Array(string.utf8)) }
}

extension FieldValue {
  /// A list of texts.
  static func texts(_ elements: String...) -> FieldValue { .list(elements.map(FieldValue.text)) }
}

/// Checks that an edit kept the other fields byte for byte, their values, the body and the rest of the file.
func expectKept(
  _ old: NoteText, _ new: NoteText, except name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let before = FrontMatterReading(libyaml: old)
  let after = FrontMatterReading(libyaml: new)
  #expect(after.problems.isEmpty, "\(new.string)", sourceLocation: sourceLocation)
  let others = before.fields.filter { !$0.name.hasSameBytes(as: name) }
  let kept = after.fields.filter { !$0.name.hasSameBytes(as: name) }
  let isSame =
    others.count == kept.count
    && zip(others, kept).allSatisfy { first, second in
      first.name.hasSameBytes(as: second.name) && first.value == second.value
        && old.bytes.isSame(in: first.span, as: new.bytes, in: second.span)
    }
  #expect(
    isSame, "other fields of\n\(old.string)\nchanged in\n\(new.string)", sourceLocation: sourceLocation)
  let span = before.fields.first { $0.name.hasSameBytes(as: name) }?.span
  #expect(keepsAround(span, old, new), "\(old.string)\n=>\n\(new.string)", sourceLocation: sourceLocation)
  let isBodyKept = old.bytes.isSame(in: old.body, as: new.bytes, in: new.body)
  #expect(isBodyKept, "\(new.string)", sourceLocation: sourceLocation)
}

/// Says whether all bytes outside a field, or all bytes where there was none, are still there.
private func keepsAround(_ span: Range<Int>?, _ old: NoteText, _ new: NoteText) -> Bool {
  let grown = new.bytes.count - old.bytes.count
  let hole: Range<Int>
  if let span {
    hole = span
  } else {
    let start = zip(old.bytes, new.bytes).prefix { $0 == $1 }.count
    hole = start..<start
  }
  let after = hole.upperBound + grown
  guard after >= hole.lowerBound else { return false }
  let before = 0..<hole.lowerBound
  return old.bytes.isSame(in: before, as: new.bytes, in: before)
    && old.bytes.isSame(in: hole.upperBound..<old.bytes.count, as: new.bytes, in: after..<new.bytes.count)
}

/// The two readers' answers to one note, where both have one.
func readings(of text: NoteText) -> (quick: FrontMatterReading?, slow: FrontMatterReading) {
  let slow = FrontMatterReading(libyaml: text)
  guard let range = text.frontMatter, FrontMatterBytes.firstUnreadable(text.bytes) == nil,
    FrontMatterBytes.areSimple(text.bytes, in: range)
  else { return (nil, slow) }
  return (SpanReader.read(text.bytes, in: range, keepsShapes: true), slow)
}

/// Checks that what the quick reader takes libyaml reads alike.
/// - Returns: Whether the quick reader took it.
@discardableResult
func expectAlike(_ text: NoteText, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
  let (quick, slow) = readings(of: text)
  guard let quick else { return false }
  let isDuplicate = slow.problems.allSatisfy { $0.message.contains("twice") }
  #expect(isDuplicate, "\(text.string): \(slow.problems)", sourceLocation: sourceLocation)
  #expect(quick.fields == slow.fields, "\(text.string)", sourceLocation: sourceLocation)
  #expect(quick.shapes == slow.shapes, "\(text.string)", sourceLocation: sourceLocation)
  return true
}
