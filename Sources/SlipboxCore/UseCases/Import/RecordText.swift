import Foreign
import NoteIndex
import Notes
import Text

/// Writes the records of other programs as notes of their kinds.
struct RecordText {
  let schema: Schema
  /// Whether a cell with commas may be a list.
  let isTable: Bool
  /// Finds the record of a kind that a text names; nil if there is none.
  let resolve: (_ kind: String, _ name: String) -> String?

  /// The note of a record.
  ///
  /// - Parameters:
  ///   - id: nil for a note that is identified by its path.
  ///   - created: the value as it is written; nil leaves it out.
  ///   - links: the references to other records of the file, by their fields.
  /// - Throws: `ForeignProblem` if a field can have no such name.
  func text(
    of record: ForeignRecord, kind name: String, id: NoteID?, created: String?, group: String?,
    links: [(field: String, keys: [String])]
  ) throws(ForeignProblem) -> NoteText {
    let kind = schema.kindOrPlain(named: name)
    var fields: [(name: String, value: FieldValue)] = []
    let body = record.body ?? []
    if let id { fields.append(("id", .text(id.description))) }
    if let title = record.title, !Note.titleOnOneLine(title).isEmpty, !isTitle(title, of: record) {
      fields.append(("title", .text(title)))
    }
    if name != "note" { fields.append(("kind", .text(schema.kind(named: name)?.name ?? name))) }
    if let created { fields.append(("created", .text(created))) }
    let tags = tags(record, body)
    if !tags.isEmpty { fields.append(("tags", .list(tags.map { .text($0) }))) }
    var added = record.fields.map { field in
      let declared = kind.field(field.name)
      return (name: declared?.name ?? field.name, value: value(field.value, declared, record))
    }
    added += times(of: record, kind)
    if let group { added.append((kind.field("group")?.name ?? "group", .text(group))) }
    added += links.map { ($0.field, .list($0.keys.map { .text($0) })) }
    try append(inOrder(added, kind), to: &fields, record.line)
    // A declared field has its own form.
    let plain = record.plainScalars.filter { kind.field($0.key) == nil && !Field.isCommon($0.key) }
    return NoteText(fields: fields, plainScalars: plain, body: body)
  }

  /// The times of day in the values of fields that hold a day alone, as fields such as `due-time`.
  private func times(of record: ForeignRecord, _ kind: Kind) -> [(name: String, value: FieldValue)] {
    record.fields.compactMap { field in
      guard let declared = kind.field(field.name), declared.type == .date, let text = field.value.text,
        Timestamp(rfc3339: text) == nil, text.utf8.contains(UInt8(ascii: ":")),
        let stamp = Timestamp.adopted(text), stamp.secondOfDay > 0
      else { return nil }
      return ("\(declared.name)-time", .text(DatedLine.time(stamp.secondOfDay)))
    }
  }

  /// Whether a note says a title by its text or its name.
  private func isTitle(_ title: String, of record: ForeignRecord) -> Bool {
    guard let path = record.path, let body = record.body, record.goesByPath else { return false }
    return Note(path: path, text: NoteText(body)).title == title
  }

  /// The tags that the text does not have.
  private func tags(_ record: ForeignRecord, _ body: [UInt8]) -> [String] {
    guard !record.tags.isEmpty, body.contains(UInt8(ascii: "#")) else { return record.tags }
    let inline = Note(path: [], text: NoteText(body)).inlineTags.map(\.name)
    return record.tags.filter { tag in !inline.contains { $0.isSameName(as: tag) } }
  }

  /// Declared fields first, in the order of the kind; the others in their own order.
  private func inOrder(
    _ fields: [(name: String, value: FieldValue)], _ kind: Kind
  ) -> [(name: String, value: FieldValue)] {
    guard kind.isOfRecords else { return fields }
    let order = kind.fieldOrder
    let places = fields.indices.map { place in
      (order.firstIndex { $0 == fields[place].name } ?? order.count, place)
    }
    return places.sorted { $0 < $1 }.map { fields[$0.1] }
  }

  private func append(
    _ added: [(name: String, value: FieldValue)], to fields: inout [(name: String, value: FieldValue)],
    _ line: Int
  ) throws(ForeignProblem) {
    for field in added where !fields.contains(where: { $0.name.hasSameBytes(as: field.name) }) {
      guard NoteText.canName(field.name) else {
        throw ForeignProblem(line: line, "\(field.name): this is not a valid field name")
      }
      fields.append(field)
    }
  }

  /// A value in the form that its field has: days as `2026-11-21`, references by the keys of their records.
  private func value(_ value: FieldValue, _ field: Field?, _ record: ForeignRecord) -> FieldValue {
    guard let field else {
      guard isTable, record.isOfSlip, let text = value.text else { return value }
      return CSVValue.read(text)
    }
    if field.type == .reference, let target = field.target {
      return mapped(split(value, field)) { resolve(target, $0) ?? $0 }
    }
    if field.type == .date {
      return mapped(value) { text in
        if CivilDate(text) != nil || Timestamp(rfc3339: text) != nil { return text }
        return (Timestamp.adopted(text)?.civilDate ?? SpelledDate.day(text))?.description ?? text
      }
    }
    if field.type == .boolean, isTable { return mapped(value) { Self.booleans[$0.lowercased()] ?? $0 } }
    return split(value, field)
  }

  /// Words for true and false in tables.
  private static let booleans = [
    "yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false", "1": "true",
    "y": "true", "x": "true", "✓": "true", "✔": "true", "t": "true", "0": "false", "n": "false",
    "f": "false", "-": "false",
  ]

  /// The elements between commas in a cell.
  private func split(_ value: FieldValue, _ field: Field) -> FieldValue {
    guard isTable, field.isList, !field.usesCommas, let text = value.text else { return value }
    let elements = text.split(separator: ",").map { FieldValue.text(Note.titleOnOneLine(String($0))) }
    return .list(elements.filter { $0 != .text("") })
  }

  private func mapped(_ value: FieldValue, _ change: (String) -> String) -> FieldValue {
    switch value {
    case .text(let text): .text(change(text))
    case .list(let elements): .list(elements.map { mapped($0, change) })
    case .map, .empty: value
    }
  }
}
