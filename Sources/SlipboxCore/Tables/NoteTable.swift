package import NoteIndex
import Notes
import Text

/// The columns, groups and order of a table.
package struct TableRequest: Sendable {
  package var columns: [TableColumn] = []
  /// The columns by whose values the notes are grouped.
  package var groups: [TableColumn] = []
  /// Whether a last row has the aggregates of all notes.
  package var hasTotal = false
  /// The columns by which rows are sorted, by their headings, with a dash for descending.
  package var sort: [String] = []
  package var isReversed = false
  package var limit: Int?

  package init() {}
}

/// Values of notes, or of groups of notes, in rows and columns.
package struct NoteTable: Sendable {
  package struct Row: Sendable {
    /// The values of each column; none where there is no value, several of a list.
    package let cells: [[TableValue]]
    /// The terms that find the notes of the row; nil for a row of one note.
    package let terms: [String]?
  }

  /// The headings.
  package let headings: [String]
  package private(set) var rows: [Row] = []
  package private(set) var total: Row?

  private let request: TableRequest
  /// The columns of groups, then the others.
  private let columns: [TableColumn]
  private let values: TableValues
  /// The notes that match the queries of `percent`, by query.
  private var matching: [String: Set<Int>] = [:]

  /// - Throws: `.usage` for columns that do not go together, `.badData` for a query that can't be read.
  /// - Complexity: linear in the notes, times the columns.
  package init(
    _ matches: [Match], _ request: TableRequest, in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    self.request = request
    let isGrouped = !request.groups.isEmpty || request.columns.contains { $0.expression.isAggregate }
    var shown = request.columns
    if shown.isEmpty {
      shown = isGrouped ? try TableColumn.read("count") : try TableColumn.read("title,created,tags")
    }
    columns = request.groups + shown.filter { !request.groups.contains($0) }
    headings = columns.map(\.text)
    values = try TableValues(snapshot)
    try Self.refuseMixed(columns, groups: request.groups, isGrouped: isGrouped)
    for query in columns.flatMap({ Self.queries(in: $0.expression) }) where matching[query] == nil {
      matching[query] = Set(try snapshot.matches(try Self.read(query, snapshot)).map(\.place))
    }
    if isGrouped {
      rows = groupedRows(matches, snapshot.schema())
    } else {
      rows = matches.map { match in
        Row(cells: columns.map { values.values(of: $0.expression, in: match) }, terms: nil)
      }
    }
    if request.hasTotal, !matches.isEmpty { total = totalRow(matches) }
    try sortRows()
    if request.isReversed { rows.reverse() }
    if let limit = request.limit { rows = Array(rows.prefix(limit)) }
  }

  /// Refuses a field of single notes beside aggregates.
  private static func refuseMixed(
    _ columns: [TableColumn], groups: [TableColumn], isGrouped: Bool
  ) throws(SlipboxError) {
    if let group = groups.first(where: \.expression.isAggregate) {
      throw SlipboxError(
        .usage, "--by: \(Visible.escape(group.text)) is an aggregate, not a field",
        hints: ["--by takes fields and parts of dates: status, year(completed)"])
    }
    guard isGrouped,
      let single = columns.first(where: { !$0.expression.isAggregate && !groups.contains($0) })
    else { return }
    throw SlipboxError(
      .usage, "--columns: \(Visible.escape(single.text)) has a value for each note, not for a group",
      hints: [
        "aggregate it, as in max(\(Visible.escape(single.text))), or group by it: --by \(Visible.escape(single.text))"
      ])
  }

  private static func read(_ query: String, _ snapshot: BoxSnapshot) throws(SlipboxError) -> Query {
    do throws(QueryError) {
      return try snapshot.query([query])
    } catch {
      throw SlipboxError(
        .usage, "--columns: percent(\(Visible.escape(query))): \(Visible.escape(error.message))",
        hints: ["percent takes a term of a query: percent(is:active), percent(status:done)"])
    }
  }

  private static func queries(in expression: TableExpression) -> [String] {
    switch expression {
    case .percent(let query): [query]
    case .arithmetic(_, let one, let other), .days(let one, let other): queries(in: one) + queries(in: other)
    case .part(_, let inner): queries(in: inner)
    case .field, .number, .aggregate: []
    }
  }
}

extension NoteTable {
  /// A row for each combination of values of the groups, in the order of the values.
  private func groupedRows(_ matches: [Match], _ schema: Schema) -> [Row] {
    guard !request.groups.isEmpty else { return [row(of: matches, keys: [])] }
    var groups: [[TableValue?]: [Match]] = [:]
    for match in matches {
      var keys: [[TableValue?]] = [[]]
      for group in request.groups {
        var found: [TableValue?] = []
        for value in values.groupValues(of: group.expression, in: match) where !found.contains(value) {
          found.append(value)
        }
        if found.isEmpty { found = [nil] }
        keys = keys.flatMap { key in found.map { key + [$0] } }
      }
      for key in keys { groups[key, default: []].append(match) }
    }
    let orders = request.groups.map { Self.choices(of: $0.expression, schema) }
    let sorted = groups.keys.sorted { one, other in
      for (number, (left, right)) in zip(one, other).enumerated() where left != right {
        return Self.precedes(left, right, choices: orders[number])
      }
      return false
    }
    return sorted.map { row(of: groups[$0] ?? [], keys: $0) }
  }

  /// The declared choices of a field, in their order; none of another field.
  private static func choices(of expression: TableExpression, _ schema: Schema) -> [String] {
    guard case .field(let name) = expression else { return [] }
    return schema.kinds.lazy.compactMap { $0.field(name) }.first { $0.type == .choice }?.values ?? []
  }

  /// Whether a value comes before another; no value comes last.
  private static func precedes(_ left: TableValue?, _ right: TableValue?, choices: [String]) -> Bool {
    guard let left else { return false }
    guard let right else { return true }
    let places = [left, right].map { value in choices.firstIndex { $0 == value.text } ?? choices.count }
    return places[0] == places[1] ? left.precedes(right) : places[0] < places[1]
  }

  private func row(of matches: [Match], keys: [TableValue?]) -> Row {
    let cells = columns.enumerated().map { number, column -> [TableValue] in
      if number < keys.count { return keys[number].map { [$0] } ?? [] }
      return aggregate(column.expression, of: matches).map { [$0] } ?? []
    }
    return Row(cells: cells, terms: zip(request.groups, keys).map(Self.term))
  }

  /// The term of a query that finds the notes of a group.
  private static func term(_ group: TableColumn, _ value: TableValue?) -> String {
    guard let name = group.expression.fields.first else { return "" }
    guard let value else { return "\(name):" }
    var text = value.text
    if case .date(let date, let shown) = value, case .part(let part, _) = group.expression {
      switch part {
      case .quarter:
        text =
          "\(shown.prefix(4))-\(CivilDate.padded(date.month, to: 2))..\(date.adding(months: 2).description.prefix(7))"
      case .week: text = "\(date)..\(date.adding(days: 6))"
      case .year, .month, .day: text = shown
      }
    }
    if name == "tags" || name == "tag" { return "+\(text)" }
    let isPlain = text.utf8.allSatisfy {
      $0 > 0x7F || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || (0x30...0x39).contains($0)
        || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }
    return isPlain ? "\(name):\(text)" : "\(name):\"\(text)\""
  }

  /// The row of all notes: aggregates only.
  private func totalRow(_ matches: [Match]) -> Row {
    let cells = columns.map { column -> [TableValue] in
      guard column.expression.isAggregate else {
        // A column of numbers adds up.
        let numbers = matches.flatMap { values.values(of: column.expression, in: $0) }.map(\.number)
        guard !request.groups.contains(column), !numbers.isEmpty, !numbers.contains(nil) else { return [] }
        return [.number(numbers.reduce(0) { $0 + ($1 ?? 0) })]
      }
      return aggregate(column.expression, of: matches).map { [$0] } ?? []
    }
    return Row(cells: cells, terms: nil)
  }

  private func aggregate(_ expression: TableExpression, of matches: [Match]) -> TableValue? {
    switch expression {
    case .field: return nil
    case .number(let number): return .number(number)
    case .part(_, let inner): return aggregate(inner, of: matches)
    case .days(let one, let other):
      guard let first = aggregate(one, of: matches)?.date, let last = aggregate(other, of: matches)?.date
      else { return nil }
      return .number(Double(last.dayNumber - first.dayNumber))
    case .arithmetic(let sign, let one, let other):
      guard let first = aggregate(one, of: matches), let second = aggregate(other, of: matches) else {
        return nil
      }
      return TableValues.result(sign, first, second)
    case .percent(let query):
      guard !matches.isEmpty else { return nil }
      let found = matches.count { matching[query]?.contains($0.place) == true }
      return .number(100 * Double(found) / Double(matches.count))
    case .aggregate(.count, _): return .number(Double(matches.count))
    case .aggregate(let kind, let inner):
      guard let inner else { return nil }
      return aggregate(kind, matches.map { values.values(of: inner, in: $0) })
    }
  }

  /// - Parameter notes: the values of each note.
  private func aggregate(_ kind: TableExpression.Aggregate, _ notes: [[TableValue]]) -> TableValue? {
    let all = notes.flatMap { $0 }
    let numbers = all.compactMap(\.number)
    switch kind {
    case .count: return .number(Double(notes.count))
    case .filled: return .number(Double(notes.count { !$0.isEmpty }))
    case .empty: return .number(Double(notes.count(where: \.isEmpty)))
    case .distinct: return .number(Double(Set(all).count))
    case .sum: return .number(numbers.reduce(0, +))
    case .avg: return numbers.isEmpty ? nil : .number(numbers.reduce(0, +) / Double(numbers.count))
    case .median:
      let sorted = numbers.sorted()
      guard !sorted.isEmpty else { return nil }
      return .number((sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
    case .min: return all.min { $0.precedes($1) }
    case .max: return all.max { $0.precedes($1) }
    case .range:
      guard let least = all.min(by: { $0.precedes($1) }), let most = all.max(by: { $0.precedes($1) }) else {
        return nil
      }
      return TableValues.result(.minus, most, least)
    }
  }

  private mutating func sortRows() throws(SlipboxError) {
    var keys: [(column: Int, isDescending: Bool)] = []
    for name in request.sort {
      let isDescending = name.hasPrefix("-")
      let heading = isDescending ? String(name.dropFirst()) : name
      guard let column = headings.firstIndex(of: heading) else {
        throw SlipboxError(
          .usage, "--sort: there is no column \(Visible.escape(heading))",
          hints: ["the columns are: \(headings.map { Visible.escape($0) }.joined(separator: ", "))"])
      }
      keys.append((column, isDescending))
    }
    guard !keys.isEmpty else { return }
    rows = rows.enumerated().sorted { one, other in
      for key in keys {
        let (left, right) = (one.element.cells[key.column].first, other.element.cells[key.column].first)
        if left == right { continue }
        // No value comes last in both directions.
        guard let left else { return false }
        guard let right else { return true }
        return key.isDescending ? right.precedes(left) : left.precedes(right)
      }
      return one.offset < other.offset
    }.map(\.element)
  }
}
