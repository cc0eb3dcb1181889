import NoteIndex
import Notes
import Synchronization

/// The numbers of records that refer to others; counted for the first record whose kind shows them.
final class ReferrerCounts: Sendable {
  private let entries: Entries
  private let schema: Schema
  private let counting: Set<String>
  private let titles = Mutex<RecordTitles?>(nil)

  init(_ entries: Entries, _ schema: Schema) {
    self.entries = entries
    self.schema = schema
    counting = Set(schema.kinds.filter { $0.row.contains(where: \.isCount) }.map(\.name))
  }

  /// The kinds that a record's row counts, each with the number of records of it that refer to this one.
  func counts(for entry: Entry) -> [(kind: String, count: Int)] {
    guard counting.contains(entry.kind) else { return [] }
    let known = titles.withLock { titles in
      let known = titles ?? RecordTitles(entries, schema)
      titles = known
      return known
    }
    return known.counts(for: entry)
  }
}

extension RowColumn {
  /// Whether the column shows a number of records.
  var isCount: Bool {
    if case .count = content { true } else { false }
  }
}
