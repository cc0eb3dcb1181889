package import Notes

/// Reads books of the file that Goodreads exports a library as.
package enum GoodreadsBooks {
  /// - Parameter clock: determines the beginning of a day for the user.
  package static func read(_ bytes: [UInt8], clock: ClockReading) -> ForeignFile {
    var file = ForeignFile()
    var names: [String]?
    var sources = SourceNames()
    CSVText.read(bytes) { row in
      guard let columns = names else {
        names = row.cells
        return
      }
      do throws(ForeignProblem) {
        guard row.cells.count == columns.count else {
          throw ForeignProblem(
            line: row.line, "\(row.cells.count) cells, but the first row has \(columns.count)")
        }
        let cells = Dictionary(zip(columns, row.cells), uniquingKeysWith: { first, _ in first })
        var book = GoodreadsRow(line: row.line, cells: cells)
        file.records.append(try book.record(clock, &sources))
        file.problems += book.problems
      } catch {
        file.problems.append(error)
      }
    } fault: {
      file.problems.append($0)
    }
    return file
  }
}

/// One book of Goodreads.
private struct GoodreadsRow {
  let line: Int
  let cells: [String: String]
  /// The unreadable parts of the book, which is imported without them.
  private(set) var problems: [ForeignProblem] = []

  init(line: Int, cells: [String: String]) {
    self.line = line
    self.cells = cells
  }

  /// The text of a column with one blank between its words; nil if it is empty.
  private subscript(_ column: String) -> String? {
    guard let cell = cells[column] else { return nil }
    let text = Self.words(cell)
    return text.isEmpty ? nil : text
  }

  private static func words(_ text: some StringProtocol) -> String {
    Note.titleOnOneLine(String(text)).split(separator: " ").joined(separator: " ")
  }

  mutating func record(_ clock: ClockReading, _ sources: inout SourceNames) throws(ForeignProblem)
    -> ForeignRecord
  {
    guard let name = self["Title"] else { throw ForeignProblem(line: line, "the book has no title") }
    let id = self["Book Id"]
    let source = id.map { "goodreads \($0)" } ?? "goodreads title \(name) \(self["Author"] ?? "")"
    let (title, series) = Self.series(in: name)
    var record = ForeignRecord(line: line, sourceName: sources.next(source))
    record.proof = "goodreads-id"
    record.title = title
    record.kind = "book"
    let (added, completed) = (day("Date Added"), day("Date Read"))
    let start = [added, completed].compactMap { $0 }.min()
    record.created = added.map { LocalDates(clock: clock).start(of: $0) }
    let shelf = self["Exclusive Shelf"] ?? "to-read"
    record.tags = tags(shelf)
    record.add("author", self["Author"])
    if let rating = self["My Rating"], rating != "0" { record.add("rating", rating) }
    let status = Self.statuses[shelf] ?? (completed == nil ? "on-shelf" : "completed")
    record.add("status", status)
    if Self.statuses[shelf] == nil { record.states = [("status", shelf)] }
    record.add("added", start?.description)
    if status == "completed" { record.add("completed", completed?.description) }
    if let added, start != added { record.add("date-added", added.description) }
    if status != "completed", let completed { record.add("last-read", completed.description) }
    record.addAll("series", series.map(\.name))
    record.addAll("volume", series.compactMap(\.volume))
    addOthers(to: &record, id)
    record.body = body
    return record
  }

  private static let statuses = [
    "to-read": "on-shelf", "currently-reading": "in-progress", "read": "completed",
  ]

  /// Reads `2023/01/05`; also with dashes.
  private mutating func day(_ column: String) -> CivilDate? {
    guard let text = self[column] else { return nil }
    guard let stamp = Timestamp.adopted(text) else {
      problems.append(
        ForeignProblem(
          line: line, "\(column): \(text) is not a date; the book is imported without it", isPartial: true))
      return nil
    }
    return stamp.civilDate
  }

  /// The title without the series that Goodreads puts behind it: `Dune (Dune, #1)`, `X (A, #2; B #1-3)`.
  private static func series(
    in name: String
  ) -> (title: String, series: [(name: String, volume: String?)]) {
    guard name.hasSuffix(")"), let open = name.lastIndex(of: "("), open > name.startIndex else {
      return (name, [])
    }
    let title = words(name[..<open])
    let parts = name[name.index(after: open)...].dropLast().split(separator: ";").map { words($0) }
    let series = parts.compactMap { part -> (name: String, volume: String?)? in
      guard let mark = part.lastIndex(of: "#") else { return nil }
      let volume = words(part[part.index(after: mark)...])
      var name = words(part[..<mark])
      if name.hasSuffix(",") { name = words(name.dropLast()) }
      guard !name.isEmpty, volume.utf8.first.map({ $0 &- 0x30 < 10 }) ?? false else { return nil }
      return (name, volume)
    }
    return title.isEmpty || series.isEmpty || series.count < parts.count ? (name, []) : (title, series)
  }

  /// The shelves that are no status; also one that takes the place of a status.
  private func tags(_ shelf: String) -> [String] {
    let shelves = (self["Bookshelves"] ?? "").split(separator: ",").map { Self.words($0) }
    let own = Self.statuses[shelf] == nil && !shelves.contains(shelf) ? [shelf] : []
    return shelves.filter { !$0.isEmpty && Self.statuses[$0] == nil } + own
  }

  private func addOthers(to record: inout ForeignRecord, _ id: String?) {
    if let authors = self["Additional Authors"] {
      let names = authors.split(separator: ",").map { FieldValue.text(Self.words($0)) }
      record.fields.append(("additional-authors", .list(names)))
    }
    record.add("isbn", code("ISBN"))
    record.add("isbn13", code("ISBN13"))
    record.add("publisher", self["Publisher"])
    record.add("binding", self["Binding"])
    for (name, column) in [
      ("pages", "Number of Pages"), ("year", "Year Published"),
      ("first-published", "Original Publication Year"),
      ("read-count", "Read Count"), ("owned-copies", "Owned Copies"),
    ] {
      if let number = self[column], number != "0" { record.addTyped(name, number) }
    }
    record.add("spoiler", self["Spoiler"])
    record.add("goodreads-id", id)
  }

  /// A number in the form `="0439023483"`, which spreadsheets treat as text.
  private func code(_ column: String) -> String? {
    guard var code = self[column] else { return nil }
    if code.hasPrefix("=") { code.removeFirst() }
    return code.filter { $0 != "\"" }
  }

  /// The review, then the private notes under a heading of their own.
  private var body: [UInt8] {
    let review = Self.markdown(cells["My Review"] ?? "")
    let notes = Self.markdown(cells["Private Notes"] ?? "")
    let parts = [review, notes.isEmpty ? "" : "## Private notes\n\n\(notes)"].filter { !$0.isEmpty }
    return Array(parts.joined(separator: "\n").utf8)
  }

  /// HTML of a review as Markdown: breaks of lines, bold and italic; other elements stay as they are.
  private static func markdown(_ html: String) -> String {
    var text = html
    for (element, mark) in [
      ("<br/>", "\n"), ("<br />", "\n"), ("<br>", "\n"), ("<b>", "**"), ("</b>", "**"), ("<strong>", "**"),
      ("</strong>", "**"), ("<i>", "*"), ("</i>", "*"), ("<em>", "*"), ("</em>", "*"), ("\r\n", "\n"),
    ] {
      text = text.split(separator: element, omittingEmptySubsequences: false).joined(separator: mark)
    }
    return text.utf8.contains { $0 > 0x20 } ? text + (text.utf8.last == 0x0A ? "" : "\n") : ""
  }
}
