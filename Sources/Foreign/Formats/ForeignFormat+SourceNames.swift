package import Notes

extension ForeignFormat {
  /// The names that a note may have in its source, by what it says; the id of an imported note is computed from one.
  ///
  /// - Parameter name: the last part of the file's path.
  package func sourceNames(of note: Note, file name: String) -> [String] {
    let text = { (field: String) in note.frontMatter[field]?.text }
    let titles = [note.title] + note.aliases
    switch self {
    case .folder: return []
    case .json, .jsonl:
      return titles.map { "json \(name) title \($0)" }
        + [text("identifier")].compactMap { $0 }.map { "json \(name) \($0)" }
    case .csv:
      return titles.map { "csv \(name) title \($0)" }
        + [text("identifier")].compactMap { $0 }.map { "csv \(name) \($0)" }
    case .taskwarrior:
      return text("uuid").map { ["taskwarrior \($0)"] } ?? titles.map { "taskwarrior title \($0)" }
    case .goodreads:
      return text("goodreads-id").map { ["goodreads \($0)"] }
        ?? titles.map { "goodreads title \($0) \(text("author") ?? "")" }
    case .todoTxt:
      let day = note.created.map { " \($0.civilDate)" } ?? ""
      return titles.flatMap { ["todo.txt\(day) \($0)", "todo.txt \($0)"] }
    }
  }
}
