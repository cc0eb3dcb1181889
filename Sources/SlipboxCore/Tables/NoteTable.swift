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

  package init() {}
}

/// Values of notes, or of groups of notes, in rows and columns.
package struct NoteTable: Sendable {
  package struct Row: Sendable {
    /// The values of each column; none where there is no value, several of a list.
    package let cells: [[TableValue]]
    /// The terms that find the notes of the row; nil for a row of one note.
    package let terms: [String]?
    /// The note of the row; nil for a row of several.
    package var match: Match?
  }

  /// The headings.
  package let headings: [String]
  package private(set) var rows: [Row] = []
  package private(set) var total: Row?

  /// - Throws: `.usage` for columns that do not go together, `.badData` for a query that can't be read.
  /// - Complexity: linear in the notes, times the columns.
  package init(
    _ matches: [Match], _ request: TableRequest, in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    let isGrouped = !request.groups.isEmpty || request.columns.contains { $0.expression.isAggregate }
    var shown = request.columns
    if shown.isEmpty {
      shown = isGrouped ? try TableColumn.read("count") : try TableColumn.read("title,created,tags")
    }
    let columns = request.groups + shown.filter { !request.groups.contains($0) }
    headings = columns.map(\.text)
    try Self.refuseMixed(columns, groups: request.groups, isGrouped: isGrouped)
    let maker = TableMaker(
      request: request, columns: columns, reader: try TableAggregates(columns, in: snapshot))
    rows = isGrouped ? maker.groupedRows(matches) : maker.rows(matches)
    if request.hasTotal, !matches.isEmpty { total = maker.totalRow(matches) }
    for line in maker.skippedValues(of: matches) { snapshot.reporter.warnOnce(line) }
    try sortRows(by: request.sort)
    // As in lists: the first rows, in the other order.
    if let limit = request.limit { rows = Array(rows.prefix(limit)) }
    if request.isReversed { rows.reverse() }
  }

  /// A table of rows that were worked out elsewhere.
  init(headings: [String], rows: [Row], total: Row?) {
    self.headings = headings
    self.rows = rows
    self.total = total
  }

  /// Refuses a field of single notes beside aggregates.
  fileprivate static func refuseMixed(
    _ columns: [TableColumn], groups: [TableColumn], isGrouped: Bool
  ) throws(SlipboxError) {
    if let group = groups.first(where: \.expression.isAggregate) {
      throw group.place.refusal(
        "\(Visible.escape(group.text)) is an aggregate, not a field",
        hints: ["\(group.place.option) takes fields and parts of dates: status, year(completed)"])
    }
    guard isGrouped,
      let single = columns.first(where: { !$0.expression.isAggregate && !groups.contains($0) })
    else { return }
    let name = Visible.escape(single.text)
    throw single.place.refusal(
      "\(name) has a value for each note, not for a group",
      hints: ["aggregate it, as in max(\(name)), or group by it: --by \(name)"])
  }
}

extension NoteTable {
  private mutating func sortRows(by sorting: [TableSort]) throws(SlipboxError) {
    var keys: [(column: Int, isDescending: Bool)] = []
    for sort in sorting {
      guard let column = headings.firstIndex(of: sort.heading) else {
        throw sort.place.refusal(
          "there is no column \(Visible.escape(sort.heading))",
          hints: ["the columns are: \(headings.map { Visible.escape($0) }.joined(separator: ", "))"])
      }
      keys.append((column, sort.isDescending))
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

/// Makes the rows of a table.
private struct TableMaker: Sendable {
  let request: TableRequest
  /// The columns of groups, then the others.
  let columns: [TableColumn]
  let reader: TableAggregates

  /// A row for each note.
  func rows(_ matches: [Match]) -> [NoteTable.Row] {
    concurrentMap(matches) { match in
      NoteTable.Row(
        cells: columns.map { reader.values(of: $0.expression, in: match) }, terms: nil, match: match)
    }
  }

  /// A row for each combination of values of the groups, in the order of the values.
  func groupedRows(_ matches: [Match]) -> [NoteTable.Row] {
    guard !request.groups.isEmpty else { return [row(of: matches, keys: [])] }
    return groups(of: matches).map { row(of: $0.matches, keys: $0.keys) }
  }

  /// The notes with each combination of values of the groups, in the order of the values.
  func groups(of matches: [Match]) -> [(keys: [TableValue?], matches: [Match])] {
    var groups: [[TableValue?]: [Match]] = [:]
    for (match, keys) in zip(matches, concurrentMap(matches) { keys(of: $0) }) {
      for key in keys { groups[key, default: []].append(match) }
    }
    let sorted = groups.keys.sorted { one, other in
      for (left, right) in zip(one, other) where left != right { return Self.precedes(left, right) }
      return false
    }
    return sorted.map { ($0, groups[$0] ?? []) }
  }

  /// The combinations of values of the groups that a note has.
  private func keys(of match: Match) -> [[TableValue?]] {
    var keys: [[TableValue?]] = [[]]
    for group in request.groups {
      var found: [TableValue?] = []
      for value in reader.groupValues(of: group.expression, in: match) where !found.contains(value) {
        found.append(value)
      }
      if found.isEmpty { found = [nil] }
      keys = keys.flatMap { key in found.map { key + [$0] } }
    }
    return keys
  }

  /// Whether a value comes before another; no value comes last.
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
    return NoteTable.Row(cells: cells, terms: zip(request.groups, keys).map(Self.term))
  }

  /// The term of a query that finds the notes of a group.
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
    // The whole value is meant, not a word of it, and no tag below it; days are found by their times too.
    let sign = value.date == nil ? ":=" : ":"
    return "\(name)\(sign)" + (isPlain || value.date != nil ? text : "\"\(text)\"")
  }

  /// Says how many values the sums and means of each column leave out because they are no numbers.
  func skippedValues(of matches: [Match]) -> [String] {
    columns.compactMap { column in
      guard case .aggregate(let kind, let inner?) = column.expression, [.sum, .avg, .median].contains(kind)
      else {
        return nil
      }
      let count = matches.reduce(0) { $0 + reader.values(of: inner, in: $1).count { $0.number == nil } }
      if count == 0 { return nil }
      return
        "\(Visible.escape(column.text)): \(count == 1 ? "1 value is" : "\(count) values are") not a number"
    }
  }

  /// The row of all notes: aggregates only.
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

/// The notes with one value of a field.
package struct NoteGroup: Sendable {
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
      request: request, columns: [column], reader: try TableAggregates([column], in: snapshot))
    return maker.groups(of: matches).map {
      NoteGroup(value: $0.keys.first ?? nil, matches: $0.matches)
    }
  }
}
