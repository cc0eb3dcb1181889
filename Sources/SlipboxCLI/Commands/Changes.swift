import Glibc
import NoteIndex
import Notes
import Platform
import Rendering
import SlipboxCore
import Text

/// What the commands that change notes share: reading CHANGEs, carrying a plan out, saying what came of it.
enum Changes {
  /// Reads words that all must be CHANGEs.
  static func parse(_ words: [String]) throws(SlipboxError) -> [Change] {
    var changes: [Change] = []
    for word in words {
      guard let change = Change(word) else {
        throw SlipboxError(
          .usage, "\(Visible.escape(word)) is not a change",
          hints: [
            "changes are field:value, field: (empty clears), +tag, -tag; REFs and titles come before them"
          ])
      }
      changes.append(change)
    }
    return changes
  }

  /// Shows, asks and carries out a plan as its options say.
  static func carryOut(
    _ plan: Plan, on entries: [Entry], deleting deleted: Int = 0, areNamed: Bool, _ options: TargetOptions,
    _ box: Slipbox, _ session: Session
  ) throws {
    if options.dryRun { return try printPatch(plan, box) }
    guard !entries.isEmpty else {
      session.say("no note fits, nothing to do")
      return
    }
    if !areNamed { try options.confirm(plan, entries, deleting: deleted, in: box) }
    try record(plan, in: box, session)
  }

  /// Carries a plan out, shows how far it is, and says what came of it.
  static func record(_ plan: Plan, in box: Slipbox, _ session: Session) throws {
    let recorded = try ProgressLine.showing(unlessQuiet: session.options.quiet) { try box.record(plan) }
    try report(recorded, session)
  }

  /// Prints what a plan would change as a patch.
  static func printPatch(_ plan: Plan, _ box: Slipbox) throws {
    let patch = try box.patch(of: try box.preview(plan))
    try Console.print(
      Console.outputIsTerminal ? Visible.escape(patch, keepingLines: true) : nil, bytes: patch)
  }

  /// Says what came of it; where it could only be saved, that is the command's end.
  static func report(_ recorded: Recorded, _ session: Session) throws {
    switch recorded.outcome {
    case .unchanged: session.say("already in place, nothing to commit")
    case .committed:
      // On a terminal one wants to see that it was done; in a script silence is enough.
      if Terminal.isTerminal(STDERR_FILENO), let subject = recorded.subject {
        session.say(Visible.escape(subject))
      }
    case .saved(let kind, let reason, let hints):
      throw SlipboxError(kind, "saved, not committed: \(reason)", hints: hints + ["then: slip commit"])
    }
  }
}

/// Numbers as people say them.
enum Count {
  static func notes(_ count: Int) -> String { count == 1 ? "1 note" : "\(count) notes" }
}

extension Console {
  /// Writes what a terminal may see, or the bytes themselves to anything else.
  static func print(_ shown: String?, bytes: [UInt8]) throws {
    if let shown { write(shown) } else { write(bytes) }
    try flush()
  }
}

extension Slipbox {
  /// Prints a note that was just made or changed as JSON.
  func printJSON(of note: Note) throws {
    guard let entry = try catalogue().entry(path: note.path) else { return }
    let shape = try NoteJSON(self, includesBody: false)
    var writer = JSONWriter()
    shape.write(entry, modified: try noteTimes().modified(entry), to: &writer)
    Console.write(writer.takeBytes())
    try Console.print("\n")
  }
}
