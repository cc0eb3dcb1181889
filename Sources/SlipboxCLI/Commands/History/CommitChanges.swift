import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

struct CommitChanges: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit", abstract: "Commit changes that other programs made.",
    discussion: """
      Without REFs, commits all notes that differ from the last commit, the files that they link to, \
      canvases that show notes, and the settings and kinds of the box. Other files are not committed.

      Examples:
        slip commit
        slip commit kqzmvtrp -m "Corrected on the train"
        slip commit --each
      """)

  @Argument(help: ArgumentHelp("Only these notes.", valueName: "ref"))
  var references: [Word] = []

  @Flag(name: .option(.each), help: "Make one commit per note.")
  var each = false

  @Flag(name: .option(.yes), help: "Commit more than 100 MB of linked files without asking.")
  var yes = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let files = try UncommittedFiles(try chosenPaths(snapshot, session), in: snapshot.box)
    let (paths, refusals) = (files.paths, files.refusals)
    let leftToGit = references.isEmpty ? try Self.leftToGit(snapshot) : []
    // One file that git is to commit keeps none of the others back.
    defer {
      for line in leftToGit { session.console.complain(line) }
      for refusal in refusals.dropLast() { session.console.complain("slip: \(refusal.reason.message)") }
    }
    guard !paths.isEmpty else {
      if let refusal = refusals.last?.reason { throw refusal }
      session.say("nothing to commit")
      return
    }
    let groups = each ? paths.map { [$0] } : [paths]
    var count = 0
    var mayHaveMoved = (from: false, to: false)
    for group in groups {
      let recorded = try session.showingProgress {
        try session.writer(after: snapshot).commitAsFound(group, reason: reason.text)
      }
      // A file that another program was writing may be committed by now.
      if recorded.outcome == .unchanged { continue }
      try Changes.report(recorded, isUndoable: false, session)
      count += recorded.changes.count
      mayHaveMoved.from = mayHaveMoved.from || recorded.changes.contains { $0.after == nil }
      mayHaveMoved.to = mayHaveMoved.to || recorded.changes.contains { $0.before == nil }
    }
    session.say(count == 0 ? "nothing to commit" : "committed \(count == 1 ? "1 file" : "\(count) files")")
    if mayHaveMoved == (true, true) { try session.sayWhatMovesBroke() }
    if mayHaveMoved.to { try session.saySharedIDs() }
    if let refusal = refusals.last?.reason { throw refusal }
  }

  /// A line for each changed note that slip can't read, and the commands that commit them.
  private static func leftToGit(_ snapshot: BoxSnapshot) throws -> [String] {
    let notes = try OutsideChanges(in: snapshot).unread()
    guard !notes.isEmpty else { return [] }
    let lines = notes.map { "\(Visible.escape($0.path)) is not committed: \($0.reason)" }
    // Git would filter the stored form again.
    if notes.contains(where: \.isStoredForm) { return lines + ["  slip doctor tells how to read it"] }
    return lines + ["  commit it with git add FILE and git commit"]
  }

  private func chosenPaths(_ snapshot: BoxSnapshot, _ session: Session) throws -> [[UInt8]] {
    if references.isEmpty {
      return try OutsideChanges(in: snapshot).paths { (size) throws(SlipboxError) in
        yes ? true : try Self.takesLinked(size, session)
      }
    }
    let changes = try OutsideChanges(in: snapshot).notes()
    try OutsideChange.refuseConflicted(changes)
    let deleted = Set(changes.filter { $0.difference == .deleted }.map(\.path))
    return try session.expandingInput(references.texts, nulSeparated: false).map { reference in
      let path = ByteText.bytes(of: reference)
      return try deleted.contains(path)
        ? path : NoteLookup(in: snapshot).entry(reference, fuzzy: false).note.path
    }
  }

  /// Asks whether large files that notes link to are committed too.
  static func takesLinked(_ size: Int64, _ session: Session) throws(SlipboxError) -> Bool {
    let question = "The notes link to \(size >> 20) MB of new files. Commit them too?"
    guard let agrees = session.console.agrees(to: question) else {
      throw SlipboxError(
        .usage, "the notes link to \(size >> 20) MB of new files; confirm this on a terminal, or add --yes",
        hints: ["add --yes to commit them too"])
    }
    return agrees
  }
}
