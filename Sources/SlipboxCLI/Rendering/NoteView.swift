import NoteIndex
import Notes
import Rendering
import SlipboxCore
import Text

/// A note as a person reads it: title, fields, text.
struct NoteView {
  let style: Style
  let width: Int?
  let schema: Schema
  /// The title of the record of a kind that a reference names.
  let title: (_ kind: String, _ reference: String) -> String?

  /// The lines of one note.
  func lines(_ entry: Entry, modified: Timestamp) -> [String] {
    let note = entry.note
    var lines = [style.bold(Visible.escape(note.title)), ""]
    for (name, value) in facts(entry, modified) {
      lines.append(style.dim(CellWidth.pad(name, to: nameWidth(note))) + "  " + Visible.escape(value))
    }
    for problem in note.frontMatter.problems {
      lines.append(
        style.yellow("line \(problem.line), column \(problem.column): \(Visible.escape(problem.message))"))
    }
    let body = note.text.bytes[note.text.body]
    let text = MarkdownRendering.terminal(body, width: min(width ?? 100, 100), style: style)
    if !text.isEmpty {
      lines.append("")
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      while lines.last?.isEmpty == true { lines.removeLast() }
    }
    return lines
  }

  private func facts(_ entry: Entry, _ modified: Timestamp) -> [(String, String)] {
    let note = entry.note
    var facts: [(String, String)] = []
    if let id = note.id { facts.append(("id", id.description)) }
    facts.append(("path", String(decoding: note.path, as: UTF8.self)))
    if entry.kind != "note" { facts.append(("kind", entry.kind)) }
    facts.append(("created", entry.created.rfc3339))
    facts.append(("modified", modified.rfc3339))
    if !note.tags.isEmpty { facts.append(("tags", note.tags.joined(separator: ", "))) }
    for field in NoteJSON.otherFields(of: note) {
      facts.append((Visible.escape(field.name), text(field, entry)))
    }
    return facts
  }

  /// A field's value; a reference with the title of what it names before it.
  private func text(_ field: FrontMatter.Field, _ entry: Entry) -> String {
    let text = NoteColumns.text(field.value)
    guard let declared = schema.kind(named: entry.kind)?.field(field.name), declared.type == .reference,
      let target = declared.target, let names = entry.note.frontMatter[field.name]?.strings
    else { return text }
    let titled = names.map { name in
      let bare = Field.bareReference(name)
      return title(target, bare).map { $0 == bare ? name : "\($0) (\(name))" } ?? name
    }
    return titled.joined(separator: ", ")
  }

  private func nameWidth(_ note: Note) -> Int {
    let names = NoteJSON.otherFields(of: note).map { CellWidth.of(Visible.escape($0.name)) }
    return min(20, max(8, names.max() ?? 0))
  }
}
