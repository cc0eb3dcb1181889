import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Daily: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "daily", abstract: "Open a daily note, or add a line to it.",
    discussion: """
      Creates the note if it does not exist, using the template daily.md if there is one, at the path of the \
      setting daily. The title is the date, such as 2026-11-21. The id is derived from the date: if two \
      devices create the same daily note offline, slip sync merges them into one. An existing note with that \
      title, or a file 2026-11-21.md of another program, is used unchanged.

      DATE is a date as in queries, by default today. Weekdays, 'nov 5' and durations mean the past: friday \
      is the latest Friday up to today, 3d is three days ago. tomorrow, 'next friday' and +3d are in the future.

      On a terminal, the editor opens. In a pipe, the id is printed, or the path if the note has no id. \
      --path prints only the path, for other programs, and creates no note.

      Examples:
        slip daily
        slip daily yesterday
        slip daily --append "Fed the starter"
        date | slip daily friday --append -
        slip daily --path
      """)

  @Argument(help: ArgumentHelp("The day; today by default.", valueName: "date"))
  var words: [Word] = []

  @Option(
    name: .option(.append), parsing: .unconditional,
    help: ArgumentHelp(
      "Add this text as a new line; - reads it from standard input.", valueName: "text"))
  var addition: Word?

  @Flag(name: .option(.path), help: "Print the path of the file.")
  var path = false

  @Flag(name: .option(.json), help: "Print the note as JSON.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !path || !json else {
      throw ValidationError("\(OptionName.path.typed) and \(OptionName.json.typed) can't be combined.")
    }
  }

  func run(in session: Session) throws {
    let piped = addition?.text == "-" ? try session.console.readInput() : nil
    let again = { (file: Phrase) -> Phrase in "slip daily --append - <\(file) adds it to the note of today" }
    if let text = piped ?? addition?.bytes {
      let folder = { (snapshot: BoxSnapshot) -> [UInt8]? in
        let standing = try? StandingNotes(in: snapshot).daily(try day(session))
        return standing.flatMap { snapshot.box.folderBehindFilter(of: $0.path) }
      }
      let (snapshot, standing) = try session.withBox(
        keeping: piped, name: "daily", in: folder, again: again
      ) { snapshot in
        (snapshot, try StandingNotes(in: snapshot).daily(try day(session)))
      }
      let adding = StandingNoteAddition(standing, again: again)
      let note = try adding.add(text, dryRun: dryRun, reason: reason.text, snapshot, session)
      if let note, path || json { try show(note, session) }
      return
    }
    let snapshot = try session.openBox()
    let notes = StandingNotes(in: snapshot)
    let standing = try notes.daily(try day(session))
    if let entry = try notes.entry(of: standing) {
      if opensEditor(session) {
        return try NotesInEditor(snapshot, session).edit([entry], reason: reason.text)
      }
      if dryRun { return session.say("\(entry.note.mention) already exists") }
      return try show(entry.note, session)
    }
    if path, !dryRun {
      return try session.console.print(verbatim: snapshot.box.absolutePath(standing.path) + [10])
    }
    try make(standing, snapshot, session)
  }

  private func opensEditor(_ session: Session) -> Bool {
    session.console.inputIsTerminal && session.console.outputIsTerminal && !path && !json && !dryRun
  }

  private func make(_ standing: StandingNote, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let opens = opensEditor(session)
    var text = try StandingNotes(in: snapshot).text(of: standing, isUnfinished: opens)
    if opens {
      let kind = snapshot.schema().kindOrPlain(named: Note(path: [], text: text).kind)
      text = try DraftEditing(snapshot, session, hasForm: true).edited(
        text, standing.id, kind: kind, in: snapshot.box.folderBehindFilter(of: standing.path))
      // The text from the editor must not be lost silently if the note was created meanwhile.
      let made = try CreateNote(in: snapshot).plan(
        text, at: standing.path, command: standing.command, reason: reason.text)
      return try record(made, standing, snapshot, session)
    }
    let made = try StandingNotes(in: snapshot).plan(creating: standing, text, reason: reason.text)
    if dryRun { return try Changes.printPatch(made.plan, snapshot, session) }
    try record(made, standing, snapshot, session)
  }

  private func record(
    _ made: (note: Note, plan: Plan), _ standing: StandingNote, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let recorded: CommitResult
    do throws(SlipboxError) {
      recorded = try session.writer(after: snapshot).record(made.plan)
    } catch {
      throw snapshot.box.keeping(
        try made.note.text.bytes, name: standing.title,
        in: snapshot.box.folderBehindFilter(of: standing.path),
        at: snapshot.clock.now, error)
    }
    try show(made.note, session)
    if case .unchanged = recorded.outcome { return }
    try Changes.report(recorded, session)
  }

  /// Prints a note in the requested form: its path, JSON, else its id or path as a REF.
  private func show(_ note: Note, _ session: Session) throws {
    if json { return try StandingNoteAddition.printJSON(of: note, schema.schema, session) }
    let snapshot = try session.openBox()
    let name = path ? snapshot.box.absolutePath(note.path) : note.name
    try session.console.print(verbatim: name + [UInt8(ascii: "\n")])
  }

  private static let dayNames = [
    "today", "yesterday", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday",
  ]

  /// The requested day.
  private func day(_ session: Session) throws(SlipboxError) -> CivilDate {
    let clock = session.context.clock
    guard !words.isEmpty else { return clock.today }
    let text = words.texts.joined(separator: " ")
    do throws(SlipboxError) {
      return try PastDay.only(text, clock: clock)
    } catch {
      if let day = Spelling.nearest(to: text, among: Self.dayNames) {
        throw SlipboxError(error.kind, error.message, hints: ["did you mean: slip daily \(day)"])
      }
      let shown = Visible.escape(ShellWord.quoted(text))
      var hints = error.hints
      if addition == nil {
        hints.append("slip daily --append \(shown) adds that text to today's note")
      } else if text.first?.isNumber != true {
        // The words after the first of a text without quotes.
        hints.append("quote a text of several words: --append \"TEXT\"")
      }
      throw SlipboxError(error.kind, error.message, hints: hints)
    }
  }
}
