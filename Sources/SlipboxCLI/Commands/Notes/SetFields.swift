import ArgumentParser
import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

struct SetFields: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change fields, tags or the body of notes.",
    discussion: """
      REFs come first, then CHANGEs: field:value, field: (clears the field), field:+x and field:-x for \
      lists, +tag, -tag. Only the lines of the changed fields are rewritten; comments, order and quotes are \
      kept. REF#HEADING, REF#^block and REF:LINE with --body replace the text of that part; a heading stays.

      Examples:
        slip set kqzmvtrp status:closed +later
        slip set "Fermentation basics#Plan" --body "Fold twice."
        slip set "Fermentation basics" -food rating:4
        slip set --where +inbox +sorted -inbox --yes
        slip set kqzm due: --dry-run
      """)

  @Argument(help: ArgumentHelp("REFs, then CHANGEs.", valueName: "ref-or-change"))
  var words: [Word] = []

  @Option(
    name: .option(.body), parsing: .unconditional,
    help: ArgumentHelp("Replace the text; - reads it from standard input.", valueName: "text"))
  var body: Word?

  @Flag(name: .option(.inline), help: "Let -tag remove the # of a tag in the text.")
  var inline = false

  @Flag(name: .option(.giveID), help: "Give an id to notes without one.")
  var giveId = false

  @Flag(name: .option(.newField), help: "Allow a new field or kind with a name that resembles a known one.")
  var newField = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let piped = try pipedBody(session)
    let again = { (file: Phrase) -> Phrase in "slip set REF --body - <\(file) puts it into a note" }
    let folder = { (snapshot: BoxSnapshot) -> [UInt8]? in
      // Not split as for the change: the text needs the folder of its note also if a CHANGE is misread.
      let names = words.texts.filter { Change($0) == nil }
      let entries = names.compactMap { try? NoteLookup(in: snapshot).entry($0, fuzzy: false) }
      return snapshot.box.folderBehindFilter(ofOneOf: entries)
    }
    let (snapshot, plan, question, entries, areNamed) = try session.withBox(
      keeping: piped, name: "body", in: folder, again: again
    ) {
      try prepared(piped, $0, session)
    }
    do {
      try Changes.carryOut(plan, on: entries, areNamed: areNamed, question, targets, snapshot, session)
    } catch let error as SlipboxError {
      guard let body else { throw error }
      let text = piped ?? Self.line(body.bytes)
      throw snapshot.box.keeping(
        text, name: "body", in: snapshot.box.folderBehindFilter(ofOneOf: entries), at: snapshot.clock.now,
        error,
        again: again)
    }
  }

  /// The new text from standard input; nil if there is none.
  private func pipedBody(_ session: Session) throws -> [UInt8]? {
    guard body?.text == "-" else { return nil }
    guard !words.contains(where: { $0.text == "-" }) else {
      throw SlipboxError(
        .usage, "standard input can't supply both the notes and their text",
        hints: ["give REFs, or use --where"])
    }
    return try session.console.readInput()
  }

  private func prepared(
    _ piped: [UInt8]?, _ snapshot: BoxSnapshot, _ session: Session
  ) throws -> (BoxSnapshot, Plan, BulkQuestion, [Entry], areNamed: Bool) {
    let (references, changes) = try Changes.split(words.texts, targets.selection, in: snapshot)
    guard !changes.isEmpty || body != nil || giveId else {
      let meant = MisreadChange(pairIn: references, fields: MisreadChange.fields(of: snapshot))
      throw SlipboxError(
        .usage, "a change is missing",
        hints: [meant?.hint ?? Self.tagHint(references, in: snapshot) ?? "slip set REF field:value +tag -tag"]
      )
    }
    let newBody = piped ?? body.map { Self.line($0.bytes) }
    if references.count == 1, let named = try part(references[0], in: snapshot) {
      guard let newBody, changes.isEmpty, !giveId else {
        throw SlipboxError(
          .usage, "a part of a note takes only \(OptionName.body.typed)",
          hints: ["slip set \(Visible.escape(ShellWord.quoted(references[0]))) --body TEXT"])
      }
      let plan = try ChangePart(in: snapshot).plan(
        .replace(newBody), named.part, of: named.entry, reason: targets.reason.text)
      let shown = Visible.escape(named.part.typed)
      return (
        snapshot, plan, BulkQuestion("replace the text of \(shown)", link: "in"), [named.entry],
        areNamed: true
      )
    }
    let (entries, areNamed) = try targets.entries(
      references, of: SpokenCommand("set", ending: words.texts.suffix(words.count - references.count)),
      in: snapshot, session)
    let plan = try ChangeNotes(in: snapshot).plan(
      entries, changes, body: newBody, droppingInlineTags: inline,
      givingIDs: giveId ? session.context.ids : nil, allowingNewFields: newField,
      reason: targets.reason.text)
    let question =
      newBody != nil
      ? BulkQuestion("replace the text", link: "of", changes: changes)
      : changes.isEmpty ? BulkQuestion("give an id", link: "to") : BulkQuestion(changes: changes)
    return (snapshot, plan, question, entries, areNamed)
  }

  /// A hint at a last word that names no note, as the tag that it may be: `set Dune urgent`, `set Dune + urgent`.
  private static func tagHint(_ references: [String], in snapshot: BoxSnapshot) -> Phrase? {
    guard references.count > 1, let word = references.last, word != "+", !word.utf8.contains(0x20),
      (try? NoteLookup(in: snapshot).entry(word, fuzzy: false, suggests: false)) == nil
    else { return nil }
    return "did you mean the tag \(typed: "+" + word)?"
  }

  /// The part of a note that a REF names; nil for a whole note.
  private func part(
    _ reference: String, in snapshot: BoxSnapshot
  ) throws -> (entry: Entry, part: NotePart)? {
    guard targets.selection.where.isEmpty else { return nil }
    return try NoteLookup(in: snapshot).part(reference, fuzzy: false)
  }

  /// A body that was typed as an argument ends in a line end, as a file does.
  private static func line(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
  }
}
