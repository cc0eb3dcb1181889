package import NoteIndex
package import Notes
import Text

/// The notes of a view in columns, one for each value of a field.
package struct Board: Sendable {
  package struct Column: Sendable {
    /// The value as a query and a change name it; nil for the notes without one.
    package let value: String?
    /// The value, or the title of the record that it names; nil for the notes without one.
    package let title: String?
    /// The name of the column if the notes have no value: `no status`.
    package let absentName: String
    package fileprivate(set) var matches: [Match] = []
    /// The aggregates of the view's columns, each with its heading.
    package fileprivate(set) var aggregates: [(heading: String, value: TableValue?)] = []
  }

  /// The field, or the part of a date, whose values are the columns.
  package let field: String
  package private(set) var columns: [Column]
  /// The number of notes; a note with several values is counted once.
  package let total: Int
  /// Whether a change of the field moves a note to another column.
  package let isMovable: Bool
  private let schema: Schema

  /// The maximum number of records that each get a column even if no note names them.
  private static let mostRecords = 40

  /// - Throws: `.usage` for an aggregate as the field, and for an invalid column of the view.
  package init(_ view: View, _ notes: ViewNotes, in snapshot: BoxSnapshot) throws {
    schema = snapshot.schema()
    let kind = notes.kind.flatMap { [schema] in schema.kind(named: $0) }
    let by = try TableColumn.readGroup(view.by ?? kind?.stateField?.name ?? "status")
    let groups = try NoteGroup.groups(notes.matches, by: by, in: snapshot)
    field = by.text
    total = notes.matches.count
    // The kinds of the notes alone: a note without a kind has no columns of another one.
    let present = Set(notes.matches.map(\.entry.kind))
    let kinds = kind.map { [$0] } ?? schema.kinds.filter { present.contains($0.name) }
    let declared = by.expression.plainField.map { name in kinds.compactMap { $0.field(name) } } ?? []
    isMovable =
      by.expression.plainField.map { !TableColumn.isKnown($0) || ["tags", "tag"].contains($0) } ?? false
    columns = []
    for (value, title) in try declared.flatMap({ field in try Self.declaredValues(of: field, in: snapshot) })
    where !columns.contains(where: { $0.value == value }) {
      columns.append(Column(value: value, title: title, absentName: by.absentName))
    }
    let reference = declared.first { $0.type == .reference }
    let keys = try reference?.target.map { (kind) throws(SlipboxError) in
      try RecordKeyLookup(of: kind, in: snapshot)
    }
    for group in groups {
      let value = group.value.map { keys?.key(of: $0.stored) ?? $0.stored }
      if let place = columns.firstIndex(where: { $0.value.map(Folding.fold) == value.map(Folding.fold) }) {
        columns[place].matches += group.matches
      } else {
        columns.append(Column(value: value, title: value, absentName: by.absentName, matches: group.matches))
      }
    }
    if reference != nil, columns.count > Self.mostRecords {
      columns.removeAll { $0.matches.isEmpty }
    }
    try addAggregates(view, in: snapshot)
  }

  /// Returns the values that have a column even if no note has them, in their order, each with its title.
  private static func declaredValues(
    of field: Field, in snapshot: BoxSnapshot
  ) throws -> [(value: String, title: String)] {
    switch field.type {
    case .choice: return field.values.map { ($0, $0) }
    case .boolean: return [("false", "false"), ("true", "true")]
    case .reference:
      guard let target = field.target else { return [] }
      return try snapshot.matches(try snapshot.query(["kind:\(target)", "sort:title"])).map { match in
        (snapshot.schema().recordKey(of: match.entry), match.entry.note.title)
      }
    default: return []
    }
  }

  private mutating func addAggregates(_ view: View, in snapshot: BoxSnapshot) throws(SlipboxError) {
    guard let text = view.columns else { return }
    let shown = try TableColumn.read(text)
    if let single = shown.first(where: { !$0.expression.isAggregate }) {
      let name = Phrase(single.text)
      throw single.place.refusal(
        "\(name) has a value for each note, not for a column of a board",
        hints: ["aggregate it, as in sum(\(name))"])
    }
    let reader = try TableAggregates(shown, of: columns.flatMap(\.matches), in: snapshot)
    for line in reader.skippedValues(of: columns.flatMap(\.matches), shown) {
      snapshot.reporter.warnOnce(line)
    }
    for place in columns.indices {
      columns[place].aggregates = shown.map {
        ($0.text, reader.aggregate($0.expression, of: columns[place].matches))
      }
    }
  }
}

/// The keys of the records that references mean, whether they name them by key or by title.
private struct RecordKeyLookup {
  private let kind: String
  private let table: RecordTable

  init(of kind: String, in snapshot: BoxSnapshot) throws(SlipboxError) {
    self.kind = kind
    table = try RecordTable(in: snapshot)
  }

  func key(of reference: String) -> String {
    let name = Field.bareReference(reference)
    let records = table.records(of: kind, named: name)
    return records.count == 1 ? table.schema.recordKey(of: records[0]) : name
  }
}

// MARK: Moving

/// The change that moves a note to another column of a board.
package enum NoteMove: Sendable, Equatable {
  /// The action of the note's kind that sets the value of the column.
  case action(String)
  case changes([Change])
}

extension Board {
  /// Returns the move of a note of a kind from one column to another; nil if no change makes it.
  package func move(ofKind name: String, from old: String?, to value: String?) -> NoteMove? {
    guard isMovable, old != value else { return nil }
    let kind = schema.kindOrPlain(named: name)
    if kind.field(field)?.isList == true || isOfTags {
      return .changes([old.map { removal($0) }, value.map { addition($0) }].compactMap { $0 })
    }
    guard let value else { return .changes([.clear(field: field)]) }
    return kind.action(setting: field, to: value).map { .action($0.name) }
      ?? .changes([.set(field: field, value: value)])
  }

  private var isOfTags: Bool { ["tags", "tag"].contains(field) }

  private func removal(_ value: String) -> Change {
    isOfTags ? .removeTag(value) : .remove(value, field: field)
  }

  private func addition(_ value: String) -> Change { isOfTags ? .addTag(value) : .add(value, field: field) }
}

extension Kind {
  /// Returns the action that sets a field to a value, with the fewest other changes.
  package func action(setting field: String, to value: String) -> Action? {
    actions.filter { action in
      action.changes.contains { change in
        guard case .set(let name, value) = change else { return false }
        return name.isSameName(as: field)
      }
    }.min { $0.changes.count < $1.changes.count }
  }
}

extension TableExpression {
  /// The field, if the expression is nothing but its value.
  var plainField: String? { if case .field(let name) = self { name } else { nil } }
}
