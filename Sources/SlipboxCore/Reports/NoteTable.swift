package import NoteIndex
import Notes
import Platform
import Text

/// The columns, groups and order of a table.
package struct TableRequest: Sendable {
  package var columns: [TableColumn] = []
  /// The columns by whose values the notes are grouped.
  package var groups: [TableColumn] = []
  /// Whether a last row has the aggregates of all notes.
  package var hasTotal = false
  /// The columns by which rows are sorted.
  package var sort: [TableSort] = []
  package var isReversed = false
  package var limit: Int?
  /// The kind of the notes, whose row has the columns if none are named.
  package var kind: String?

  package init() {}

  /// Whether a row is a group of notes, or all of them.
  var isGrouped: Bool { !groups.isEmpty || columns.contains { $0.expression.isAggregate } }

  /// Returns the query with an order that needs no computation, if the rows do not depend on the order of the notes.
  package func ordering(_ query: Query) -> Query {
    guard isGrouped, query.limit == nil else { return query }
    var query = query
    query.sort = [SortKey(field: "created", descending: true)]
    return query
  }
}

/// Values of notes, or of groups of notes, in rows and columns.
package struct NoteTable: Sendable {
  package struct Row: Sendable {
    /// The values of each column; empty if there is no value, several for a list.
    package let cells: [[TableValue]]
    /// The terms that find the notes of the row; nil for a row of one note.
    package let terms: [String]?
    /// The note of the row; nil for a row of several.
    package var match: Match?
    /// The number of notes of the row.
    package var count = 1
    /// The columns whose value is a list in the note.
    package var lists: Set<Int> = []
  }

  /// The headings.
  package let headings: [String]
  /// For each grouping column, the name of the group without a value; these columns come first.
  package let absentNames: [String]
  package private(set) var rows: [Row] = []
  package private(set) var total: Row?
  /// The name of the last row.
  package private(set) var totalName = "Total"

  /// - Throws: `.usage` for columns that can't be combined, `.badData` for a query that can't be read.
  /// - Complexity: linear in the notes, times the columns.
  package init(
    _ matches: [Match], _ request: TableRequest, in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    let isGrouped = request.isGrouped
    var shown = request.columns
    if shown.isEmpty {
      shown = try TableColumn.read(isGrouped ? "count" : Self.usualColumns(of: request.kind, in: snapshot))
    }
    let columns = request.groups + shown.filter { !request.groups.contains($0) }
    headings = columns.map(\.text)
    absentNames = request.groups.map(\.absentName)
    try Self.refuseMixed(columns, groups: request.groups, isGrouped: isGrouped)
    let maker = TableMaker(
      request: request, columns: columns, reader: try TableAggregates(columns, of: matches, in: snapshot))
    rows = isGrouped ? maker.groupedRows(matches) : maker.rows(matches)
    if request.hasTotal, !matches.isEmpty { total = maker.totalRow(matches) }
    for line in maker.reader.skippedValues(of: matches, columns) { snapshot.reporter.warnOnce(line) }
    try sortRows(by: request.sort)
    // As in lists, the first rows are taken before the order is reversed.
    if let limit = request.limit, limit < rows.count {
      totalName = "Total of \(rows.count)"
      rows = Array(rows.prefix(limit))
    }
    if request.isReversed { rows.reverse() }
  }

  /// Returns the columns of a table for which none are named: the title and the fields of the row of the kind.
  private static func usualColumns(of kind: String?, in snapshot: BoxSnapshot) -> String {
    let fields = kind.flatMap { snapshot.schema().kind(named: $0) }?.row.compactMap { column -> String? in
      if case .field(let name) = column.content, name != "title" { name } else { nil }
    }
    guard let fields, !fields.isEmpty else { return "title,created,tags" }
    return (["title"] + fields).joined(separator: ",")
  }

  /// Creates a table of rows that were computed elsewhere.
  init(headings: [String], rows: [Row], total: Row?, totalName: String = "Total") {
    self.headings = headings
    self.totalName = totalName
    absentNames = []
    self.rows = rows
    self.total = total
  }

  /// Returns the table with some of its rows, and without its total.
  package func only(_ rows: some Sequence<Int>) -> NoteTable {
    NoteTable(headings: headings, rows: rows.map { self.rows[$0] }, total: nil)
  }

  /// Refuses a field of single notes beside aggregates.
  fileprivate static func refuseMixed(
    _ columns: [TableColumn], groups: [TableColumn], isGrouped: Bool
  ) throws(SlipboxError) {
    if let group = groups.first(where: \.expression.isAggregate) {
      throw group.place.refusal(
        "\(group.text) is an aggregate, not a field",
        hints: ["\(option: group.place.option) takes fields and parts of dates: status, year(completed)"])
    }
    guard isGrouped,
      let single = columns.first(where: { !$0.expression.isAggregate && !groups.contains($0) })
    else { return }
    let name = Phrase(single.text)
    throw single.place.refusal(
      "\(name) has a value for each note, not for a group",
      hints: ["aggregate it, as in max(\(name)), or group by it: \(option: "--by \(name)")"])
  }
}

extension NoteTable {
  private mutating func sortRows(by sorting: [TableSort]) throws(SlipboxError) {
    var keys: [(column: Int, isDescending: Bool)] = []
    for sort in sorting {
      guard let column = headings.firstIndex(of: TableColumn.heading(sort.heading)) else {
        throw sort.place.refusal(
          "there is no column \(sort.heading)",
          hints: ["the columns are: \(headings.map { Phrase($0) }.joined(separator: ", "))"])
      }
      keys.append((column, sort.isDescending))
    }
    guard !keys.isEmpty else { return }
    rows = rows.enumerated().sorted { one, other in
      for key in keys {
        let (left, right) = (one.element.cells[key.column].first, other.element.cells[key.column].first)
        if left == right { continue }
        // Rows without a value come last in both directions.
        guard let left else { return false }
        guard let right else { return true }
        return key.isDescending ? right.precedes(left) : left.precedes(right)
      }
      return one.offset < other.offset
    }.map(\.element)
  }
}

/// Computes the rows of a table.
private struct TableMaker: Sendable {
  let request: TableRequest
  /// The columns of groups, then the others.
  let columns: [TableColumn]
  let reader: TableAggregates

  /// Returns a row for each note.
  func rows(_ matches: [Match]) -> [NoteTable.Row] {
    concurrentMap(matches) { match in
      NoteTable.Row(
        cells: columns.map { reader.values(of: $0.expression, in: match) }, terms: nil, match: match,
        lists: Set(columns.indices.filter { reader.isList(columns[$0].expression, in: match) }))
    }
  }

  /// Returns a row for each combination of values of the groups, in the order of the values.
  func groupedRows(_ matches: [Match]) -> [NoteTable.Row] {
    guard !request.groups.isEmpty else { return [row(of: matches, keys: [])] }
    return groups(of: matches).map { row(of: $0.matches, keys: $0.keys) }
  }

  /// Returns the notes with each combination of values of the groups, in the order of the values.
  func groups(of matches: [Match]) -> [(keys: [TableValue?], matches: [Match])] {
    let values = request.groups.map { group in
      SameValues.unified(concurrentMap(matches) { reader.groupValues(of: group.expression, in: $0) })
    }
    var groups: [[TableValue?]: [Match]] = [:]
    for (number, match) in matches.enumerated() {
      var keys: [[TableValue?]] = [[]]
      for column in values {
        let found = column[number].isEmpty ? [nil] : column[number].map(Optional.some)
        keys = keys.flatMap { key in found.map { key + [$0] } }
      }
      for key in keys { groups[key, default: []].append(match) }
    }
    let sorted = groups.keys.sorted { one, other in
      for (left, right) in zip(one, other) where left != right { return Self.precedes(left, right) }
      return false
    }
    return sorted.map { ($0, groups[$0] ?? []) }
  }

  /// Returns whether a value comes before another; nil comes last.
  private static func precedes(_ left: TableValue?, _ right: TableValue?) -> Bool {
    guard let left else { return false }
    guard let right else { return true }
    return left.precedes(right)
  }

  private func row(of matches: [Match], keys: [TableValue?]) -> NoteTable.Row {
    let cells = columns.enumerated().map { number, column -> [TableValue] in
      if number < keys.count { return keys[number].map { [$0] } ?? [] }
      return reader.aggregate(column.expression, of: matches).map { [$0] } ?? []
    }
    return NoteTable.Row(
      cells: cells, terms: zip(request.groups, keys).map(Self.term), count: matches.count)
  }

  /// Returns the term of a query that finds the notes of a group.
  private static func term(_ group: TableColumn, _ value: TableValue?) -> String {
    guard let name = group.expression.fields.first else { return "" }
    guard let value else { return "\(name):" }
    var text = value.stored
    if case .date(let date, let shown) = value, case .part(let part, _) = group.expression {
      switch part {
      case .quarter:
        text =
          "\(shown.prefix(4))-\(CivilDate.padded(date.month, to: 2))..\(date.adding(months: 2).description.prefix(7))"
      case .week: text = "\(date)..\(date.adding(days: 6))"
      case .year, .month, .day: text = shown
      }
    }
    let isPlain =
      !text.contains("..")
      && text.utf8.allSatisfy {
        $0 > 0x7F || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || (0x30...0x39).contains($0)
          || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
    // The term matches the whole value, not a word of it, and no tag below it; days are found by their times too.
    let sign = value.date == nil ? ":=" : ":"
    if isPlain || value.date != nil { return "\(name)\(sign)\(text)" }
    let quoted = text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return "\(name)\(sign)\"\(quoted)\""
  }

  /// Returns the row of all notes, which has only aggregates.
  func totalRow(_ matches: [Match]) -> NoteTable.Row {
    let cells = columns.map { column -> [TableValue] in
      guard column.expression.isAggregate else {
        // A column of numbers adds up.
        let numbers = matches.flatMap { reader.values(of: column.expression, in: $0) }.map(\.number)
        guard !request.groups.contains(column), !numbers.isEmpty, !numbers.contains(nil) else { return [] }
        return [.number(numbers.reduce(0) { $0 + ($1 ?? 0) })]
      }
      return reader.aggregate(column.expression, of: matches).map { [$0] } ?? []
    }
    return NoteTable.Row(cells: cells, terms: nil)
  }
}

/// Values that a query doesn't distinguish: texts that differ in case or accents alone.
enum SameValues {
  /// Returns the key of a text, a choice or a record; nil for a number and a date.
  static func key(of value: TableValue) -> String? {
    value.number == nil && value.date == nil ? Folding.fold(value.stored) : nil
  }

  /// Returns the different values of each note. Values with one key become the most frequent of them; a choice of the
  /// kind precedes others.
  static func unified(_ notes: [[TableValue]]) -> [[TableValue]] {
    var counts: [String: [TableValue: Int]] = [:]
    // A query finds a number in quotes like one without.
    let numbers = Dictionary(
      notes.joined().filter { $0.number != nil }.map { ($0.stored, $0) },
      uniquingKeysWith: { first, _ in first })
    for value in notes.joined() {
      if let key = key(of: value) { counts[key, default: [:]][value, default: 0] += 1 }
    }
    let shown = counts.compactMapValues { values in
      values.max { one, other in
        let ranks = (isChoice(one.key), isChoice(other.key))
        if ranks.0 != ranks.1 { return ranks.1 }
        return one.value == other.value ? one.key.stored < other.key.stored : one.value < other.value
      }?.key
    }
    return notes.map { values in
      var found: [TableValue] = []
      for value in values {
        let known = key(of: value).flatMap { shown[$0] } ?? value
        let one = numbers[known.stored] ?? known
        if !found.contains(one) { found.append(one) }
      }
      return found
    }
  }

  private static func isChoice(_ value: TableValue) -> Bool {
    if case .choice = value { true } else { false }
  }
}

/// The notes with one value of a field.
package struct NoteGroup: Sendable {
  /// The name of the group if the notes have no value: `no status`.
  package let absentName: String
  /// The value; nil if the notes have none.
  package let value: TableValue?
  package let matches: [Match]

  /// Groups notes by a field or a part of a date, in the order of its values; a note with several values is in several
  /// groups.
  /// - Throws: `.usage` with a caret for an aggregate.
  package static func groups(
    _ matches: [Match], by column: TableColumn, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [NoteGroup] {
    var request = TableRequest()
    request.groups = [column]
    try NoteTable.refuseMixed([column], groups: [column], isGrouped: true)
    let maker = TableMaker(
      request: request, columns: [column], reader: try TableAggregates([column], of: matches, in: snapshot))
    return maker.groups(of: matches).map {
      NoteGroup(absentName: column.absentName, value: $0.keys.first ?? nil, matches: $0.matches)
    }
  }
}
