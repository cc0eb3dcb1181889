import Git
import NoteIndex
import Notes
import Platform
import Text

/// The number of notes that matched at one moment.
struct ChartCount: Sendable {
  /// The reason why the query could not be answered at a moment.
  enum Fault: Sendable {
    /// The query is invalid there: it names a kind, a filter or a note that did not exist yet.
    case query(QueryError)
    case refused(SlipboxError)
    /// The settings of the box could not be read.
    case settings(SlipboxError)
  }

  var total = 0
  /// Whether the notes have a total; an average without values has none.
  var hasTotal = true
  var counts: [ChartValue: Int] = [:]
  /// The texts of the values.
  var names: [ChartValue: String] = [:]
  /// For each value, whether the first note with it was active.
  var areActive: [ChartValue: Bool] = [:]
  /// The kinds of the counted notes.
  var kinds: Set<String> = []
  /// The table of the moment, if one was requested.
  var table: NoteTable?
  var unreadable: [UnreadableNote] = []
  var fault: Fault?

  init() {}

  init(_ fault: Fault) { self.fault = fault }

  /// Counts a note with its values.
  mutating func add(_ values: [ChartValue: String]) {
    total += 1
    for (value, text) in values {
      counts[value, default: 0] += 1
      names[value] = text
    }
  }
}

/// Counts the notes of one moment after another, and reuses the results of unchanged notes.
///
/// It has a repository of its own, so that several counters work in parallel; each belongs to one thread.
final class ChartCounter {
  private let box: Box
  private let context: CommandContext
  private let request: ChartRequest
  private let shared = SharedNotes()
  private var known: KnownValues
  private var last: (commit: ObjectID, count: ChartCount)?

  /// - Parameter context: the environment; warnings about the past are not reported through it.
  init(_ box: Box, _ context: CommandContext, _ request: ChartRequest) throws(SlipboxError) {
    self.box = try Box(at: box.root)
    self.context = context
    self.request = request
    known = KnownValues(field: request.field)
  }

  /// Returns the count of a moment.
  func count(at moment: ChartMoment) throws(SlipboxError) -> ChartCount {
    guard let commit = moment.commit else { return ChartCount() }
    if let last, last.commit == commit { return last.count }
    last = nil
    let snapshot: BoxSnapshot
    do throws(SlipboxError) {
      snapshot = try CommitReader(box, context.at(moment.clock)).snapshot(of: commit, sharing: shared)
    } catch {
      guard error.kind == .configuration else { throw error }
      return ChartCount(.settings(error))
    }
    let query: Query
    let unread = snapshot.unreadCount
    do throws(QueryError) { query = try snapshot.query(request.query) } catch {
      // A failure to read the notes is not a fault of the query.
      try snapshot.refuseUnreadNotes(since: unread)
      return ChartCount(.query(error))
    }
    var count: ChartCount
    do throws(SlipboxError) {
      count = try snapshot.texts.answer { () throws(SlipboxError) in try self.count(query, in: snapshot) }
    } catch {
      guard [.usage, .notFound, .badData].contains(error.kind) else { throw error }
      return ChartCount(.refused(error))
    }
    count.unreadable = try snapshot.unreadableNotes()
    if !query.mayDependOnTime, !snapshot.kindMatcher().mayMatch { last = (commit, count) }
    return count
  }

  private func count(_ query: Query, in snapshot: BoxSnapshot) throws(SlipboxError) -> ChartCount {
    if let table = request.table {
      var result = ChartCount()
      result.table = try NoteTable(try snapshot.matches(table.ordering(query)), table, in: snapshot)
      return result
    }
    if let column = request.column { return try aggregate(column, query, in: snapshot) }
    var result = ChartCount()
    guard request.field != nil else {
      result.total = try snapshot.count(query)
      return result
    }
    var query = query
    // The order of a kind is slow, and it only matters if there is a limit.
    if query.limit == nil { query.sort = [SortKey(field: "created", descending: true)] }
    let matches = try snapshot.matches(query)
    try known.begin(snapshot)
    for match in matches { known.add(match, to: &result) }
    return result
  }

  /// Returns the aggregate of all notes, and of the notes with each value of the field.
  private func aggregate(
    _ column: TableColumn, _ query: Query, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> ChartCount {
    let matches = try snapshot.matches(query)
    let reader = try TableAggregates([column], of: matches, in: snapshot)
    let value = { (matches: [Match]) -> Int? in
      guard let number = reader.aggregate(column.expression, of: matches)?.number,
        number.magnitude < 1e12
      else { return nil }
      return Int((number * Double(Chart.unitsOfAggregates)).rounded())
    }
    var result = ChartCount()
    let total = value(matches)
    (result.total, result.hasTotal) = (total ?? 0, total != nil)
    guard request.field != nil else { return result }
    var groups: [ChartValue: [Match]] = [:]
    try known.begin(snapshot)
    for match in matches {
      var one = ChartCount()
      known.add(match, to: &one)
      for value in one.counts.keys { groups[value, default: []].append(match) }
      result.names.merge(one.names) { $1 }
      result.areActive.merge(one.areActive) { first, _ in first }
      result.kinds.formUnion(one.kinds)
    }
    result.counts = groups.mapValues { value($0) ?? 0 }
    return result
  }
}

extension CommandContext {
  /// Returns the same environment at another time, and without warnings.
  func at(_ clock: ClockReading) -> CommandContext {
    CommandContext(
      clock: clock, workingDirectory: workingDirectory, configurationFolder: configurationFolder,
      boxVariable: boxVariable, device: device, ids: ids, reporter: Reporter(warn: { _ in }))
  }
}

/// A value by which notes are split into series.
enum ChartValue: Hashable, Sendable {
  case absent
  /// A text, by its key, which ignores case and accents.
  case text(key: String)
  /// A tag, by its key, which ignores case.
  case tag(String)
  /// A record of a kind, by the name that references use.
  case record(kind: String, name: String)
}

extension ChartValue {
  static func text(_ text: String) -> ChartValue { .text(key: Folding.fold(text)) }
}

/// Reads the values of one field from notes, according to their kinds.
struct ChartValues {
  let field: String
  let schema: Schema

  /// Returns the values of a note, each with its text: all of a list, and the kind's default of a missing field. If there
  /// is no default, the value is `absent`.
  func values(of entry: Entry) -> [ChartValue: String] {
    if field.isSameName(as: "kind") { return [.text(entry.kind): entry.kind] }
    let kind = schema.kindOrPlain(named: entry.kind)
    var values: [ChartValue: String] = [:]
    let declared = kind.field(field)
    let earlier = declared.map { kind.earlierValues(of: $0, in: entry.note) } ?? []
    for (value, text) in earlier.compactMap({ value in declared.map { element(value, $0) } }) {
      values[value] = text
    }
    if let declared, let value = kind.value(of: field, in: entry.note) {
      for (value, text) in elements(of: value).map({ element($0, declared) }) { values[value] = text }
    } else if field.isSameName(as: "created") {
      let day = entry.created.civilDate.description
      values[.text(day)] = day
    } else {
      // A value that its kind does not allow is shown as it is written.
      let written = entry.note.frontMatter.fields.first { $0.name.isSameName(as: field) }?.value.strings ?? []
      for text in written where !text.isEmpty { values[.text(text)] = text }
    }
    return values.isEmpty ? [.absent: ""] : values
  }

  private func elements(of value: TypedValue) -> [TypedValue] {
    if case .list(let elements) = value { return elements }
    return [value]
  }

  private func element(_ value: TypedValue, _ declared: Field) -> (ChartValue, String) {
    switch value {
    case .reference(let name):
      return (.record(kind: declared.target ?? "", name: name), name)
    case .moment(let stamp, _):
      let day = stamp.civilDate.description
      return (.text(day), day)
    case .text(let text) where declared.type == .tags:
      return (.tag(TagName.key(text)), text)
    default:
      let text = declared.written(value)
      return text.isEmpty ? (.absent, "") : (.text(text), text)
    }
  }
}

extension Kind {
  /// Returns whether a field decides if a record is active.
  func tellsActivity(_ field: Field) -> Bool {
    [.choice, .boolean].contains(field.type)
      && (active ?? "").split { " ()".contains($0) }.contains { $0.hasPrefix("\(field.name):") }
  }
}

/// A cache of the values of stored notes, from one moment to the next.
struct KnownValues {
  /// A file of a note.
  private struct File: Hashable {
    let path: [UInt8]
    let content: ContentID
  }

  /// A stored note with its values.
  private struct Known {
    let kind: String
    let values: [ChartValue: String]
  }

  private let field: String?
  private var schema: Schema?
  private var active: ActiveTest?
  private var kept: KeptCatalogue?
  /// Whether the values of a note depend only on the note itself.
  private var areLasting = false
  private var known: [File: Known] = [:]

  init(field: String?) { self.field = field }

  /// Begins with the notes of another snapshot; if its kinds differ, the cache is emptied.
  mutating func begin(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    let next = snapshot.schema()
    if next.kinds != schema?.kinds { known = [:] }
    schema = next
    active = ActiveTest(.open, schema: next, clock: snapshot.clock)
    kept = try snapshot.contents().kept
    areLasting = !snapshot.kindMatcher().mayMatch
  }

  /// Counts a note.
  mutating func add(_ match: Match, to count: inout ChartCount) {
    guard let field, let schema else { return }
    let file = areLasting ? file(of: match) : nil
    if let file, let known = known[file], known.values.keys.allSatisfy({ count.areActive[$0] != nil }) {
      count.kinds.insert(known.kind)
      count.add(known.values)
      return
    }
    let entry = match.entry
    let values = ChartValues(field: field, schema: schema).values(of: entry)
    for value in values.keys where count.areActive[value] == nil {
      count.areActive[value] = active?.isActive(entry) ?? true
    }
    count.kinds.insert(entry.kind)
    count.add(values)
    if let file { known[file] = Known(kind: entry.kind, values: values) }
  }

  /// Returns the file of a stored note; nil for a note that is in memory already.
  private func file(of match: Match) -> File? {
    guard let kept, let number = match.entries.storedNumber(at: match.place) else { return nil }
    let row = kept.snapshot.file(ofDocument: number)
    return File(path: kept.table.path(of: row), content: kept.snapshot.content(ofFile: row))
  }
}
