import NoteIndex
import Notes
import Rendering
import SlipboxCore
import Text

/// The values of a note by name, for rows, CSV and `--format`.
struct NoteColumns {
  /// When the note was last changed; nil where nobody asks.
  let modified: Timestamp?

  /// The columns that every note has, in the order of CSV.
  static let standard = ["id", "path", "title", "kind", "created", "modified", "tags"]

  /// The text of a column; empty where the note has no such value.
  func value(_ name: String, of entry: Entry) -> String {
    let note = entry.note
    return switch name {
    case "id": note.id?.description ?? ""
    case "path": String(decoding: note.path, as: UTF8.self)
    case "title": note.title
    case "kind": entry.kind
    case "created": entry.created.rfc3339
    case "modified": modified?.rfc3339 ?? ""
    case "tags": note.tags.joined(separator: ", ")
    case "name": note.id?.description ?? String(decoding: note.path, as: UTF8.self)
    default: note.frontMatter[name].map(Self.text) ?? ""
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
  func row(_ entry: Entry) -> String {
    ["name", "kind", "created", "title", "tags"].map { Self.cell(value($0, of: entry)) }.joined(
      separator: "\t")
  }

  /// A line by a template: `{name}` is a column, `\t` and `\n` are a tab and a line end.
  func line(_ template: String, of entry: Entry, isTerminal: Bool) -> String {
    var result = ""
    var rest = template[...]
    while let character = rest.first {
      if character == "{", let end = rest.firstIndex(of: "}") {
        let text = value(String(rest[rest.index(after: rest.startIndex)..<end]), of: entry)
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

  /// A value in a row: what would end the column or the row is a blank.
  private static func cell(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(decoding: text.utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}
