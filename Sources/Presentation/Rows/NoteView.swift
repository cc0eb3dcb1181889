import NoteIndex
import Notes
import SlipboxCore
import Text

/// A note as a person reads it: title, fields, text.
struct NoteView {
  let display: Display
  let schema: Schema
  /// Works out how urgent records are; nil if none is.
  let meter: UrgencyMeter?
  /// The title of the record of a kind that a reference names.
  let title: (_ kind: String, _ reference: String) -> String?
  /// Whether it is beside a list: moments are shown to the minute.
  var isWindow = false

  /// The lines of one note.
  func lines(_ entry: Entry, modified: Timestamp) throws(SlipboxError) -> [String] {
    let (note, style) = (entry.note, display.style)
    var lines = [style.bold(Visible.escape(note.title)), ""]
    let width = nameWidth(entry)
    for (name, value) in facts(entry, modified) {
      // A value of several lines goes on below its first one.
      var rest = value.split(separator: "\n", omittingEmptySubsequences: false).map {
        Visible.escape(String($0))
      }
      while rest.count > 1, rest.last?.isEmpty == true { rest.removeLast() }
      lines.append(style.dim(CellWidth.pad(name, to: width)) + "  " + (rest.first ?? ""))
      lines += rest.dropFirst().map { $0.isEmpty ? "" : String(repeating: " ", count: width + 2) + $0 }
    }
    for problem in note.frontMatter.problems {
      lines.append(
        style.red("line \(problem.line), column \(problem.column): \(Visible.escape(problem.message))"))
    }
    let whole = try note.text
    let body = whole.bytes[whole.body]
    guard display.isTerminal else {
      // A program gets the text as it is written.
      let text = String(decoding: body, as: UTF8.self)
      return text.isEmpty
        ? lines : lines + ["", text.utf8.last == UInt8(ascii: "\n") ? String(text.dropLast()) : text]
    }
    let text = MarkdownRendering.terminal(body, width: min(display.width ?? 100, 100), style: style)
    if !text.isEmpty {
      lines.append("")
      Self.append(linesOf: text, to: &lines)
      while lines.last?.isEmpty == true { lines.removeLast() }
    }
    return lines
  }

  /// Adds the lines of a text one by one: a list of all their places would be several times the text.
  private static func append(linesOf text: String, to lines: inout [String]) {
    var rest = text[...].utf8
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(Substring(rest[..<end])))
      rest = rest[rest.index(after: end)...]
    }
    lines.append(String(Substring(rest)))
  }

  private func facts(_ entry: Entry, _ modified: Timestamp) -> [(String, String)] {
    let note = entry.note
    var facts: [(String, String)] = []
    if let id = note.id { facts.append(("id", id.description)) }
    facts.append(("path", String(decoding: note.path, as: UTF8.self)))
    if entry.kind != "note" { facts.append(("kind", entry.kind)) }
    facts.append(("created", isWindow ? entry.created.minute : entry.created.rfc3339))
    facts.append(("modified", isWindow ? modified.minute : modified.rfc3339))
    if !note.tags.isEmpty { facts.append(("tags", note.tags.joined(separator: ", "))) }
    let kind = schema.kind(named: entry.kind)
    for field in NoteColumn.otherFields(of: note, kind) {
      let conflicts = display.isTerminal ? conflicts(field, in: note) : nil
      facts.append((Visible.escape(field.name), conflicts ?? text(field, of: kind)))
    }
    // A program gets only the content of the note.
    if display.isTerminal, let urgency = urgency(of: entry) { facts.append(("urgency", urgency)) }
    return facts
  }

  /// The fields in conflict, with the command that shows their versions; nil for any other field.
  private func conflicts(_ field: FrontMatterField, in note: Note) -> String? {
    guard field.name == ConflictEntry.fieldName else { return nil }
    var names: [String] = []
    for name in field.value.strings.compactMap({ ConflictEntry($0)?.field }) where !names.contains(name) {
      names.append(name)
    }
    guard !names.isEmpty else { return nil }
    return
      "\(names.map { Visible.escape($0) }.joined(separator: ", ")); slip resolve \(note.shellName) shows the versions"
  }

  /// The urgency of a record, and its terms.
  private func urgency(of entry: Entry) -> String? {
    guard let terms = meter?.terms(of: entry) else { return nil }
    return terms.isEmpty
      ? "0" : "\(UrgencyMeter.sum(terms)): \(terms.map(\.sentence).joined(separator: ", "))"
  }

  /// A field's value; a reference with the title of the record before it.
  private func text(_ field: FrontMatterField, of kind: Kind?) -> String {
    let text = NoteColumns.text(field.value)
    guard let declared = kind?.field(field.name), declared.type == .reference, let target = declared.target
    else { return text }
    let titled = field.value.strings.map { name in
      let bare = Field.bareReference(name)
      return title(target, bare).map { $0 == bare ? name : "\($0) (\(name))" } ?? name
    }
    return titled.joined(separator: ", ")
  }

  private func nameWidth(_ entry: Entry) -> Int {
    let names = NoteColumn.otherFields(of: entry.note, schema.kind(named: entry.kind)).map {
      CellWidth.of(Visible.escape($0.name))
    }
    return min(20, max(8, names.max() ?? 0))
  }
}
