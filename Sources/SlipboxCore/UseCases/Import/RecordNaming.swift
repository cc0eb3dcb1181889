import Foreign
import NoteIndex
import Notes

/// Gives the records of a file their ids, and finds the notes of the box that they are.
///
/// An id follows from the name of the record in its source: the same record has the same id on every device, and is found
/// again when it is imported once more.
final class RecordNaming {
  /// The id of a record, and its note.
  struct Named {
    let id: NoteID?
    let existing: Entry?
    /// Whether another record of the file has the id.
    var isTaken = false
    /// Whether the note says the same as the record: there is nothing to bring up to date.
    var isSame = false
  }

  private let planning: ImportPlanning
  private let count: Int
  private var given: Set<NoteID> = []
  /// Finds the records of todo.txt; nil for other formats.
  private let lines: TodoTxtMatching?
  /// The records in an export of the box, by their names for taskwarrior.
  private let exported: [String: ForeignRecord]
  private let sources: Set<String>
  /// The records of the box by the names that taskwarrior has for them; nil before the first use.
  private var tasks: [String: Entry]?
  /// The recurring tasks of taskwarrior of which the box has instances; nil before the first use.
  private var series: Set<String>?

  init(_ planning: ImportPlanning, _ file: ImportRequest.File) throws(SlipboxError) {
    self.planning = planning
    count = file.contents.records.count
    lines =
      file.format == .todoTxt
      ? try TodoTxtMatching(file.contents.records, planning.snapshot, taken: planning.met) : nil
    let records =
      file.format == .taskwarrior ? try planning.request.exported(planning.snapshot, file.format) : []
    exported = Dictionary(
      records.compactMap { record in record.text(of: "uuid").map { ($0, record) } },
      uniquingKeysWith: { first, _ in first })
    sources = Set(file.contents.records.map(\.sourceName))
  }

  /// The id of a record and its note of the box.
  ///
  /// - Parameter index: the place of the record in its file.
  func name(_ record: ForeignRecord, at index: Int) -> Named {
    if let match = lines?.matches[index] {
      if let id = match.entry.note.id { given.insert(id) }
      return Named(id: match.entry.note.id, existing: match.entry, isSame: match.isSame)
    }
    let catalogue = planning.catalogue
    if record.goesByPath {
      return Named(id: nil, existing: record.path.flatMap { catalogue.entry(path: $0) })
    }
    if let id = record.id {
      return Named(id: id, existing: catalogue.entry(id: id), isTaken: !given.insert(id).inserted)
    }
    if let existing = task(of: record), let id = existing.note.id {
      let isTaken = !given.insert(id).inserted
      return Named(id: id, existing: existing, isTaken: isTaken, isSame: !isTaken && isExported(record))
    }
    var number = 1
    while true {
      let suffix = number == 1 ? "" : " again \(number)"
      let id = NoteID.computed(from: record.sourceName + suffix)
      number += 1
      let existing = catalogue.entry(id: id)
      // Two names may come to one id: of many records by chance.
      if let existing, !isSame(existing, record) { continue }
      guard given.insert(id).inserted else { continue }
      return Named(id: id, existing: existing)
    }
  }

  /// Whether an export of the box has the same content, apart from references to records that the file does not have.
  private func isExported(_ record: ForeignRecord) -> Bool {
    guard let uuid = record.text(of: "uuid"), let own = exported[uuid] else { return false }
    return record.saysTheSame(as: own, among: sources)
  }

  /// The record of the box that taskwarrior has under a name of its own, given by an export or an import.
  private func task(of record: ForeignRecord) -> Entry? {
    guard record.proof == "uuid", let uuid = record.text(of: "uuid") else { return nil }
    return task(uuid: uuid)
  }

  /// The record of the box that a name of taskwarrior's means.
  ///
  /// - Complexity: O(n) in the notes of the box, once.
  func task(uuid: String) -> Entry? {
    if let entry = planning.catalogue.entry(id: NoteID.computed(from: "taskwarrior \(uuid)")),
      entry.note.frontMatter["uuid"]?.text.map({ $0 == uuid }) ?? true
    {
      return entry
    }
    if tasks == nil {
      tasks = Dictionary(openable.map { (NoteUUID.of($0.note), $0) }, uniquingKeysWith: { first, _ in first })
    }
    return tasks?[uuid.lowercased()]
  }

  /// Whether a record is a recurring task that is not in the box, which has instances of it: slip creates the next of them.
  ///
  /// - Complexity: O(n) in the notes of the box, once.
  func hasInstances(of record: ForeignRecord) -> Bool {
    guard record.text(of: "taskwarrior-status") != nil, let uuid = record.text(of: "uuid"),
      task(uuid: uuid) == nil
    else { return false }
    let known = series ?? Set(openable.compactMap { $0.note.frontMatter["parent"]?.text })
    series = known
    return known.contains(uuid)
  }

  /// The records of the box that can be open.
  private var openable: [Entry] {
    planning.catalogue.entries.filter { planning.schema.kind(named: $0.kind)?.active != nil }
  }

  /// The record of the box that has a name in the source.
  func entry(named name: String) -> Entry? {
    let mark = "taskwarrior "
    if name.hasPrefix(mark), let task = task(uuid: String(name.dropFirst(mark.count))) { return task }
    return planning.catalogue.entry(id: NoteID.computed(from: name))
  }

  /// Whether a note does not differ from a record of the same id.
  private func isSame(_ entry: Entry, _ record: ForeignRecord) -> Bool {
    // A line that is no task of the box by its words is one by its id if that was given another title here.
    if lines != nil { return !planning.met.contains(entry.note.path) && entry.note.title != record.title }
    guard let field = record.proof, let own = record.text(of: field) else { return true }
    return entry.note.frontMatter[field]?.text.map { $0 == own } ?? true
  }

  /// The date of a record: its own, that of its note, else one just before the command, so that the records of a file keep
  /// their order.
  func created(_ record: ForeignRecord, _ existing: Entry?, at index: Int) -> String? {
    // A date that the note has from elsewhere than its field is not written.
    if let existing, let created = record.created, created.seconds == existing.created.seconds {
      let written = existing.note.frontMatter["created"]?.text
      if written.flatMap({ Timestamp.adopted($0) }) == nil { return written }
    }
    // A substitute for a missing date does not replace the date of a note.
    if let created = record.created, record.hasOwnDate || existing == nil { return created.rfc3339 }
    if let existing { return existing.note.frontMatter["created"]?.text }
    if record.goesByPath { return nil }
    let now = planning.snapshot.clock.now
    let (seconds, milliseconds) = (now.millisecondsSince1970 - Int64(count - index)).quotientAndRemainder(
      dividingBy: 1000)
    return Timestamp(seconds: seconds, offsetSeconds: now.offsetSeconds, milliseconds: Int(milliseconds))
      .rfc3339
  }
}

/// Finds the records of the box that the lines of a todo.txt are.
///
/// Lines are compared with those that an export writes: first as a whole, then without what finishing a task changes, then
/// by title and date of creation, then by title and marks, then by title alone.
struct TodoTxtMatching {
  /// A record of the box.
  struct Match {
    let entry: Entry
    /// Whether an export writes the line.
    let isSame: Bool
  }

  /// By the places of the lines in the file.
  private(set) var matches: [Int: Match] = [:]
  private var own: [String: [(entry: Entry, line: ForeignRecord)]] = [:]
  private var taken: Set<[UInt8]>

  /// - Parameter taken: the paths of records that another file has.
  /// - Complexity: O(n) in the notes of the box and the lines; quadratic in those of one title.
  init(_ lines: [ForeignRecord], _ snapshot: BoxSnapshot, taken: Set<[UInt8]>) throws(SlipboxError) {
    self.taken = taken
    let titles = Set(lines.compactMap(\.title))
    let tasks = try TodoTxtLines(snapshot)
    for entry in try snapshot.catalogue().entries {
      guard let task = tasks.task(of: entry) else { continue }
      let line = TodoTxtTasks.record(of: task.line, clock: snapshot.clock)
      guard let title = line.title, titles.contains(title) else { continue }
      own[title, default: []].append((entry, line))
    }
    guard !own.isEmpty else { return }
    match(lines) { $0.isSame(as: $1) }
    match(lines) { $0.hasSameWords(as: $1) && $0.isOfSameDay(as: $1) }
    match(lines) { $0.hasOwnDate && $0.isOfSameDay(as: $1) }
    match(lines) { !$0.hasOwnDate && Set($0.tags) == Set($1.tags) }
    match(lines) { !$0.hasOwnDate && $0.sharesMark(with: $1) }
    matchInOrder(lines)
  }

  private func rest(of title: String?) -> [(entry: Entry, line: ForeignRecord)] {
    title.flatMap { own[$0] }?.filter { !taken.contains($0.entry.note.path) } ?? []
  }

  private mutating func match(_ lines: [ForeignRecord], _ isMatch: (ForeignRecord, ForeignRecord) -> Bool) {
    for (index, line) in lines.enumerated() where matches[index] == nil {
      let fitting = rest(of: line.title).filter { isMatch(line, $0.line) }
      // The one that an import made of the line goes before others.
      let id = NoteID.computed(from: line.sourceName)
      guard let found = fitting.first(where: { $0.entry.note.id == id }) ?? fitting.first else { continue }
      take(found, for: line, at: index)
    }
  }

  /// Matches lines without a date of creation by their title, if as many lines as records are left: in the order of the
  /// lines and of creation.
  private mutating func matchInOrder(_ lines: [ForeignRecord]) {
    let open = lines.indices.filter { matches[$0] == nil }
    let counts = Dictionary(open.map { (lines[$0].title ?? "", 1) }, uniquingKeysWith: +)
    for (title, count) in counts {
      let rest = rest(of: title).reversed()
      let undated = open.filter { lines[$0].title == title && !lines[$0].hasOwnDate }
      guard rest.count == count, undated.count == count else { continue }
      for (index, record) in zip(undated, rest) { take(record, for: lines[index], at: index) }
    }
  }

  private mutating func take(
    _ found: (entry: Entry, line: ForeignRecord), for line: ForeignRecord, at index: Int
  ) {
    taken.insert(found.entry.note.path)
    matches[index] = Match(entry: found.entry, isSame: line.isSame(as: found.line))
  }
}

extension ForeignRecord {
  /// Whether a line says the same as another one; the order of its marks does not matter.
  fileprivate func isSame(as other: ForeignRecord) -> Bool {
    let (own, others) = (fields.map { Pair($0) }, other.fields.map { Pair($0) })
    return hasSameWords(as: other) && isOfSameDay(as: other) && Set(own) == Set(others)
  }

  /// Whether the words, the projects and the contexts are the same.
  fileprivate func hasSameWords(as other: ForeignRecord) -> Bool {
    title == other.title && group == other.group && Set(tags) == Set(other.tags)
  }

  /// Whether a project or a context is the same.
  fileprivate func sharesMark(with other: ForeignRecord) -> Bool {
    group != nil && group == other.group || !Set(tags).isDisjoint(with: other.tags)
  }

  /// Whether the day of creation is the same; a line without one fits every day.
  fileprivate func isOfSameDay(as other: ForeignRecord) -> Bool {
    !hasOwnDate || created?.civilDate == other.created?.civilDate
  }

  /// A field for a set.
  private struct Pair: Hashable {
    let name: String
    let text: String?

    init(_ field: (name: String, value: FieldValue)) { (name, text) = (field.name, field.value.text) }
  }
}
