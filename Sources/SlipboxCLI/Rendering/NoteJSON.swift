import NoteIndex
import Notes
import Rendering
import SlipboxCore

/// A note as JSON, in the one shape that every command prints (schema 1).
struct NoteJSON: Sendable {
  /// The number that changes when the meaning of a field does.
  static let schema = 1

  /// The declared kinds by their names as they are spelled there.
  private let kinds: [String: DeclaredKind]
  private let schema: Schema
  let includesBody: Bool
  let links: NoteLinks?
  /// How many records refer to a note, for kinds whose rows show it.
  private let counts: ReferrerCounts

  /// Makes the shape for notes of a box.
  init(_ box: Slipbox, includesBody: Bool, links: NoteLinks? = nil) throws(SlipboxError) {
    schema = box.schema()
    var kinds: [String: DeclaredKind] = [:]
    for name in schema.kinds.map(\.name) + ["note"] {
      kinds[name] = schema.kind(named: name).map { DeclaredKind($0) }
    }
    self.kinds = kinds
    self.includesBody = includesBody
    self.links = links
    counts = ReferrerCounts(try box.catalogue().entries, schema)
  }

  /// Writes one note as an object, with what a search found in it.
  func write(_ entry: Entry, modified: Timestamp, found match: Match? = nil, to writer: inout JSONWriter) {
    let note = entry.note
    writer.beginObject()
    if let id = note.id { field("id", id.description, &writer) }
    writer.key("path")
    writer.string(bytes: note.path)
    field("title", note.title, &writer)
    field("kind", entry.kind, &writer)
    field("created", entry.created.rfc3339, &writer)
    field("modified", modified.rfc3339, &writer)
    writer.key("tags")
    strings(note.tags, &writer)
    writer.key("fields")
    fields(of: note, kind(named: entry.kind), &writer)
    writeCounts(of: entry, &writer)
    if let match { score(match, &writer) }
    if includesBody {
      writer.key("body")
      writer.string(bytes: Array(note.text.bytes[note.text.body]))
    }
    links?.write(of: note, to: &writer)
    writer.endObject()
  }

  private func writeCounts(of entry: Entry, _ writer: inout JSONWriter) {
    let counts = counts.counts(for: entry)
    guard !counts.isEmpty else { return }
    writer.key("counts")
    writer.beginObject()
    for (kind, count) in counts {
      writer.key(kind)
      writer.integer(count)
    }
    writer.endObject()
  }

  /// Whether a field has a place of its own in the object.
  private static func hasOwnPlace(_ field: FrontMatter.Field, in note: Note) -> Bool {
    switch field.name.utf8.count {
    case 2: field.name.hasSameBytes(as: "id") && note.id != nil
    case 4: field.name.hasSameBytes(as: "kind") || field.name.hasSameBytes(as: "tags")
    case 5: field.name.hasSameBytes(as: "title")
    case 7: field.name.hasSameBytes(as: "created")
    default: false
    }
  }

  /// The front-matter of a note but for what has a place of its own.
  static func otherFields(of note: Note) -> [FrontMatter.Field] {
    note.frontMatter.fields.filter { !hasOwnPlace($0, in: note) }
  }

  /// The fields of a kind, each at one place: handing one out copies nothing of the declaration.
  private final class DeclaredKind: Sendable {
    final class DeclaredField: Sendable {
      let field: Field
      init(_ field: Field) { self.field = field }
    }

    private let fields: [DeclaredField]

    init(_ kind: Kind) { fields = (kind.fields + Field.common).map { DeclaredField($0) } }

    /// The field of a name, without regard to case: a declared one, else one that every note has.
    func field(_ name: String) -> DeclaredField? { fields.first { $0.field.name.isSameName(as: name) } }
  }

  private func kind(named name: String) -> DeclaredKind? {
    if let kind = kinds[name] { return kind }
    // Most notes are plain ones, which nobody declared.
    return name.hasSameBytes(as: "note") ? nil : schema.kind(named: name).flatMap { kinds[$0.name] }
  }

  private func fields(of note: Note, _ declared: DeclaredKind?, _ writer: inout JSONWriter) {
    writer.beginObject()
    let fields = note.frontMatter.fields
    for place in fields.indices where !Self.hasOwnPlace(fields[place], in: note) {
      if case .empty = fields[place].value { continue }
      writer.key(fields[place].name)
      if let declared = declared?.field(fields[place].name), let value = declared.field.storedValue(in: note)
      {
        write(value, of: declared.field, &writer)
      } else {
        write(fields[place].value, &writer)
      }
    }
    writer.endObject()
  }

  private func write(_ value: TypedValue, of field: Field, _ writer: inout JSONWriter) {
    switch value {
    case .integer(let number): writer.integer(number)
    case .boolean(let flag): writer.boolean(flag)
    case .list(let elements):
      writer.beginArray()
      for element in elements { write(element, of: field, &writer) }
      writer.endArray()
    default: writer.string(field.written(value))
    }
  }

  private func write(_ value: FieldValue, _ writer: inout JSONWriter) {
    switch value {
    case .text(let text): writer.string(text)
    case .empty: writer.null()
    case .list(let elements):
      writer.beginArray()
      for element in elements { write(element, &writer) }
      writer.endArray()
    case .map(let entries):
      writer.beginObject()
      for entry in entries {
        writer.key(entry.key)
        write(entry.value, &writer)
      }
      writer.endObject()
    }
  }

  private func score(_ match: Match, _ writer: inout JSONWriter) {
    writer.key("score")
    writer.double(match.score)
    writer.key("snippets")
    writer.beginArray()
    for snippet in match.snippets {
      writer.beginObject()
      writer.key("line")
      writer.integer(snippet.line)
      field("text", snippet.text, &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private func field(_ name: String, _ value: String, _ writer: inout JSONWriter) {
    writer.key(name)
    writer.string(value)
  }

  private func strings(_ values: [String], _ writer: inout JSONWriter) {
    writer.beginArray()
    for value in values { writer.string(value) }
    writer.endArray()
  }
}

extension RowColumn {
  /// Whether the column shows a number of records.
  var isCount: Bool {
    if case .count = content { true } else { false }
  }
}
