import Notes
import SlipboxCore

/// The value of a field on a page: references and links as links, lists with commas.
///
/// A reference to a note that is not on the site is left out: its id or title would tell of it.
struct FieldHTML {
  let marks: NoteMarks
  /// The connections of the note.
  let connections: [Connection]
  private let hidden: HiddenReferences

  init(marks: NoteMarks, connections: [Connection]) {
    self.marks = marks
    self.connections = connections
    hidden = HiddenReferences(connections, marks.contents.map)
  }

  func write(_ field: FrontMatterField, _ out: inout MarkupWriter) {
    let strings = field.value.strings
    guard !strings.isEmpty else {
      return PlainTextHTML.write(Array(NoteColumns.text(field.value).utf8)[...], linking: true, &out)
    }
    let own = connections.filter { $0.field == field.name }
    for (index, value) in strings.filter({ !hidden.hide($0, in: field) }).enumerated() {
      if index > 0 { out.add(", ") }
      write(hidden.words(of: value, in: field), own, &out)
    }
  }

  /// Whether something of a field is shown.
  func shows(_ field: FrontMatterField) -> Bool {
    if case .empty = field.value { return false }
    return hidden.text(of: field) != nil
  }

  /// Writes one value, which may be the name of a record, or a text with wiki links.
  func write(_ value: String, _ connections: [Connection], _ out: inout MarkupWriter) {
    let name = Field.bareReference(value)
    if let reference = connections.first(where: { $0.form == nil && $0.text.hasSameBytes(as: name) }) {
      return LinkHTML.write(title(of: reference) ?? name, marks.page(of: reference), &out)
    }
    writeLinks(Array(value.utf8)[...], connections, &out)
  }

  private func title(of reference: Connection) -> String? {
    guard case .note(let place) = reference.target else { return nil }
    return marks.contents.map.number(ofPlace: place).map { marks.contents.notes[$0].title }
  }

  private func writeLinks(_ value: ArraySlice<UInt8>, _ connections: [Connection], _ out: inout MarkupWriter)
  {
    var rest = value
    while let open = Self.offset(of: "[[", in: rest), let close = Self.offset(of: "]]", in: rest[open...]) {
      let label = WikiLabel(rest[open..<close + 2])
      let link = connections.first { $0.form != nil && $0.text.hasSameBytes(as: label.target) }
      PlainTextHTML.write(rest[..<open], linking: true, &out)
      LinkHTML.write(label.text ?? label.target, link.map(marks.page) ?? .text, &out)
      rest = rest[(close + 2)...]
    }
    PlainTextHTML.write(rest, linking: true, &out)
  }

  private static func offset(of mark: StaticString, in text: ArraySlice<UInt8>) -> Int? {
    let byte = mark.utf8Start[0]
    return text.indices.dropLast().first { text[$0] == byte && text[$0 + 1] == byte }
  }
}
