import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore
import Text

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List notes, newest first.",
    discussion: """
      Each argument is a term of the query; all must fit. slip help query explains them.

      Examples:
        slip list
        slip list +food -done created:2026-03..2026-05
        slip list kind:book rating:4.. --sort -rating,title
        slip list author:tolkien --json
        slip list +food --format '{id} {title}'
      """)

  @Argument(help: ArgumentHelp("What to list; everything by default.", valueName: "query"))
  var query: [Word] = []

  @OptionGroup var options: ListOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let query = try options.applied(to: try box.query(query.texts))
    let matches = try box.matches(query)
    box.tellOfUnreadableNotes()
    if matches.isEmpty, !options.count {
      box.explainEmptyList(query, isQueried: !self.query.isEmpty, session)
    }
    try ListOutput(options: options, session: session, box: box, isSearch: false).write(
      matches, kind: query.kindName)
  }
}

extension Slipbox {
  /// Why nothing was listed: an empty box, or how the query was read.
  func explainEmptyList(_ query: Query, isQueried: Bool, _ session: Session) {
    if isQueried {
      session.say("nothing fits: \(Visible.escape(query.described()))")
      hintAtUnknownFields(query, session)
    } else {
      session.say("no notes yet; make the first with: slip new \"A first thought\"")
    }
  }

  /// A field that no note has is likely a slip of the finger.
  private func hintAtUnknownFields(_ query: Query, _ session: Session) {
    guard let notes = try? notes().notes, let unknown = try? catalogue().unknownFields(of: query) else {
      return
    }
    let known = Set(notes.flatMap { $0.note.frontMatter.fields.map { $0.name.lowercased() } }).union(
      Self.derivedFields)
    for name in unknown {
      let near = Spelling.nearest(to: name.lowercased(), among: known.sorted())
      session.say(
        "no note has a field \(Visible.escape(name))"
          + (near.map { "; did you mean \(Visible.escape($0)):" } ?? ""))
    }
  }

  private static let derivedFields: Set<String> = [
    "id", "title", "kind", "created", "modified", "path", "body", "tag", "tags",
  ]

  /// Names the files that are notes by name but could not be read.
  func tellOfUnreadableNotes() {
    guard let unreadable = try? notes().unreadable else { return }
    for (path, reason) in unreadable.prefix(5) {
      surroundings.warn("\(Visible.escape(path)) can't be read: \(Visible.escape(reason))")
    }
    if unreadable.count > 5 { surroundings.warn("and \(unreadable.count - 5) more files can't be read") }
  }
}
