import ArgumentParser
import Git
import NoteIndex
import Notes
import Rendering
import SlipboxCore
import Text

struct Log: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "The commits of a note, or of the whole box, newest first.",
    discussion: """
      Examples:
        slip log
        slip log kqzmvtrp
        slip log --limit 5 --json
        slip list +food | slip log -
      """)

  @Argument(help: ArgumentHelp("Only commits that changed these notes' files.", valueName: "ref"))
  var references: [Word] = []

  @Option(name: [.long, .customShort("n")], help: ArgumentHelp("At most this many.", valueName: "n"))
  var limit: Int?

  @Flag(name: .long, help: "As JSON, a line a commit.")
  var json = false

  @Flag(name: .customShort("0"), help: "With - as REF: names end in NUL.")
  var nulSeparated = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let names = try TargetOptions.expandingInput(references.texts, nulSeparated: nulSeparated)
    // No names on standard input are no wish to see the whole box.
    if names.isEmpty, !references.isEmpty { return }
    let entries = try box.entries(names, fuzzy: true)
    if json { return try printJSON(box, entries) }
    var lines: [String] = []
    let style = session.style
    try box.visitHistory(of: entries, limit: limit) { entry in
      lines.append(line(entry, style))
      return true
    }
    if box.repository.isShallow { session.say("this clone is shallow: history is cut where it begins here") }
    try Pager.show(lines, session)
    try Console.flush()
  }

  private func line(_ entry: HistoryEntry, _ style: Style) -> String {
    let commit = entry.commit
    let time = Self.time(commit.author)
    let day = time.civilDate.description + " " + String(time.rfc3339.dropFirst(11).prefix(5))
    let hash = style.yellow(String(commit.id.hex.prefix(8)))
    return
      "\(hash) \(style.dim(day)) \(Visible.escape(commit.subject)) \(style.dim(Visible.escape(commit.author.name)))"
  }

  private static func time(_ signature: Repository.Signature) -> Timestamp {
    Timestamp(seconds: signature.seconds, offsetSeconds: signature.offsetMinutes * 60)
  }

  private func printJSON(_ box: Slipbox, _ entries: [Entry]) throws {
    try box.visitHistory(of: entries, limit: limit) { entry in
      var writer = JSONWriter()
      write(entry, to: &writer)
      Console.write(writer.takeBytes())
      Console.write("\n")
      return true
    }
    try Console.flush()
  }

  private func write(_ entry: HistoryEntry, to writer: inout JSONWriter) {
    func field(_ name: String, _ value: String?) {
      guard let value else { return }
      writer.key(name)
      writer.string(value)
    }
    writer.beginObject()
    field("commit", entry.commit.id.hex)
    field("time", Self.time(entry.commit.author).rfc3339)
    field("author", entry.commit.author.name)
    field("operation", entry.operation)
    field("command", entry.command)
    field("subject", entry.commit.subject)
    writer.key("changes")
    writer.beginArray()
    for change in entry.changes { ChangeTrailer(change)?.write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }
}

extension ChangeTrailer {
  /// The change as an object: note, field, old and new value.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("note")
    Self.writeName(note, to: &writer)
    writer.key("field")
    Self.writeName(field, to: &writer)
    if let old {
      writer.key("old")
      writer.json(old)
    }
    if let new {
      writer.key("new")
      writer.json(new)
    }
    writer.endObject()
  }

  /// A name stands bare in a trailer, and in JSON where it needs quotes: a path, a field with a blank.
  private static func writeName(_ name: String, to writer: inout JSONWriter) {
    if name.utf8.first == UInt8(ascii: "\"") { writer.json(name) } else { writer.string(name) }
  }
}
