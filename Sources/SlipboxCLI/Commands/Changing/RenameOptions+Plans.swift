import SlipboxCore

extension RenameOptions {
  /// The one name that a word stands for; `-` reads it from standard input.
  func reference(_ word: Word, _ session: Session) throws(SlipboxError) -> String {
    let names = try session.expandingInput([word.text], nulSeparated: input.nulSeparated)
    guard names.count == 1 else {
      throw SlipboxError(
        .usage, names.isEmpty ? "which note?" : "\(names.count) notes were given, but this command takes one")
    }
    return names[0]
  }

  /// Carries out a plan, or shows it.
  func carryOut(_ plan: Plan, _ snapshot: BoxSnapshot, _ session: Session) throws {
    if dryRun { return try Changes.printPatch(plan, snapshot, session) }
    try Changes.record(plan, in: snapshot, session)
  }
}
