import Bytes
package import Notes

/// A form of files that can be imported.
package enum ForeignFormat: String, Sendable, CaseIterable {
  /// A folder of Markdown files, or one such file.
  case folder
  case json
  /// JSON Lines: an object a line.
  case jsonl
  case csv
  /// The output of `task export`.
  case taskwarrior
  case todoTxt = "todo.txt"
  /// The CSV file of a library at Goodreads.
  case goodreads

  /// Reads a name, also as `slip export` and other programs call the format.
  package init?(name: String) {
    let others: [String: ForeignFormat] = [
      "todotxt": .todoTxt, "todo": .todoTxt, "ndjson": .jsonl, "task": .taskwarrior, "markdown": .folder,
    ]
    let name = name.lowercased()
    guard let format = ForeignFormat(rawValue: name) ?? others[name] else { return nil }
    self = format
  }

  /// Guesses the format of a file by its name and its content; nil if neither determines it.
  ///
  /// - Parameter name: the last part of the path; empty for standard input.
  package static func guess(name: String, _ bytes: [UInt8]) -> ForeignFormat? {
    let name = name.lowercased()
    if name.hasSuffix(".md") || name.hasSuffix(".markdown") { return .folder }
    if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") { return ofJSON(bytes, .jsonl) }
    if name.hasSuffix(".json") { return ofJSON(bytes, .json) }
    if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return isGoodreads(bytes) ? .goodreads : .csv }
    if name.hasSuffix("todo.txt") || name.hasSuffix("done.txt") { return .todoTxt }
    return guess(bytes)
  }

  private static func guess(_ bytes: [UInt8]) -> ForeignFormat? {
    let start = bytes.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    if start == UInt8(ascii: "[") || start == UInt8(ascii: "{") { return ofJSON(bytes, .json) }
    if TodoTxtTasks.isLikely(bytes) { return .todoTxt }
    guard let header = CSVText.header(of: bytes), header.count > 1 else { return nil }
    if isGoodreads(bytes) { return .goodreads }
    return header.contains { $0.lowercased() == "title" } ? .csv : nil
  }

  /// Tasks of taskwarrior have a description, a date of entry and a status, which no other JSON has together.
  private static func ofJSON(_ bytes: [UInt8], _ other: ForeignFormat) -> ForeignFormat {
    // The first record decides. The beginning of a file contains it whole, except for very long ones.
    var first: JSONNode?
    JSONRecordStream.readFirst(bytes) { first = $0 }
    guard let first else { return other }
    let isTask = first["description"] != nil && first["entry"] != nil && first["status"] != nil
    return isTask || (first["uuid"] != nil && first["description"] != nil) ? .taskwarrior : other
  }

  private static func isGoodreads(_ bytes: [UInt8]) -> Bool {
    let header = CSVText.header(of: bytes) ?? []
    return header.contains("Exclusive Shelf") && header.contains("Title")
  }
}

extension ForeignFormat {
  /// Reads the records of a file; nil for a folder, whose files are notes already.
  ///
  /// - Parameters:
  ///   - name: the last part of the file's path.
  ///   - clock: determines days and their beginnings for the user.
  ///   - columns: the fields of columns or members with other names; used only if the names in the format are the user's
  ///     own.
  package func read(
    _ bytes: [UInt8], name: String, clock: ClockReading, columns: ColumnNames = ColumnNames()
  ) -> ForeignFile? {
    var file = contents(of: bytes, name: name, clock: clock, columns)
    file?.name = name
    return file
  }

  /// Whether the names of its fields are the user's own.
  package var hasOwnNames: Bool { [.json, .jsonl, .csv].contains(self) }

  private func contents(
    of bytes: [UInt8], name: String, clock: ClockReading, _ columns: ColumnNames
  ) -> ForeignFile? {
    switch self {
    case .folder: nil
    case .json, .jsonl: JSONRecords.read(bytes, file: name, columns)
    case .csv: CSVRecords.read(bytes, file: name, columns)
    case .taskwarrior: TaskwarriorTasks.read(bytes, clock: clock)
    case .todoTxt: TodoTxtTasks.read(bytes, clock: clock)
    case .goodreads: GoodreadsBooks.read(bytes, clock: clock)
    }
  }
}

extension ForeignFormat {
  /// Returns the names that a note may have in its source, by its content; the id of an imported note is computed from
  /// one.
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
