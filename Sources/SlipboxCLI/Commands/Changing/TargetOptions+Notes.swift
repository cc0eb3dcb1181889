import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// The notes of a change, and the question before it.
extension TargetOptions {
  /// The chosen notes, and whether they were named one by one.
  ///
  /// - Parameters:
  ///   - command: the command as it is typed, with the words after the notes.
  ///   - first: the candidates that are listed first if a REF does not name one note.
  /// - Throws: `.usage` if another number of notes was expected.
  func entries(
    _ references: [String], of command: SpokenCommand, in snapshot: BoxSnapshot, _ session: Session,
    first: (Entry) -> Bool = { _ in true }, isStrict: Bool = false
  ) throws -> (entries: [Entry], areNamed: Bool) {
    let found = try selection.entries(
      references, of: command, in: snapshot, session, first: first, isStrict: isStrict)
    try refuseUnexpected(found.entries.count)
    return found
  }

  /// - Throws: `.usage` if another number of notes was expected.
  func refuseUnexpected(_ count: Int) throws(SlipboxError) {
    guard let expect, count != expect else { return }
    throw SlipboxError(
      .usage, "\(Count.notes(count)), not \(expect) as expected", hints: ["nothing was changed"])
  }

  /// Asks before many notes are changed that were not named one by one; not if none would be.
  /// - Throws: `.usage` if there is no terminal to ask on; `EarlyExit` with 130 if the answer is no.
  func confirm(
    _ plan: Plan, _ entries: [Entry], _ question: BulkQuestion, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let paths = try session.showingProgress { try snapshot.box.changed(by: plan, snapshot.reporter) }
    let changing = entries.filter { paths[$0.note.path] != nil }
    guard !changing.isEmpty else { return }
    let what = self.what(question, plan, changing.count, paths, same: entries.count - changing.count)
    for entry in changing.prefix(10) {
      session.console.complain("  \(entry.note.shownName)  \(Visible.escape(entry.note.title))")
    }
    if changing.count > 10 { session.console.complain("  and \(changing.count - 10) more") }
    try session.confirm(
      "\(what)?",
      orFail: SlipboxError(
        .usage, "there is no terminal to confirm this: it would \(what)", hints: ["add --yes"]))
  }

  /// - Parameters:
  ///   - count: how many of the notes change.
  ///   - paths: all files that change, and whether each is deleted.
  ///   - same: how many of the notes are so already.
  private func what(
    _ question: BulkQuestion, _ plan: Plan, _ count: Int, _ paths: [[UInt8]: Bool], same: Int
  ) -> String {
    let query = selection.where.texts
    guard plan.moves.isEmpty else {
      let others = paths.count - 2 * plan.moves.count
      return question.text(
        count: plan.moves.count, query: query,
        others: others == 0 ? nil : "rewrite links in \(Count.notes(others))")
    }
    let deleted = paths.values.count { $0 }
    guard deleted > 0 else {
      return question.text(count: count, query: query)
        + (same == 0 ? "" : " (\(same) more \(same == 1 ? "needs" : "need") no change)")
    }
    let changed = count - deleted
    return question.text(
      count: deleted, query: query, others: changed == 0 ? nil : "change \(Count.notes(changed))")
  }
}

/// The notes of a command, by REFs or by a query.
extension SelectionOptions {
  /// The chosen notes, and whether they were named one by one. If none is named, the user chooses on the terminal.
  ///
  /// - Parameters:
  ///   - command: the command as it is typed, with the words after the notes.
  ///   - first: the candidates that are listed first if a REF does not name one note, and those offered for a choice.
  func entries(
    _ references: [String], of command: SpokenCommand, in snapshot: BoxSnapshot, _ session: Session,
    fuzzy: Bool = false, first: (Entry) -> Bool = { _ in true }, isStrict: Bool = false
  ) throws -> (entries: [Entry], areNamed: Bool) {
    if !`where`.isEmpty {
      try refuseDoubtful(references, of: command)
      guard `where`.contains(where: { $0.text.contains { !$0.isWhitespace } }) else {
        throw SlipboxError(
          .usage, "--where is empty", hints: ["to select all notes: --where @all"])
      }
      let query = try snapshot.query(`where`.texts)
      let found = try snapshot.matches(query).map(\.entry)
      // Probable typos are reported as by slip list.
      let hints = QueryHints(query, in: snapshot)
      session.say(found.isEmpty ? hints.unfit() : hints.unknownNames())
      return (found, false)
    }
    if references.isEmpty {
      let refusal = SlipboxError(
        .usage, "which note?", hints: ["give an id, a path or a title, or use --where QUERY"])
      return (try NotePicker(snapshot, session).entries(refusal: refusal, where: first), true)
    }
    let names = try session.expandingInput(references, nulSeparated: input.nulSeparated)
    let entries = try NoteLookup(in: snapshot).entries(names, fuzzy: fuzzy, first: first, isStrict: isStrict)
    return (entries, !references.contains("-"))
  }
}

/// A command as it is typed, for messages: `slip mv`, then the notes, then `archive/`.
struct SpokenCommand {
  let name: String
  var ending: [String] = []

  init(_ name: String, ending: [String] = []) { (self.name, self.ending) = (name, ending) }

  /// The command with some words for the notes.
  func text(_ words: [String]) -> String {
    (["slip \(name)"] + words + ending.map { ShellWord.quoted(Array($0.utf8)) }).joined(separator: " ")
  }
}

extension SelectionOptions {
  /// Refuses words beside `--where` that may be meant as terms of the query, which is one argument.
  func refuseDoubtful(_ words: [String], of command: SpokenCommand) throws(SlipboxError) {
    guard !`where`.isEmpty, let first = words.first else { return }
    let all = ShellWord.quoted(Array((`where`.texts + words).joined(separator: " ").utf8))
    let names = words.map { ShellWord.quoted(Array($0.utf8)) }
    throw SlipboxError(
      .usage, "\(Visible.escape(first)) can be part of the query or the name of a note",
      hints: [
        "\(Visible.escape(command.text(["--where \(all)"]))) uses all of it as the query",
        "\(Visible.escape(command.text(names))) uses only the named \(names.count == 1 ? "note" : "notes")",
      ])
  }
}

extension RenameOptions {
  /// The one name that a word means; `-` reads it from standard input.
  func reference(_ word: Word, _ session: Session) throws(SlipboxError) -> String {
    try session.reference(word, nulSeparated: input.nulSeparated)
  }

  /// Carries out a plan, or shows it.
  func carryOut(_ plan: Plan, _ snapshot: BoxSnapshot, _ session: Session) throws {
    if dryRun { return try Changes.printPatch(plan, snapshot, session) }
    try Changes.record(plan, in: snapshot, session)
  }
}
