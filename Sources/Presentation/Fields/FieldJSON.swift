import NoteIndex
import Notes
package import SlipboxCore

/// Writes values of fields as JSON: the one rule for lists, notes and history.
enum FieldJSON {
  /// Writes a value of a declared field.
  static func write(_ value: TypedValue, of field: Field, to writer: inout JSONWriter) {
    switch value {
    case .integer(let number): writer.integer(number)
    case .boolean(let flag): writer.boolean(flag)
    case .list(let elements):
      writer.array(of: elements) { write($0, of: field, to: &$1) }
    default: writer.string(field.written(value))
    }
  }

  /// Writes a value of a field that no kind declares.
  ///
  /// - Parameters:
  ///   - plainScalars: whether each scalar has no quotes, so that it may be a number or boolean; empty for text alone.
  ///   - emptyIsText: whether a field without a value is an empty string, not null.
  static func write(
    _ value: FieldValue, plainScalars: [Bool], emptyIsText: Bool = false, to writer: inout JSONWriter
  ) {
    var plain = plainScalars[...]
    write(value, &plain, emptyIsText, &writer)
  }

  private static func write(
    _ value: FieldValue, _ plain: inout ArraySlice<Bool>, _ emptyIsText: Bool, _ writer: inout JSONWriter
  ) {
    switch value {
    case .text(let text):
      switch ScalarType(text, isPlain: plain.popFirst() ?? false) {
      case .text: writer.string(text)
      case .number: writer.number(text)
      case .boolean: writer.boolean(text == "true")
      }
    case .empty:
      _ = plain.popFirst()
      if emptyIsText { writer.string("") } else { writer.null() }
    case .list(let elements):
      writer.array(of: elements) { write($0, &plain, emptyIsText, &$1) }
    case .map(let entries):
      writer.object { writer in
        for entry in entries {
          writer.key(entry.key)
          write(entry.value, &plain, emptyIsText, &writer)
        }
      }
    }
  }
}

/// The types that values have in the history of notes: those that the fields of the notes have.
package struct ChangeTypes {
  private let snapshot: BoxSnapshot
  private let schema: Schema
  let json: JSONSchema

  package init(_ snapshot: BoxSnapshot, _ json: JSONSchema) {
    (self.snapshot, self.json, schema) = (snapshot, json, snapshot.schema())
  }

  /// The kind of a changed note: that of the change, else that of the note now.
  ///
  /// - Complexity: that of reading the catalogue the first time.
  private func kind(of change: NoteChange) -> Kind {
    if let field = change.fields.first(where: { $0.name == "kind" }),
      let name = (field.new ?? field.old)?.text
    {
      return schema.kindOrPlain(named: name)
    }
    // A box that can't be read has plain notes.
    guard let catalogue = try? snapshot.catalogue() else { return schema.kindOrPlain(named: "note") }
    let entry =
      switch change.note {
      case .id(let id): catalogue.entry(id: id)
      case .path(let path): catalogue.entry(path: path)
      }
    return schema.kindOrPlain(named: entry?.kind ?? "note")
  }

  /// Writes a value of a field before or after a change. An absent one is written as null by the caller.
  func write(
    _ value: FieldValue, plainScalars: [Bool], of field: NoteChange.Field, in change: NoteChange,
    to writer: inout JSONWriter
  ) {
    let mayHaveTypes =
      value.mayHaveTypes || schema.kinds.contains { $0.field(field.name)?.isCounted ?? false }
    guard json == .typed, mayHaveTypes, !Field.isCommon(field.name) else {
      return FieldJSON.write(value, plainScalars: [], emptyIsText: true, to: &writer)
    }
    guard let declared = kind(of: change).field(field.name) else {
      return FieldJSON.write(value, plainScalars: plainScalars, emptyIsText: true, to: &writer)
    }
    if declared.isCounted, let typed = declared.storedValue(value) {
      FieldJSON.write(typed, of: declared, to: &writer)
    } else {
      FieldJSON.write(value, plainScalars: [], emptyIsText: true, to: &writer)
    }
  }
}

extension Field {
  /// Whether values of the field are numbers or booleans in JSON.
  fileprivate var isCounted: Bool { type == .integer || type == .boolean }
}

/// Tags with their numbers of notes as JSON.
package enum TagJSON {
  /// A list of tags.
  package static func list(_ tags: [TagCount]) -> [UInt8] {
    JSONDocument.list("tags", tags) { tag, writer in
      writer.object { members(of: tag, to: &$0) }
    }
  }

  /// Tags under their parents.
  package static func tree(_ branches: [TagBranch]) -> [UInt8] {
    JSONDocument.list("tags", branches, write)
  }

  private static func write(_ branch: TagBranch, to writer: inout JSONWriter) {
    writer.object { writer in
      members(of: branch.tag, to: &writer)
      if !branch.children.isEmpty { writer.member("children", of: branch.children, write) }
    }
  }

  private static func members(of tag: TagCount, to writer: inout JSONWriter) {
    writer.member("tag", tag.name)
    writer.member("active", tag.active)
    writer.member("all", tag.all)
    if tag.isDeclared { writer.member("declared", true) }
  }
}

/// Filters as JSON.
package enum FilterJSON {
  /// A list of filters with their queries.
  package static func list(_ filters: [(name: String, query: String)]) -> [UInt8] {
    JSONDocument.list("filters", filters) { filter, writer in
      writer.object {
        $0.member("name", filter.name)
        $0.member("query", filter.query)
      }
    }
  }
}
