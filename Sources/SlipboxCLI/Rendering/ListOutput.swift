import NoteIndex
import Notes
import Rendering
import SlipboxCore
import Text

/// Writes a list of notes in the form that was asked for.
struct ListOutput {
  let options: ListOptions
  let session: Session
  let box: Slipbox
  /// Whether scores and snippets belong to it.
  let isSearch: Bool

  /// The bytes after which the buffer is handed on.
  private static let chunk = 1 << 16

  func write(_ matches: [Match], kind: String? = nil) throws {
    let matches = options.reverse ? matches.reversed() : matches
    if options.count {
      Console.write("\(matches.count)\n")
    } else if options.json || options.jsonl {
      try writeJSON(matches)
    } else if options.csv {
      try writeCSV(matches)
    } else if options.paths {
      for match in matches { writePath(match.entry) }
    } else if let template = options.format {
      try writeLines(matches, template.text)
    } else if Console.outputIsTerminal {
      try writeTable(matches, kind: kind.flatMap { box.schema().kind(named: $0) })
    } else {
      try writeRows(matches)
    }
    try Console.flush()
  }

  private func columns() throws(SlipboxError) -> NoteColumns {
    NoteColumns(modified: try box.noteTimes().modified)
  }

  private var end: String { options.nulSeparated ? "\0" : "\n" }

  private func writeJSON(_ matches: [Match]) throws(SlipboxError) {
    let shape = try NoteJSON(box, for: matches.map(\.entry), includesBody: options.with == "body")
    var writer = JSONWriter()
    if options.json {
      writer.beginObject()
      writer.key("schema")
      writer.integer(NoteJSON.schema)
      writer.key("notes")
      writer.beginArray()
    }
    for match in matches {
      if options.jsonl { writer = JSONWriter() }
      shape.write(match.entry, found: isSearch ? match : nil, to: &writer)
      if options.jsonl {
        Console.write(writer.takeBytes())
        Console.write("\n")
      } else if writer.bytes.count > Self.chunk {
        Console.write(writer.takeBytes())
      }
    }
    if options.json {
      writer.endArray()
      writer.endObject()
      Console.write(writer.takeBytes())
      Console.write("\n")
    }
  }

  private func writeCSV(_ matches: [Match]) throws(SlipboxError) {
    let columns = try columns()
    var names = NoteColumns.standard
    var seen = Set(names)
    for match in matches {
      for field in NoteJSON.otherFields(of: match.entry.note) where seen.insert(field.name).inserted {
        names.append(field.name)
      }
    }
    if options.with == "body", seen.insert("body").inserted { names.append("body") }
    writeCSVRow(names)
    for match in matches {
      writeCSVRow(
        names.map { name in
          name == "body" && options.with == "body"
            ? Self.body(of: match.entry.note) : columns.value(name, of: match.entry)
        })
    }
  }

  private static func body(of note: Note) -> String {
    String(decoding: note.text.bytes[note.text.body], as: UTF8.self)
  }

  private func writeCSVRow(_ cells: [String]) {
    let row = CSVWriter.row(cells)
    if Console.outputIsTerminal {
      Console.write(Visible.escape(row, keepingLines: true))
    } else {
      Console.write(row)
    }
  }

  private func writePath(_ entry: Entry) {
    if Console.outputIsTerminal {
      Console.write(Visible.escape(entry.note.path))
    } else {
      Console.write(entry.note.path)
    }
    Console.write(end)
  }

  private func writeLines(_ matches: [Match], _ template: String) throws(SlipboxError) {
    let columns = try columns()
    for match in matches {
      Console.write(columns.line(template, of: match.entry, isTerminal: Console.outputIsTerminal) + end)
    }
  }

  private func writeRows(_ matches: [Match]) throws(SlipboxError) {
    let columns = try columns()
    for match in matches {
      Console.write(columns.row(match.entry) + end)
      guard isSearch else { continue }
      let name = columns.value("name", of: match.entry)
      for snippet in match.snippets {
        Console.write("\(name)\t\(snippet.line)\t\(Visible.escape(snippet.text))\(end)")
      }
    }
  }

  private func writeTable(_ matches: [Match], kind: Kind?) throws {
    box.rememberList(matches.map(\.entry))
    let rows = NoteRows(
      style: session.style, width: session.width, catalogue: try box.catalogue(), schema: box.schema())
    let lines = isSearch ? rows.found(matches) : rows.listed(matches.map(\.entry), as: kind)
    try Pager.show(lines, session)
  }
}
