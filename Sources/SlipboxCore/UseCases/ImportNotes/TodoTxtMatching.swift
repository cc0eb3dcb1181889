import Foreign
import NoteIndex
import Notes

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
