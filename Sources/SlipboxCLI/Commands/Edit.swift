import ArgumentParser
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Open notes in your editor and commit what you save.",
    discussion: """
      The editor is the one of slip config --user editor, else $VISUAL, else $EDITOR. It opens the note's own file. \
      What another program committed meanwhile is merged in.

      Examples:
        slip edit kqzmvtrp
        slip edit fermentation
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @Option(
    name: [.long, .customShort("w")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Every note that a query finds, instead of REFs.", valueName: "query"))
  var `where`: [Word] = []

  @Flag(name: .customShort("0"), help: "With - as REF: names end in NUL.")
  var nulSeparated = false

  @Option(
    name: [.long, .customShort("m")], parsing: .unconditional,
    help: ArgumentHelp("Why, for the commit message.", valueName: "reason"))
  var message: Word?

  @OptionGroup var global: GlobalOptions

  /// An editor that is back sooner than this, with nothing changed, may have left the file to another window.
  private static let suspiciousMilliseconds: Int64 = 1_000

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let entries = try chosen(box)
    let sessions = try box.beginEditing(entries)
    let duration: Int64
    do throws(SlipboxError) {
      duration = try Editor.open(entries.map { box.absolutePath($0.note.path) }, session)
    } catch {
      guard try box.hasEdits(sessions) else { throw error }
      let names = entries.map { Slipbox.name(of: $0.note) }.joined(separator: " ")
      throw SlipboxError(
        error.kind, error.message,
        hints: ["what it saved is in the file, not committed", "slip commit \(names) commits it"]
          + error.hints)
    }
    let isTakenBack = try askAboutEmptied(sessions, box, session)
    let result = try box.finishEditing(sessions, reason: message?.text)
    for warning in result.warnings { session.say(warning) }
    if case .unchanged = result.recorded.outcome {
      if isTakenBack { return }
      let isSuspicious = duration < Self.suspiciousMilliseconds
      let hint =
        "; did the editor return before you saved? Give it its option to wait, such as: EDITOR='code --wait'"
      session.say("nothing changed" + (isSuspicious ? hint : ""))
      return
    }
    try Changes.report(result.recorded, session)
  }

  /// An empty file or none is rarely meant: unless somebody says so, the text from before comes back.
  /// - Returns: whether a text came back.
  private func askAboutEmptied(_ sessions: [EditSession], _ box: Slipbox, _ session: Session) throws -> Bool {
    var isTakenBack = false
    for (emptied, isGone) in try box.emptied(sessions) {
      let name = Slipbox.name(of: emptied.entry.note)
      let question =
        isGone ? "\(name): its file is gone. Delete the note?" : "\(name) is empty now. Commit that?"
      if ["y", "yes"].contains(Terminal.ask("\(question) [y/N] ")?.lowercased()) { continue }
      try box.takeBack(emptied)
      isTakenBack = true
      session.say(
        "\(name): the editor left \(isGone ? "no file" : "it empty"), so its text is as it was before")
    }
    return isTakenBack
  }

  private func chosen(_ box: Slipbox) throws -> [Entry] {
    if !`where`.isEmpty {
      guard references.isEmpty else { throw SlipboxError(.usage, "REFs or --where, not both") }
      let query = try box.query(`where`.texts)
      let entries = try box.matches(query).map(\.entry)
      guard !entries.isEmpty else { throw SlipboxError(.notFound, "no note fits the query") }
      return entries
    }
    guard !references.isEmpty else { throw SlipboxError(.usage, "which note?", hints: ["slip edit REF"]) }
    var names: [String] = []
    for reference in references.texts {
      names +=
        reference == "-" ? try TargetOptions.referencesFromInput(nulSeparated: nulSeparated) : [reference]
    }
    return try box.entries(names, fuzzy: true)
  }
}
