import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

/// A title of several words that was typed without quotes, so that its first word named no note.
struct UnquotedTitle {
  /// The refusal with the line that was meant.
  let error: SlipboxError

  /// - Parameters:
  ///   - error: the refusal of the first word.
  ///   - words: the words after `slip`.
  /// - Returns: nil if the words name no note together either.
  init?(_ error: SlipboxError, _ words: [String], _ openBox: () throws -> BoxSnapshot) {
    guard case .noNote(let reference, _)? = error.fact, let start = words.firstIndex(of: reference),
      let snapshot = try? openBox()
    else { return nil }
    let rest = words[(start + 1)...].prefix { !$0.hasPrefix("-") && !$0.hasPrefix("+") }
    for count in stride(from: rest.count, to: 0, by: -1) {
      let title = words[start...(start + count)].joined(separator: " ")
      guard let entry = try? snapshot.entry(title, fuzzy: false) else { continue }
      guard entry.note.title.lowercased() == title.lowercased() else { continue }
      let line = ["slip"] + words[..<start] + [title] + words[(start + count + 1)...]
      self.error = SlipboxError(
        .notFound, error.message,
        hints: [
          "quote a title of several words: \(Visible.escape(line.map { ShellWord.quoted($0) }.joined(separator: " ")))"
        ])
      return
    }
    return nil
  }
}

extension SlipboxError {
  /// The refusal of a REF that names no note; if a deleted note has the name, with the command that restores it.
  ///
  /// - Parameter words: the words after `slip`.
  func namingDeletion(_ words: [String], _ session: Session) -> SlipboxError {
    let isOfPast = words.contains { word in
      [OptionName.asOf, .at].contains { word == $0.typed || word.hasPrefix("\($0.typed)=") }
    }
    guard case .noNote(let reference, let isNear)? = fact, !isOfPast, let snapshot = try? session.openBox()
    else { return self }
    let names = [reference] + NotePart.readings(of: reference).map(\.name)
    let deletion = names.lazy.map { DeletedNotes.hints(for: $0, snapshot, session.context) }
      .first { !$0.isEmpty }
    guard let deletion else { return self }
    return SlipboxError(
      kind, message, hints: isNear ? hints + deletion : deletion, fact: fact, unsavedText: unsavedText)
  }
}
