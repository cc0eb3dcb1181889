import Bytes

/// Texts that are in no note.
extension BoxSnapshot {
  func draftFindings() -> [Finding] {
    box.keptTexts().map { text in
      Finding(
        .drafts, BytePath.relative(text.file, to: box.root) ?? text.file,
        "an unfinished draft\(text.title.isEmpty ? "" : ": \(text.title)")",
        remedy: "\(text.command) continues it, \(text.removal) deletes it")
    }
  }
}
