import Git
import NoteIndex
package import Notes
import Platform
import Synchronization
import Text

/// Creates charts: counts the notes of commits, one commit for each moment.
///
/// ```swift
/// let chart = try ChartReader(box, context).chart(ChartRequest(query: ["kind:issue"], field: "status"))
/// ```
/// The count of a moment is that of `list` in a checkout of its commit, on its day. Uncommitted changes do not count.
package struct ChartReader: Sendable {
  private let box: Box
  private let context: CommandContext

  package init(_ box: Box, _ context: CommandContext) {
    self.box = box
    self.context = context
  }

  /// Answers the request for a chart.
  ///
  /// The count is 0 at a moment at which the query names something that did not exist yet.
  /// - Throws: `QueryError` if the query is valid at no moment, `SlipboxError` for invalid days and for objects that
  ///   can't be read.
  /// - Complexity: linear in the notes of each moment; only changed notes are read.
  package func chart(_ request: ChartRequest) throws -> Chart {
    let (moments, counts) = try read(request)
    let names = try recordTitles(counts, moments.moments)
    let schema = try schema(of: moments.moments.last)
    let order = ChartOrder(counts, request.field, schema, titles: names)
    return Chart(
      query: request.query.joined(separator: " "), field: request.field, column: request.column?.text,
      step: moments.step, series: order.series,
      points: zip(moments.moments, counts).map { moment, count in
        Chart.Point(
          day: moment.day, commit: moment.commit, total: count.total, counts: order.counts(of: count),
          hasTotal: count.hasTotal)
      }, isCut: moments.isCut)
  }

  /// Returns the tables of all moments from the first commit on.
  ///
  /// A moment at which the query or a column names something that did not exist yet has no table.
  /// - Throws: as `chart`.
  package func tables(_ request: ChartRequest) throws -> (tables: [PastTable], isCut: Bool) {
    let (moments, counts) = try read(request)
    let tables = zip(moments.moments, counts).compactMap { moment, count in
      count.table.map { PastTable(day: moment.day, table: $0) }
    }
    return (tables, moments.isCut)
  }

  private func read(_ request: ChartRequest) throws -> (ChartMoments, [ChartCount]) {
    let line = try CommitLine(of: box, context).commits
    let isShallow = box.isShallow
    let moments = try ChartMoments(
      request, line, isShallow: isShallow, beginsWithNotes: try beginsWithNotes(line), clock: context.clock)
    let counts = try self.counts(moments.moments, request)
    try refuseFaults(counts, moments.moments, request)
    warn(of: counts, moments.moments)
    return (moments, counts)
  }

  /// Returns whether the first commit adopted a folder with notes.
  private func beginsWithNotes(_ line: [DatedCommit]) throws(SlipboxError) -> Bool {
    guard let first = line.last else { return false }
    let commit = try box.git { repository throws(GitError) in try repository.read(first.id) }
    return OperationTrailers.adoptsNotes(commit)
  }

  /// Returns the counts of moments; another thread counts the earlier half.
  private func counts(
    _ moments: [ChartMoment], _ request: ChartRequest
  ) throws(SlipboxError) -> [ChartCount] {
    let progress = ChartProgress(total: moments.count, context.reporter)
    let middle = moments.count / 2
    let count: @Sendable (ArraySlice<ChartMoment>) -> Result<[ChartCount], SlipboxError> = { [self] part in
      guard !part.isEmpty else { return .success([]) }
      do throws(SlipboxError) {
        let counter = try ChartCounter(box, context, request)
        var counts: [ChartCount] = []
        for moment in part {
          counts.append(try counter.count(at: moment))
          progress.advance()
        }
        return .success(counts)
      } catch {
        return .failure(error)
      }
    }
    let earlier = BackgroundTask { count(moments[..<middle]) }
    let later = count(moments[middle...])
    return try earlier.value.get() + later.get()
  }

  /// Throws the fault of the last moment if all moments have faults.
  private func refuseFaults(
    _ counts: [ChartCount], _ moments: [ChartMoment], _ request: ChartRequest
  ) throws {
    let asked = zip(counts, moments).filter { $0.1.commit != nil }.map(\.0)
    // Without any commit the query is parsed anyway, to report its faults.
    if asked.isEmpty { _ = try Query.parse(request.query, clock: context.clock) }
    guard let fault = asked.last?.fault, asked.allSatisfy({ $0.fault != nil }) else { return }
    switch fault {
    case .query(let error): throw error
    case .refused(let error), .settings(let error): throw error
    }
  }

  private func warn(of counts: [ChartCount], _ moments: [ChartMoment]) {
    for (count, moment) in zip(counts, moments) {
      guard case .settings(let error)? = count.fault else { continue }
      context.reporter.warnOnce("\(moment.day) is not counted: \(error.message)")
      break
    }
    if let last = Array(zip(counts, moments)).last(where: { $0.0.fault != nil && $0.1.commit != nil }),
      case .query(let error)? = last.0.fault
    {
      context.reporter.warn(
        "no notes are counted up to \(last.1.day): \(error.message) at that time; "
          + "each date uses its own kinds and filters"
      )
    }
    var seen: Set<[UInt8]> = []
    for note in counts.flatMap(\.unreadable) where seen.insert(note.path).inserted {
      context.reporter.warnOnce(
        "\(note.path) could not be read at some dates and is not counted: \(note.reason)")
    }
  }

  /// Returns the present titles of records, or those that they had when they were last counted.
  private func recordTitles(
    _ counts: [ChartCount], _ moments: [ChartMoment]
  ) throws(SlipboxError) -> [ChartValue: String] {
    var left = Set(
      counts.flatMap(\.counts.keys).filter { if case .record = $0 { true } else { false } })
    var titles: [ChartValue: String] = [:]
    for (count, moment) in zip(counts, moments).reversed() where !left.isEmpty {
      guard let commit = moment.commit, !left.isDisjoint(with: count.counts.keys) else { continue }
      let snapshot = try CommitReader(box, context.at(moment.clock)).snapshot(of: commit)
      let (schema, catalogue) = (snapshot.schema(), try snapshot.catalogue())
      let keys = RecordKeys(schema)
      for case .record(let kind, let name) in left {
        guard let target = schema.kind(named: kind),
          case .found(let entry) = catalogue.resolve(name, .field(target), keys: keys)
        else { continue }
        titles[.record(kind: kind, name: name)] = entry.note.title
        left.remove(.record(kind: kind, name: name))
      }
      // Deleted records are looked up once more, at the moment at which they were last counted.
      left.subtract(count.counts.keys)
    }
    return titles
  }

  /// Returns the kinds of the last moment.
  private func schema(of moment: ChartMoment?) throws(SlipboxError) -> Schema {
    guard let moment, let commit = moment.commit else { return .builtIn }
    do throws(SlipboxError) {
      return try CommitReader(box, context.at(moment.clock)).snapshot(of: commit).schema()
    } catch {
      guard error.kind == .configuration else { throw error }
      return .builtIn
    }
  }
}

/// The table of one moment of history.
package struct PastTable: Sendable {
  /// The day at whose end the table was valid.
  package let day: CivilDate
  package let table: NoteTable
}

/// Reports the number of counted moments, from several threads.
private final class ChartProgress: Sendable {
  private let done = Mutex(0)
  private let total: Int
  private let reporter: Reporter

  init(total: Int, _ reporter: Reporter) {
    self.total = total
    self.reporter = reporter
  }

  func advance() {
    let done = done.withLock { done in
      done += 1
      return done
    }
    reporter.report(.reading, done, of: total)
  }
}

/// The series of a chart, from the bottom of the stack, with the values that belong to each.
struct ChartOrder {
  /// The maximum number of values with a series of their own if they have no declared order; the rest is one series.
  private static let mostValues = 7
  private static let otherName = "other"

  private(set) var series: [Chart.Series] = []
  /// The place of each value's series; nil if all notes are one series.
  private var places: [ChartValue: Int]?

  /// - Parameter titles: the titles of the records that values name.
  init(_ counts: [ChartCount], _ field: String?, _ schema: Schema, titles: [ChartValue: String]) {
    guard let field else {
      series = [Chart.Series("")]
      return
    }
    var sums: [ChartValue: Int] = [:]
    var names: [ChartValue: String] = [:]
    var areActive: [ChartValue: Bool] = [:]
    for count in counts {
      sums.merge(count.counts, uniquingKeysWith: +)
      names.merge(count.names) { $1 }
      areActive.merge(count.areActive) { $1 }
    }
    names.merge(titles) { $1 }
    let kinds = counts.reduce(into: Set<String>()) { $0.formUnion($1.kinds) }
    let declared = Self.declared(field, schema, kinds)
    var order: [ChartValue: Int] = [:]
    for (place, value) in declared.values.enumerated() { order[.text(value)] = place }
    let values = sums.keys.filter { $0 != .absent }.sorted { left, right in
      let (first, second) = (order[left] ?? .max, order[right] ?? .max)
      if first != second { return first < second }
      let (one, other) = (sums[left] ?? 0, sums[right] ?? 0)
      return one != other ? one > other : (names[left] ?? "") < (names[right] ?? "")
    }
    places = [:]
    let isOrdered = !declared.values.isEmpty
    let shown = isOrdered || values.count <= Self.mostValues + 1 ? values.count : Self.mostValues
    for value in values.prefix(shown) {
      let isHighest = declared.highest.map { value == .text($0) } ?? false
      let isOver = declared.tellsActivity && areActive[value] == false
      add(value, names[value] ?? "", isOver ? .over : isHighest ? .highest : .plain)
    }
    if values.count > shown {
      for value in values.dropFirst(shown) { places?[value] = series.count }
      series.append(Chart.Series(Self.otherName, .other))
    }
    if sums[.absent] != nil { add(.absent, "no \(field)", .absent) }
  }

  private mutating func add(_ value: ChartValue, _ name: String, _ meaning: Chart.Series.Meaning) {
    places?[value] = series.count
    series.append(Chart.Series(name, meaning))
  }

  /// Returns the counts of the series at a moment.
  func counts(of count: ChartCount) -> [Int] {
    guard let places else { return [count.total] }
    var counts = [Int](repeating: 0, count: series.count)
    for (value, number) in count.counts { if let place = places[value] { counts[place] += number } }
    return counts
  }
}

extension ChartOrder {
  /// Returns the order of a field's values, and their meaning, according to the kinds that declare it.
  private static func declared(
    _ field: String, _ schema: Schema, _ kinds: Set<String>
  ) -> (values: [String], highest: String?, tellsActivity: Bool) {
    var values: [String] = []
    var highest: String?
    var tellsActivity = false
    for kind in schema.kinds where kinds.contains(kind.name) {
      guard let declared = kind.fields.first(where: { $0.name.isSameName(as: field) }) else { continue }
      if kind.tellsActivity(declared) { tellsActivity = true }
      guard declared.type == .choice else { continue }
      for value in declared.values where !values.contains(value) { values.append(value) }
      if !kind.tellsActivity(declared), declared.values.count > 2 { highest = declared.values.last }
    }
    return (values, highest, tellsActivity)
  }
}
