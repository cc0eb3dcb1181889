import Bytes

/// Texts that are in no note.
extension BoxSnapshot {
  func draftFindings() -> [Finding] {
    box.keptTexts().map { text in
      Finding(
        .drafts, BytePath.relative(text.file, to: box.root) ?? text.file,
        "a draft that is in no note\(text.title.isEmpty ? "" : ": \(text.title)")",
        remedy: "\(text.command) goes on with it, \(text.removal) throws it away")
    }
  }
}
