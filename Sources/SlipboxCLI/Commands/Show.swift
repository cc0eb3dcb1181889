import ArgumentParser
import NoteIndex
import Notes
import Rendering
import SlipboxCore
import Text

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show notes with every field.",
    discussion: """
      A part of the title will do where only one note has it.

      In JSON each of the links has its target as it is written, its form (wiki, embed, markdown, image, reference), its \
      line, in front-matter its field, and what it came to: the id, path and title of a note; ambiguous, a list of notes; \
      the path of another file; a url; or dangling. The backlinks are the notes that link to this one.

      Examples:
        slip show kqzmvtrp
        slip show fermentation
        slip show @1 --raw
        slip show kqzmvtrp --json
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word]

  @Flag(name: .long, help: "The file as it is.")
  var raw = false

  @Flag(name: .long, help: "As JSON, with body, links and backlinks.")
  var json = false

  @Flag(name: .customShort("0"), help: "With - as REF: names end in NUL.")
  var nulSeparated = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let names = try TargetOptions.expandingInput(references.texts, nulSeparated: nulSeparated)
    let entries = try box.entries(names, fuzzy: true)
    if raw {
      try showRaw(entries)
    } else if json {
      try showJSON(entries, box)
    } else {
      try showRendered(entries, box, session)
    }
  }

  /// The bytes themselves, but never to a terminal.
  private func showRaw(_ entries: [Entry]) throws {
    for entry in entries {
      let bytes = entry.note.text.bytes
      try Console.print(
        Console.outputIsTerminal ? Visible.escape(bytes, keepingLines: true) : nil, bytes: bytes)
    }
  }

  private func showJSON(_ entries: [Entry], _ box: Slipbox) throws {
    let links = try NoteLinks(of: entries, [.links, .backlinks], in: box)
    let (shape, times) = (try NoteJSON(box, includesBody: true, links: links), try box.noteTimes())
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("schema")
    writer.integer(NoteJSON.schema)
    writer.key("notes")
    writer.beginArray()
    for entry in entries { shape.write(entry, modified: times.modified(entry), to: &writer) }
    writer.endArray()
    writer.endObject()
    Console.write(writer.takeBytes())
    try Console.print("\n")
  }

  private func showRendered(_ entries: [Entry], _ box: Slipbox, _ session: Session) throws {
    let schema = box.schema()
    let refers = entries.contains { entry in
      schema.kind(named: entry.kind)?.fields.contains { field in
        field.type == .reference && entry.note.frontMatter[field.name] != nil
      } ?? false
    }
    // The titles of other records cost a look at all of them.
    let titles = RecordTitles(refers ? try box.catalogue().entries : Catalogue([]).entries, schema)
    let view = NoteView(style: session.style, width: session.width, schema: schema, title: titles.title)
    let times = try box.noteTimes()
    var lines: [String] = []
    for entry in entries {
      if !lines.isEmpty { lines += ["", session.style.dim("---"), ""] }
      lines += view.lines(entry, modified: times.modified(entry))
    }
    try Pager.show(lines, session)
    try Console.flush()
  }
}
