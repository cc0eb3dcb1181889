import NoteIndex
import Notes
import SlipboxCore

/// Records of one kind as a table with the columns that the kind declares.
struct RecordsHTML {
  let kind: Kind
  let contents: SiteContents
  let marks: NoteMarks
  let titles: RecordTitles

  func write(_ notes: ArraySlice<Int>, _ out: inout MarkupWriter) {
    out.add("<div class=\"table\" tabindex=\"0\"><table class=\"records\">\n<thead>\n<tr>")
    for column in kind.row {
      out.add("<th scope=\"col\">")
      out.text(name(of: column))
      out.add("</th>")
    }
    out.add("</tr>\n</thead>\n<tbody>\n")
    let row = RecordRow(kind, titles, contents.states, unicode: true)
    for number in notes { write(number, row, &out) }
    out.add("</tbody>\n</table></div>\n")
  }

  /// Whether the cells of a column are days, numbers or signs, which are not broken.
  private func isWhole(_ column: RowColumn) -> Bool {
    guard case .field(let name) = column.content, column.symbols.isEmpty, let field = kind.field(name) else {
      return true
    }
    return !field.isList && ![.text, .reference].contains(field.type)
  }

  private func name(of column: RowColumn) -> String {
    switch column.content {
    case .field(let name): name
    case .count(let kind): kind
    }
  }

  /// The column that leads to the record: the title, else the first.
  private var leading: Int { kind.row.firstIndex { $0.content == .field("title") } ?? 0 }

  private func write(_ number: Int, _ row: RecordRow, _ out: inout MarkupWriter) {
    let entry = contents.entry(number)
    out.add(contents.notes[number].isOpen ? "<tr>" : "<tr class=\"done\">")
    for (index, (column, cell)) in zip(kind.row, row.cells(of: entry)).enumerated() {
      out.add(isWhole(column) ? "<td dir=\"auto\" class=\"whole\">" : "<td dir=\"auto\">")
      if index == leading {
        out.add("<a")
        out.attribute("href", marks.address(of: number))
        out.add(">")
        out.text(cell.isEmpty ? entry.note.title : cell)
        out.add("</a>")
      } else {
        write(cell, of: column, number, &out)
      }
      out.add("</td>")
    }
    out.add("</tr>\n")
  }

  private func write(_ cell: String, of column: RowColumn, _ number: Int, _ out: inout MarkupWriter) {
    guard case .field(let name) = column.content, let field = kind.field(name) else { return out.text(cell) }
    let note = contents.notes[number]
    if field.type == .tags, !note.tags.isEmpty {
      for (index, tag) in note.tags.prefix(NoteItem.mostTags).enumerated() {
        if index > 0 { out.add(" ") }
        LinkHTML.writeTag(tag, marks.address(ofTag: tag), &out)
      }
      if note.tags.count > NoteItem.mostTags { out.add(" \u{2026}") }
    } else if field.type == .reference,
      let written = contents.entry(number).note.frontMatter.fields.first(where: {
        $0.name.isSameName(as: name)
      })
    {
      FieldHTML(marks: marks, connections: contents.connections(of: number)).write(written, &out)
    } else {
      out.text(cell)
    }
  }
}

/// The value of a field on a page: references and links as links, lists with commas.
struct FieldHTML {
  let marks: NoteMarks
  /// The connections of the note.
  let connections: [Connection]

  func write(_ field: FrontMatterField, _ out: inout MarkupWriter) {
    let strings = field.value.strings
    guard !strings.isEmpty else {
      return PlainTextHTML.write(Array(NoteColumns.text(field.value).utf8)[...], linking: true, &out)
    }
    let own = connections.filter { $0.field == field.name }
    for (index, value) in strings.enumerated() {
      if index > 0 { out.add(", ") }
      write(value, own, &out)
    }
  }

  /// Whether something of a field is shown.
  func shows(_ field: FrontMatterField) -> Bool {
    if case .empty = field.value { false } else { true }
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
