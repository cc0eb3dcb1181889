import NoteIndex
import Notes
import Text

extension NoteTable {
  /// Creates the table of the notes of a view of a `.base` file.
  ///
  /// - Parameter name: the name of the view; nil for the first one.
  /// - Throws: `.notFound` if there is no view of that name, `.badData` with a line for each filter that can't be read.
  package init(
    _ base: BaseFile, view name: String?, file: String, in snapshot: BoxSnapshot
  ) throws {
    let view = try Self.view(base, name, file)
    let unread = base.unreadFilters(of: view)
    guard unread.isEmpty else {
      throw SlipboxError(
        .badData, "\(file): a filter can't be read, so the notes of the view are unknown",
        hints: unread.prefix(20).map { "line \($0.line): \($0.message)" })
    }
    var columns = view.columns
    if columns.isEmpty { columns = [BaseFile.Property(name: "file.name", expression: .file(.file))] }
    if let group = view.group?.property, !columns.contains(where: { $0.name == group.name }) {
      columns.insert(group, at: 0)
    }
    let evaluator = try BaseEvaluator(base, snapshot)
    var rows: [(match: Match, row: BaseRow)] = []
    for match in try snapshot.matches(try snapshot.query(["sort:path"])) {
      var row = BaseRow(match.entry)
      if evaluator.takes(&row, view) { rows.append((match, row)) }
    }
    evaluator.sort(&rows, (view.group.map { [$0] } ?? []) + view.order)
    if let limit = view.limit { rows = Array(rows.prefix(limit)) }
    let values = rows.indices.map { number in
      columns.map { evaluator.value(of: $0.expression, &rows[number].row) }
    }
    var total: Row?
    if !view.summaries.isEmpty {
      total = Row(
        cells: columns.enumerated().map { number, column in
          guard let summary = view.summaries.first(where: { $0.property == column.expression })?.summary
          else { return [] }
          return evaluator.value(of: summary, values.map { $0[number] }).cells
        }, terms: nil)
    }
    self.init(
      headings: columns.map(base.heading),
      rows: zip(rows, values).map { row, values in
        Row(
          cells: values.map(\.cells), terms: nil, match: row.match,
          lists: Set(values.indices.filter { values[$0].isList }))
      }, total: total,
      totalName: "Summary")
  }

  private static func view(
    _ base: BaseFile, _ name: String?, _ file: String
  ) throws(SlipboxError) -> BaseFile.BaseView {
    guard let name else {
      guard let first = base.views.first else {
        throw SlipboxError(
          .badData, "\(file): the file has no views",
          hints: base.problems(of: nil).prefix(20).map { "line \($0.line): \($0.message)" })
      }
      return first
    }
    guard let view = base.views.first(where: { $0.name == name }) else {
      let names = base.viewNames.map { Phrase($0) }.joined(separator: ", ")
      throw SlipboxError(
        .notFound, "\(file): there is no view \(name)",
        hints: names.isEmpty ? [] : ["its views are: \(names)"])
    }
    return view
  }
}

/// A note with the values of its formulas.
struct BaseRow {
  let entry: Entry
  fileprivate var formulas: [String: BaseValue] = [:]

  init(_ entry: Entry) { self.entry = entry }
}

/// Evaluates expressions of a `.base` file for notes.
struct BaseEvaluator {
  private let formulas: [String: BaseExpression]
  private let filter: BaseFile.Filter?
  private let snapshot: BoxSnapshot
  private let now: BaseDate
  private let links: BaseLinks

  /// The remaining evaluation steps of an expression for a note: nested lists can cause any number.
  private final class Budget { var steps = 0 }

  private let budget = Budget()
  private static let mostSteps = 200_000

  /// The values of `value`, `index`, `acc` and `values`.
  private typealias Variables = [String: BaseValue]

  init(_ base: BaseFile, _ snapshot: BoxSnapshot) throws(SlipboxError) {
    formulas = base.formulas
    filter = base.filter
    self.snapshot = snapshot
    now = BaseDate(snapshot.clock.now)
    links = try BaseLinks(snapshot)
  }

  func takes(_ row: inout BaseRow, _ view: BaseFile.BaseView) -> Bool {
    holds(filter, &row) && holds(view.filter, &row)
  }

  private func holds(_ filter: BaseFile.Filter?, _ row: inout BaseRow) -> Bool {
    switch filter {
    case nil: return true
    case .test(let expression)?: return value(of: expression, &row).isTrue
    case .all(let parts)?:
      for part in parts where !holds(part, &row) { return false }
      return true
    case .any(let parts)?:
      for part in parts where holds(part, &row) { return true }
      return parts.isEmpty
    case .none(let parts)?:
      for part in parts where holds(part, &row) { return false }
      return true
    }
  }

  func sort(_ rows: inout [(match: Match, row: BaseRow)], _ order: [BaseFile.Order]) {
    guard !order.isEmpty else { return }
    let keys = rows.indices.map { number in
      order.map { value(of: $0.property.expression, &rows[number].row) }
    }
    let places = rows.indices.sorted { one, other in
      for (number, (left, right)) in zip(keys[one], keys[other]).enumerated() where left != right {
        if left.isEmpty || right.isEmpty { return !left.isEmpty }
        let isDescending = order[number].isDescending
        if BaseFunctions.precedes(left, right) { return !isDescending }
        if BaseFunctions.precedes(right, left) { return isDescending }
      }
      return one < other
    }
    rows = places.map { rows[$0] }
  }

  /// Returns the value of a summary of a column.
  func value(of summary: BaseSummary, _ values: [BaseValue]) -> BaseValue {
    guard case .custom(_, let expression) = summary else { return summary.value(of: values) }
    budget.steps = Self.mostSteps + values.count
    return value(of: expression, nil, ["values": .list(values)])
  }

  func value(of expression: BaseExpression, _ row: inout BaseRow) -> BaseValue {
    budget.steps = Self.mostSteps
    for name in expression.formulas where row.formulas[name] == nil { evaluate(name, &row) }
    return value(of: expression, row, [:])
  }

  /// Evaluates a formula after those that it names; there are no cycles.
  private func evaluate(_ name: String, _ row: inout BaseRow) {
    var waiting = [name]
    while let last = waiting.last {
      let missing = (formulas[last]?.formulas ?? []).filter { row.formulas[$0] == nil }
      guard missing.isEmpty else {
        waiting += missing
        continue
      }
      waiting.removeLast()
      row.formulas[last] = formulas[last].map { value(of: $0, row, [:]) } ?? .empty
    }
  }

  private func value(of expression: BaseExpression, _ row: BaseRow?, _ variables: Variables) -> BaseValue {
    budget.steps -= 1
    guard budget.steps > 0 else { return .empty }
    let inner = { (part: BaseExpression) in value(of: part, row, variables) }
    switch expression {
    case .literal(let value): return value
    case .list(let parts): return .list(parts.map(inner))
    case .note(let name): return property(name, of: row)
    case .file(let field): return row.map { value(of: field, $0.entry) } ?? .empty
    case .formula(let name): return row?.formulas[name] ?? .empty
    case .variable(let name):
      // Outside of list functions the name is that of a property.
      return variables[name] ?? property(name, of: row)
    case .field(let part, let name): return field(name, of: inner(part))
    case .element(let part, let place):
      guard case .list(let elements) = inner(part), let number = inner(place).number, number >= 0,
        number < Double(elements.count)
      else { return .empty }
      return elements[Int(number)]
    case .function(let name, let parts): return call(name, parts, inner)
    case .method(let part, let name, let parts):
      let receiver = inner(part)
      if ["map", "filter", "reduce"].contains(name) {
        guard case .list(let elements) = receiver else { return .empty }
        return fold(name, elements, parts) { value(of: $0, row, variables.merging($1) { $1 }) }
      }
      if name == "linksTo", case .link(let link) = receiver {
        return .boolean(link.path != nil && link.path == links.link(inner(parts[0])).path)
      }
      return BaseFunctions.call(name, on: receiver, parts.map(inner))
    case .fileMethod(let name, let parts):
      return row.map { .boolean(holds(name, $0.entry, parts.map(inner))) } ?? .empty
    case .not(let part): return .boolean(!inner(part).isTrue)
    case .binary(.and, let one, let other): return .boolean(inner(one).isTrue && inner(other).isTrue)
    case .binary(.or, let one, let other): return .boolean(inner(one).isTrue || inner(other).isTrue)
    case .binary(let sign, let one, let other): return Self.result(sign, inner(one), inner(other))
    }
  }

  private func property(_ name: String, of row: BaseRow?) -> BaseValue {
    guard let note = row?.entry.note, let field = note.field(named: name) else { return .empty }
    return links.value(BaseValue.of(field.value), from: note.path)
  }

  private func value(of field: BaseFileField, _ entry: Entry) -> BaseValue {
    let path = String(decoding: entry.note.path, as: UTF8.self)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let dot = name.lastIndex(of: ".")
    switch field {
    case .file: return .link(BaseLink(text: entry.note.title, path: entry.note.path))
    case .path: return .text(path)
    case .name: return .text(name)
    case .basename: return .text(dot.map { String(name[..<$0]) } ?? name)
    case .ext: return .text(dot.map { String(name[name.index(after: $0)...]) } ?? "")
    case .folder: return .text(String(path.dropLast(min(path.count, name.count + 1))))
    case .size: return .number(Double(entry.note.byteCount))
    case .ctime: return .date(BaseDate(entry.created))
    case .mtime: return .date(BaseDate(snapshot.modified(entry)))
    case .tags: return .list(entry.note.tags.map { .text($0) })
    }
  }

  private func holds(_ name: String, _ entry: Entry, _ arguments: [BaseValue]) -> Bool {
    let texts = arguments.map(\.text)
    switch name {
    case "hasTag":
      let tags = entry.note.tags.map { Folding.fold($0) }
      return texts.contains { text in
        let wanted = Folding.fold(text.hasPrefix("#") ? String(text.dropFirst()) : text)
        return tags.contains { $0 == wanted || $0.hasPrefix(wanted + "/") }
      }
    case "inFolder":
      let folder = texts[0].split(separator: "/").joined(separator: "/")
      return folder.isEmpty || String(decoding: entry.note.path, as: UTF8.self).hasPrefix(folder + "/")
    case "hasProperty": return entry.note.field(named: texts[0]) != nil
    case "hasLink": return links.hasLink(entry.note.path, to: arguments[0])
    default: return false
    }
  }

  private func field(_ name: String, of value: BaseValue) -> BaseValue {
    switch (name, value) {
    case ("length", .text(let text)): return .number(Double(text.count))
    case ("length", .link(let link)): return .number(Double(link.text.count))
    case ("length", .list(let elements)): return .number(Double(elements.count))
    case (_, .date(let date)):
      let second = date.second ?? 0
      let parts = [
        "year": date.day.year, "month": date.day.month, "day": date.day.day, "hour": second / 3_600,
        "minute": second / 60 % 60, "second": second % 60,
      ]
      return parts[name].map { .number(Double($0)) } ?? .empty
    case (_, .duration(let duration)): return duration.count(of: name).map { .number($0) } ?? .empty
    // The difference of two dates is a number of milliseconds.
    case (_, .number(let number)):
      let duration = BaseDuration(months: 0, seconds: number / 1_000)
      return duration.count(of: name).map { .number($0) } ?? .empty
    default: return .empty
    }
  }

  private func call(
    _ name: String, _ parts: [BaseExpression], _ inner: (BaseExpression) -> BaseValue
  ) -> BaseValue {
    if name == "if" {
      if inner(parts[0]).isTrue { return inner(parts[1]) }
      return parts.count > 2 ? inner(parts[2]) : .empty
    }
    let values = parts.map(inner)
    switch name {
    case "now": return .date(now)
    case "today": return .date(BaseDate(now.day))
    case "date":
      if case .date = values[0] { return values[0] }
      return BaseDate(values[0].text).map { .date($0) } ?? .empty
    case "duration": return BaseDuration(values[0].text).map { .duration($0) } ?? .empty
    case "number":
      switch values[0] {
      case .number: return values[0]
      case .boolean(let value): return .number(value ? 1 : 0)
      case .date(let date): return .number(Double(date.seconds) * 1_000)
      default: return BaseValue.numeric(values[0].text).map { .number($0) } ?? .empty
      }
    case "list":
      if case .list = values[0] { return values[0] }
      return .list(values[0] == .empty ? [] : [values[0]])
    case "link": return .link(links.link(values[0], shown: values.count > 1 ? values[1].text : nil))
    default:
      let numbers = values.compactMap(\.number)
      guard numbers.count == values.count, let first = numbers.first else { return .empty }
      return .number(numbers.reduce(first) { name == "min" ? min($0, $1) : max($0, $1) })
    }
  }

  private func fold(
    _ name: String, _ elements: [BaseValue], _ parts: [BaseExpression],
    _ value: (BaseExpression, Variables) -> BaseValue
  ) -> BaseValue {
    var (list, result): ([BaseValue], BaseValue) = ([], name == "reduce" ? value(parts[1], [:]) : .empty)
    for (index, element) in elements.enumerated() {
      var variables: Variables = ["value": element, "index": .number(Double(index))]
      if name == "reduce" { variables["acc"] = result }
      let found = value(parts[0], variables)
      switch name {
      case "map": list.append(found)
      case "filter": if found.isTrue { list.append(element) }
      default: result = found
      }
    }
    return name == "reduce" ? result : .list(list)
  }

  private static func result(_ sign: BaseOperator, _ one: BaseValue, _ other: BaseValue) -> BaseValue {
    switch sign {
    case .equal: return .boolean(BaseFunctions.isEqual(one, other))
    case .unequal: return .boolean(!BaseFunctions.isEqual(one, other))
    case .less: return .boolean(BaseFunctions.isLess(one, other) ?? false)
    case .greater: return .boolean(BaseFunctions.isLess(other, one) ?? false)
    case .atMost: return .boolean(BaseFunctions.isLess(other, one).map { !$0 } ?? false)
    case .atLeast: return .boolean(BaseFunctions.isLess(one, other).map { !$0 } ?? false)
    case .and, .or: return .empty
    case .plus, .minus, .times, .by, .modulo: return arithmetic(sign, one, other)
    }
  }

  private static func arithmetic(_ sign: BaseOperator, _ one: BaseValue, _ other: BaseValue) -> BaseValue {
    switch (one, other) {
    case (.number(let one), .number(let other)):
      switch sign {
      case .plus: return .number(one + other)
      case .minus: return .number(one - other)
      case .times: return .number(one * other)
      case .by: return other == 0 ? .empty : .number(one / other)
      default: return other == 0 ? .empty : .number(one.truncatingRemainder(dividingBy: other))
      }
    case (.date(let one), .date(let other)) where sign == .minus:
      return .number(Double(one.seconds - other.seconds) * 1_000)
    case (.date(let date), .text(let text)):
      guard sign == .plus || sign == .minus, let duration = BaseDuration(text) else {
        return sign == .plus ? BaseFunctions.limited(date.text + text) : .empty
      }
      return date.adding(duration, times: sign == .plus ? 1 : -1).map { .date($0) } ?? .empty
    case (.date(let date), .duration(let duration)) where sign == .plus || sign == .minus:
      return date.adding(duration, times: sign == .plus ? 1 : -1).map { .date($0) } ?? .empty
    case (.duration(let duration), .number(let number)) where sign == .times && number.magnitude < 1e6:
      let months = Double(duration.months) * number
      guard months.magnitude < 1e6 else { return .empty }
      return .duration(BaseDuration(months: Int(months), seconds: duration.seconds * number))
    case (_, _) where sign == .plus && (one.isText || other.isText):
      return BaseFunctions.limited(one.text + other.text)
    default: return .empty
    }
  }
}
