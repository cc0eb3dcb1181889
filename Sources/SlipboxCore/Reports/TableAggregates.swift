package import NoteIndex
import Notes
package import Text

/// Reads the values of notes and the aggregates of groups of notes.
package struct TableAggregates: Sendable {
  private var values: TableValues
  /// The notes that match the queries of `percent`, by query.
  private var matching: [String: Set<Int>] = [:]

  /// - Parameter matches: the notes whose values will be read.
  /// - Throws: `.usage` if a query of `percent` can't be read.
  init(_ columns: [TableColumn], of matches: [Match], in snapshot: BoxSnapshot) throws(SlipboxError) {
    values = try TableValues(snapshot)
    values.share(Set(columns.flatMap(\.expression.fields)), of: matches)
    for column in columns {
      for query in Self.queries(in: column.expression) where matching[query] == nil {
        matching[query] = Set(try snapshot.matches(try Self.read(query, of: column, snapshot)).map(\.place))
      }
    }
  }

  /// Returns the values of an expression in a note; several only for a list.
  func values(of expression: TableExpression, in match: Match) -> [TableValue] {
    values.values(of: expression, in: match)
  }

  /// Returns whether the value of an expression in a note is a list.
  func isList(_ expression: TableExpression, in match: Match) -> Bool {
    values.isList(expression, in: match)
  }

  /// Returns the values by which a note is grouped; see `TableValues.groupValues`.
  func groupValues(of expression: TableExpression, in match: Match) -> [TableValue] {
    values.groupValues(of: expression, in: match)
  }

  private static func read(
    _ query: String, of column: TableColumn, _ snapshot: BoxSnapshot
  ) throws(SlipboxError) -> Query {
    let read: Query
    do throws(QueryError) {
      read = try snapshot.query([query])
    } catch {
      let start = column.text.firstRange(of: query)?.lowerBound ?? column.text.startIndex
      let before = column.text.distance(from: column.text.startIndex, to: start)
      throw column.place.adding(
        before + String(decoding: query.utf8.prefix(error.range.lowerBound), as: UTF8.self).count
      )
      .refusal(
        Phrase(error.message),
        hints: ["percent takes a term of a query: percent(is:active), percent(status:done)"])
    }
    guard let name = try snapshot.catalogue().unknownFields(of: read).first else { return read }
    throw column.place.refusal("no note has a field \(name)")
  }

  private static func queries(in expression: TableExpression) -> [String] {
    switch expression {
    case .percent(let query): [query]
    case .arithmetic(_, let one, let other), .days(let one, let other): queries(in: one) + queries(in: other)
    case .part(_, let inner): queries(in: inner)
    case .field, .number, .date, .today, .aggregate: []
    }
  }

  /// Returns the value of a group of notes; nil if there is none.
  func aggregate(_ expression: TableExpression, of matches: [Match]) -> TableValue? {
    switch expression {
    case .field: return nil
    case .number, .date, .today: return values.constant(expression)
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
      return aggregate(kind, matches.map { values(of: inner, in: $0) })
    }
  }

  /// - Parameter notes: the values of each note.
  private func aggregate(_ kind: TableExpression.Aggregate, _ notes: [[TableValue]]) -> TableValue? {
    let all = notes.flatMap { $0 }
    // Texts can't be ordered among numbers and dates.
    let ordered = all.contains(where: \.isOrdered) ? all.filter(\.isOrdered) : all
    let numbers = all.compactMap(\.number)
    switch kind {
    case .count: return .number(Double(notes.count))
    case .filled: return .number(Double(notes.count { !$0.isEmpty }))
    case .empty: return .number(Double(notes.count(where: \.isEmpty)))
    case .distinct: return .number(Double(Set(SameValues.unified([all])[0]).count))
    case .sum: return .number(numbers.reduce(0, +))
    case .avg: return numbers.isEmpty ? nil : .number(numbers.reduce(0, +) / Double(numbers.count))
    case .median:
      let sorted = numbers.sorted()
      guard !sorted.isEmpty else { return nil }
      return .number((sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
    case .min: return ordered.min { $0.precedes($1) }
    case .max: return ordered.max { $0.precedes($1) }
    case .range:
      guard let least = ordered.min(by: { $0.precedes($1) }), let most = ordered.max(by: { $0.precedes($1) })
      else {
        return nil
      }
      return TableValues.result(.minus, most, least)
    }
  }

  /// Returns warnings with the number of values that an aggregate leaves out because they are not numbers.
  package static func skippedValues(
    of column: TableColumn, in matches: [Match], _ snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [Phrase] {
    try TableAggregates([column], of: matches, in: snapshot).skippedValues(of: matches, [column])
  }

  /// Returns warnings with the number of values that the sums and means of each column leave out because they are no
  /// numbers.
  func skippedValues(of matches: [Match], _ columns: [TableColumn]) -> [Phrase] {
    columns.compactMap { column in
      guard case .aggregate(let kind, let inner?) = column.expression, [.sum, .avg, .median].contains(kind)
      else {
        return nil
      }
      let count = matches.reduce(0) { $0 + values(of: inner, in: $1).count { $0.number == nil } }
      if count == 0 { return nil }
      return
        "\(column.text): \(count == 1 ? "1 value is" : "\(count) values are") not a number"
    }
  }
}
