package import Git
package import SlipboxCore
import Text

/// The report on a merge, rebase, cherry-pick or revert that git stopped and slip finishes.
package enum StoppedLines {
  private static let mostFiles = 10

  /// The files that slip would merge, and those that it would leave.
  package static func plan(_ notes: StoppedNotes, under prefix: [UInt8]) -> [String] {
    var lines = ["a \(notes.operation.name) is in progress"]
    lines += named("merged by slip", notes.paths)
    lines += named("kept as you edited them", notes.editedPaths)
    lines += conflicts(notes, under: prefix)
    lines += named("not merged by slip; edit them and run git add FILE", notes.left)
    return lines
  }

  package static func question(_ notes: StoppedNotes) -> String {
    notes.left.isEmpty && !notes.stopsForUser
      ? "Merge the notes and finish the \(notes.operation.name)? [y/N] " : "Merge the notes? [y/N] "
  }

  /// The files that slip merged, and the end of the operation.
  package static func done(_ stops: [StoppedNotes], under prefix: [UInt8]) -> [String] {
    guard let last = stops.last else { return [] }
    let paths = Set(stops.flatMap(\.paths)).sorted { $0.lexicographicallyPrecedes($1) }
    var lines = named("merged", paths)
    lines += named("kept as you edited them", stops.flatMap(\.editedPaths))
    lines += stops.flatMap { conflicts($0, under: prefix) }
    if last.left.isEmpty {
      lines.append(
        last.stopsForUser
          ? "the rebase stops here, as you asked: edit, then run git rebase --continue"
          : "the \(last.operation.name) is finished")
    }
    return lines
  }

  /// - Parameter left: the files that are left to the user, from the root of the repository.
  package static func refusal(_ operation: Repository.Operation, _ left: [[UInt8]]) -> SlipboxError {
    SlipboxError(
      .busy, "the \(operation.name) is not finished: conflicts remain in these files",
      hints: left.prefix(mostFiles).map { "  \(Visible.escape($0))" }
        + (left.count > mostFiles ? ["  and \(left.count - mostFiles) more"] : [])
        + ["edit them and run git add FILE for each, then: slip sync --yes"])
  }

  private static func named(_ what: String, _ paths: [[UInt8]]) -> [String] {
    guard !paths.isEmpty else { return [] }
    return ["\(what):"] + paths.prefix(mostFiles).map { "  \(Visible.escape($0))" }
      + (paths.count > mostFiles ? ["  and \(paths.count - mostFiles) more"] : [])
  }

  private static func conflicts(_ notes: StoppedNotes, under prefix: [UInt8]) -> [String] {
    guard !notes.conflicts.isEmpty else { return [] }
    return ["both versions are kept:"]
      + notes.conflicts.prefix(mostFiles).map { conflict in
        let path = Array(conflict.path.dropFirst(prefix.count))
        return "  \(Visible.escape(path)): \(SyncLines.words(conflict, under: prefix))"
      }
  }
}
