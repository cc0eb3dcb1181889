import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Diff: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show the changes of a note, by fields and words.",
    discussion: """
      With one REV, compares that version of the note with the present one; with two, compares both \
      versions. REV is a git revision, an operation or a date, as in slip show --at. Without REV, shows the \
      uncommitted changes, or else the last change. In pipes and without colour, words are marked as \
      [-removed-] and {+added+}.

      Examples:
        slip diff kqzmvtrp
        slip diff kqzmvtrp yesterday
        slip diff kqzmvtrp 2026-10 2026-11
        slip diff kqzmvtrp HEAD~3 --json
      """)

  @Argument(help: ArgumentHelp("The note.", valueName: "ref"))
  var reference: Word

  @Argument(
    help: ArgumentHelp("The older version, and the newer one; by default the present one.", valueName: "rev"))
  var revisions: [Word] = []

  @Flag(name: .option(.json), help: "As one JSON object.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard revisions.count <= 2 else {
      throw ValidationError("slip diff takes one note and at most two revisions.")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let versions = try versions(try session.reference(reference), snapshot, session)
    let diff = NoteDiff(try versions.old?.side, try versions.new?.side)
    if json {
      let types = ChangeTypes(snapshot, schema.schema)
      return try session.console.print(bytes: versions.json(diff, types))
    }
    if diff.isEmpty { return session.say("no difference: \(versions.title)") }
    try session.page([session.style.bold(versions.title.description)] + DiffLines(session.style).lines(diff))
  }

  private func versions(
    _ name: String, _ now: BoxSnapshot, _ session: Session
  ) throws -> DiffVersions {
    let points = try revisions.texts.map { try now.box.pastPoint($0, session.context) }
    guard let first = points.first else {
      do throws(SlipboxError) { return try DiffVersions.last(of: name, in: now) } catch {
        guard error.kind == .notFound else { throw error }
        let hints =
          Show.operationHint(name, now, session).map { [$0] }
          ?? DeletedNotes.hints(for: name, now, session.context)
        throw hints.isEmpty ? error : SlipboxError(error.kind, error.message, hints: hints)
      }
    }
    let old = try PastNotes(of: now, at: first, session.context).entry(name, fuzzy: true)
    let new =
      points.count == 2
      ? try PastNotes(of: now, at: points[1], session.context).entry(name, fuzzy: true)
      : try NoteLookup(in: now).entry(name, fuzzy: true)
    return DiffVersions(
      old: .init(old.note, named: first.name),
      new: .init(new.note, named: points.count == 2 ? points[1].name : "now"))
  }
}
