/// A form in which notes leave the box.
enum ExportFormat: String, CaseIterable {
  case json, jsonl, csv, html, markdown, taskwarrior, todotxt, ical

  /// Reads a name, also as other programs call the form.
  init?(name: String) {
    let others: [String: ExportFormat] = [
      "md": .markdown, "site": .html, "ics": .ical, "icalendar": .ical, "task": .taskwarrior,
      "ndjson": .jsonl, "todo.txt": .todotxt, "todo": .todotxt,
    ]
    let name = name.lowercased()
    guard let format = ExportFormat(rawValue: name) ?? others[name] else { return nil }
    self = format
  }

  /// What it is, for completion.
  var summary: String {
    switch self {
    case .json: "one object, as slip list --json --with body"
    case .jsonl: "one object per line"
    case .csv: "comma-separated values"
    case .html: "a site of plain files, with a search and a feed"
    case .markdown: "one text with all notes"
    case .taskwarrior: "records with an end state, for task import"
    case .todotxt: "records with an end state, one per line"
    case .ical: "notes with a date, for a calendar"
    }
  }
}
