import NoteIndex
import Notes
import SlipboxCore
import Text

/// A value that every note has, by its name in JSON, CSV, `--format` and `--sort`; in the order of JSON and CSV.
package enum NoteColumn: String, CaseIterable, Sendable {
  case id, path, title, kind, created, modified, tags

  /// The columns that are fields of the front-matter, in alphabetical order.
  package static let fields: [NoteColumn] = [.created, .id, .kind, .tags, .title]

  /// Whether a field of the front-matter is shown by a column, and so not among the other fields.
  static func shows(_ field: FrontMatterField, of note: Note) -> Bool {
    switch field.name.utf8.count {
    case 2: note.id != nil && field.name.isSameName(as: "id")
    case 4: field.name.isSameName(as: "kind") || field.name.isSameName(as: "tags")
    case 5: field.name.isSameName(as: "title")
    case 7: field.name.hasSameBytes(as: "created")
    default: false
    }
  }

  /// The front-matter of a note but for the fields that columns show.
  static func otherFields(of note: Note) -> [FrontMatterField] {
    note.frontMatter.fields.filter { !shows($0, of: note) }
  }

  /// The same, with the defaults of the fields that the note leaves out.
  static func otherFields(of note: Note, _ kind: Kind?) -> [FrontMatterField] {
    let own = otherFields(of: note)
    guard let defaults = kind?.missingDefaults(in: note), !defaults.isEmpty else { return own }
    return own.filter { field in !defaults.contains { $0.name.isSameName(as: field.name) } } + defaults
  }
}

/// The values of a note by the name of a column or field, for rows, CSV and `--format`.
package struct NoteColumns {
  /// The time of the last change; nil if it is not shown.
  let modified: Timestamp?
  /// Works out how urgent a record is; nil if that is not shown.
  var meter: UrgencyMeter?
  /// The kinds whose defaults count for missing fields; nil if only stored values count.
  var schema: Schema?

  /// The text of a column, which may be the body; empty if the note has no such value.
  func value(_ name: String, of entry: Entry) throws(SlipboxError) -> String {
    guard name == Self.bodyColumn, entry.note.frontMatter[name] == nil else {
      return known(name, of: entry)
    }
    return try entry.note.bodyText
  }

  /// The text of a column other than the body, for which no file is read.
  func known(_ name: String, of entry: Entry) -> String {
    let note = entry.note
    if let column = NoteColumn(rawValue: name) { return value(column, of: entry) }
    if name == Self.nameColumn { return note.id?.description ?? value(.path, of: entry) }
    if name == Self.urgencyColumn, let meter, meter.isKnown(ofKind: entry.kind) {
      return meter.urgency(of: entry)?.description ?? ""
    }
    let stored = note.frontMatter[name] ?? .empty
    let missing = stored == .empty ? schema?.kind(named: entry.kind)?.missingDefault(of: name, in: note) : nil
    return Self.text(missing ?? stored)
  }

  /// The text of a column in a table that is read again: a list of a field that the kind does not declare keeps its
  /// brackets, since otherwise it would read as a text with commas.
  func cell(_ name: String, of entry: Entry, _ schema: Schema) throws(SlipboxError) -> String {
    guard NoteColumn(rawValue: name) == nil, name != Self.nameColumn,
      let value = entry.note.frontMatter[name], schema.kindOrPlain(named: entry.kind).field(name) == nil
    else { return try self.value(name, of: entry) }
    return CSVValue.text(value)
  }

  /// The text of a column that every note has; empty if this one has no such value.
  func value(_ column: NoteColumn, of entry: Entry) -> String {
    let note = entry.note
    return switch column {
    case .id: note.id?.description ?? ""
    case .path: String(decoding: note.path, as: UTF8.self)
    case .title: note.title
    case .kind: entry.kind
    case .created: entry.created.rfc3339
    case .modified: modified?.rfc3339 ?? ""
    case .tags: note.tags.joined(separator: ", ")
    }
  }

  /// A field's value as one line of text.
  static func text(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): text
    case .empty: ""
    case .list(let elements): elements.map(text).joined(separator: ", ")
    case .map(let entries): entries.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ")
    }
  }

  /// A row for a pipe: id or path, kind, created, title and tags, with tabs between them.
  func row(_ entry: Entry, _ paint: (_ column: String, _ text: String, Entry) -> String) -> String {
    ["name", "kind", "created", "title", "tags"].map { paint($0, Self.cell(known($0, of: entry)), entry) }
      .joined(separator: "\t")
  }

  /// A row for a pipe: id or path, then other texts, with tabs between them.
  func row(_ entry: Entry, _ cells: [String]) -> String {
    Self.row([known("name", of: entry)] + cells)
  }

  /// Texts as a row for a pipe, with tabs between them.
  static func row(_ cells: [String]) -> String {
    var row = ""
    row.reserveCapacity(cells.reduce(cells.count) { $0 + $1.utf8.count })
    for (number, text) in cells.enumerated() {
      if number > 0 { row += "\t" }
      row += cell(text)
    }
    return row
  }

  /// The names in the braces of a template.
  package static func names(in template: String) -> [String] {
    var names: [String] = []
    var rest = template[...]
    while let character = rest.first {
      if character == "{", let end = rest.firstIndex(of: "}") {
        names.append(String(rest[rest.index(after: rest.startIndex)..<end]))
        rest = rest[rest.index(after: end)...]
      } else {
        rest = rest.dropFirst(character == "\\" ? 2 : 1)
      }
    }
    return names
  }

  /// Whether a template has an opening brace without a closing one.
  package static func hasOpenBrace(_ template: String) -> Bool {
    var rest = template[...]
    while let character = rest.first {
      if character == "{" {
        guard let end = rest.firstIndex(of: "}") else { return true }
        rest = rest[rest.index(after: end)...]
      } else {
        rest = rest.dropFirst(character == "\\" ? 2 : 1)
      }
    }
    return false
  }

  /// How urgent a record is, of a kind that knows it.
  package static let urgencyColumn = "urgency"

  /// The text of a note; a column of templates alone.
  package static let bodyColumn = "body"

  /// The name of a note by its id, else by its path; a column of templates alone.
  package static let nameColumn = "name"

  /// A line by a template: `{name}` is a column, `\t` and `\n` are a tab and a line end.
  func line(
    _ template: String, of entry: Entry, isTerminal: Bool
  ) throws(SlipboxError) -> String {
    var result = ""
    var rest = template[...]
    while let character = rest.first {
      if character == "{", let end = rest.firstIndex(of: "}") {
        let text = try value(String(rest[rest.index(after: rest.startIndex)..<end]), of: entry)
        result += isTerminal ? Visible.escape(text) : Self.cell(text)
        rest = rest[rest.index(after: end)...]
      } else if character == "\\", let next = rest.dropFirst().first {
        result += next == "t" ? "\t" : next == "n" ? "\n" : next == "0" ? "\0" : String(next)
        rest = rest.dropFirst(2)
      } else {
        result.append(character)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// A value in a row, with blanks in the place of tabs and line ends.
  private static func cell(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(decoding: text.utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}

/// A part of a note that JSON and CSV have only on request, by `--with`.
package enum RequestedPart: String, CaseIterable, Sendable {
  case body, links, backlinks

  /// The names of all parts, as help and messages list them.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Reads names with commas between them; nil if one of them is no part.
  package static func parse(_ names: String) -> Set<RequestedPart>? {
    let parts = names.split(separator: ",", omittingEmptySubsequences: false).map {
      RequestedPart(rawValue: String($0))
    }
    let known = parts.compactMap { $0 }
    return known.count == parts.count ? Set(known) : nil
  }
}
