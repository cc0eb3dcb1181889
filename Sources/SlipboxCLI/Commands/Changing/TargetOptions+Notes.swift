import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// The notes of a change, and the question before it.
extension TargetOptions {
  /// The notes meant, and whether they were named one by one.
  ///
  /// - Parameter first: which candidates are named first where a REF does not name one note.
  /// - Throws: `.usage` where another number of notes was expected.
  func entries(
    _ references: [String], in snapshot: BoxSnapshot, _ session: Session,
    first: (Entry) -> Bool = { _ in true }
  ) throws -> (entries: [Entry], areNamed: Bool) {
    let found = try selection.entries(references, in: snapshot, session, first: first)
    try refuseUnexpected(found.entries.count)
    return found
  }

  /// - Throws: `.usage` where another number of notes was expected.
  func refuseUnexpected(_ count: Int) throws(SlipboxError) {
    guard let expect, count != expect else { return }
    throw SlipboxError(
      .usage, "\(Count.notes(count)), not \(expect) as expected", hints: ["nothing was changed"])
  }

  /// Asks before many notes are changed that were not named one by one; not where none would be.
  /// - Throws: `.usage` where there is no terminal to ask on; `EarlyExit` where the answer is no.
  func confirm(_ plan: Plan, _ entries: [Entry], _ snapshot: BoxSnapshot, _ session: Session) throws {
    let paths = try session.showingProgress { try snapshot.box.changed(by: plan, snapshot.reporter) }
    let changing = entries.filter { paths[$0.note.path] != nil }
    guard !changing.isEmpty else { return }
    let what =
      plan.moves.isEmpty
      ? Self.what(changing.count, paths.values.count { $0 }, same: entries.count - changing.count)
      : Self.moving(plan.moves.count, others: paths.count - 2 * plan.moves.count)
    for entry in changing.prefix(10) {
      session.console.complain("  \(entry.note.shownName)  \(Visible.escape(entry.note.title))")
    }
    if changing.count > 10 { session.console.complain("  and \(changing.count - 10) more") }
    guard let answer = session.console.ask("slip \(plan.command): \(what)? [y/N] ") else {
      throw SlipboxError(
        .usage, "this would \(what), and there is no terminal to ask on", hints: ["add --yes"])
    }
    guard ["y", "yes"].contains(answer.lowercased()) else {
      session.console.complain("nothing was changed")
      throw EarlyExit(code: 0)
    }
  }

  private static func moving(_ count: Int, others: Int) -> String {
    "move \(Count.notes(count))" + (others == 0 ? "" : " and rewrite links in \(Count.notes(others))")
  }

  private static func what(_ count: Int, _ deleted: Int, same: Int) -> String {
    let changed = count - deleted
    if deleted == 0 {
      return "change \(Count.notes(changed))"
        + (same == 0 ? "" : " (\(same) more \(same == 1 ? "is" : "are") so already)")
    }
    return "delete \(Count.notes(deleted))" + (changed == 0 ? "" : " and change \(Count.notes(changed))")
  }
}
