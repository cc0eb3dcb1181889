import NoteIndex
import Notes
import SlipboxCore

/// Records of one kind as a table with the columns that the kind declares.
struct RecordsHTML {
  let kind: Kind
  let contents: SiteContents
  let marks: NoteMarks

  func write(_ notes: ArraySlice<Int>, _ out: inout MarkupWriter) {
    out.add("<div class=\"table\" tabindex=\"0\"><table class=\"records\">\n<thead>\n<tr>")
    for column in kind.row {
      out.add("<th scope=\"col\">")
      out.text(name(of: column))
      out.add("</th>")
    }
    out.add("</tr>\n</thead>\n<tbody>\n")
    let row = RecordRow(kind, contents.titles, contents.states, unicode: true)
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
      for (index, tag) in note.tags.enumerated() {
        if index > 0 { out.add(" ") }
        LinkHTML.writeTag(tag, marks.address(ofTag: tag), &out)
      }
    } else if field.type == .reference,
      let written = contents.entry(number).note.frontMatter.fields.first(where: {
        $0.name.isSameName(as: name)
      })
    {
      FieldHTML(marks: marks, connections: note.connections).write(written, &out)
    } else {
      out.text(cell)
    }
  }
}
