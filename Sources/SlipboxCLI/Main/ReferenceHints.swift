import Bytes
import Notes
import SlipboxCore
import Text

/// Other commands for a REF that names no note: a day, the text of a check box, a new note for a part.
enum ReferenceHints {
  /// Returns the refusal with the command that was meant; nil if none is known.
  ///
  /// - Parameter words: the words after `slip`.
  static func refusal(_ error: SlipboxError, _ words: [String], _ session: Session) -> SlipboxError? {
    guard case .noNote(let reference, isNear: false)? = error.fact, let snapshot = try? session.openBox(),
      let command = Arguments.splittingGlobals(words).rest.first,
      let hint = day(reference, command, session) ?? box(reference, command, snapshot)
        ?? part(reference, command, words)
    else { return nil }
    return SlipboxError(
      error.kind, error.message, hints: [hint], fact: error.fact, unsavedText: error.unsavedText)
  }

  /// The daily note of a day.
  private static func day(_ reference: String, _ command: String, _ session: Session) -> String? {
    guard let day = try? PastDay.only(reference, clock: session.context.clock) else { return nil }
    let shown = Visible.escape(ShellWord.quoted(reference))
    switch command {
    case TodayWords.command:
      let days = day.dayNumber - session.context.clock.today.dayNumber
      return days > 0 ? "the days up to then: slip agenda --days \(days)" : nil
    case "append": return "the note of that day: slip daily \(shown) --append TEXT"
    case "show", "edit": return "the note of that day: slip daily \(shown)"
    default: return "the note of that day has the title \(day); slip daily \(shown) creates it"
    }
  }

  /// The list of the boxes whose text has a word that was typed in place of the note.
  private static func box(_ reference: String, _ command: String, _ snapshot: BoxSnapshot) -> String? {
    guard ["tick", "untick", "promote"].contains(command) else { return nil }
    let isPlain = reference.allSatisfy { $0.isLetter || $0.isNumber }
    let term = "todo:" + (isPlain ? reference : "\"\(reference)\"")
    guard let query = try? snapshot.query([term]), let found = try? snapshot.matches(query), !found.isEmpty
    else { return nil }
    return "name the note first; to list the boxes: slip todos \(Visible.escape(ShellWord.quoted(term)))"
  }

  /// The command that makes a note of a part that was to be moved to a note.
  private static func part(_ reference: String, _ command: String, _ words: [String]) -> String? {
    guard command == "mv", words.last == reference,
      let part = words.dropFirst().first(where: { $0 != reference && !NotePart.readings(of: $0).isEmpty })
    else { return nil }
    return "to make a note of the part: slip split \(Visible.escape(ShellWord.quoted(part)))"
  }
}
