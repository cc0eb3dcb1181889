import NoteIndex
import Notes

/// The counts that the rows of some kinds show, in words, for rows that all kinds share: `3 tasks`.
struct CountWords: Sendable {
  private let titles: RecordTitles?
  private let columns: [String: [RowColumn]]

  /// - Complexity: O(n) in all notes where one of the listed kinds has a count; else in the listed.
  ///
  /// - Parameter titles: gives the titles of all records, where they are needed.
  init(_ listed: [Entry], _ schema: Schema, titles: () -> RecordTitles) {
    var columns: [String: [RowColumn]] = [:]
    for kind in schema.kinds { columns[kind.name] = kind.row.filter(\.isCount) }
    let isNeeded = listed.contains { columns[$0.kind]?.isEmpty == false }
    self.columns = columns
    self.titles = isNeeded ? titles() : nil
  }

  /// How a record stands: its state, and its counts.
  func standing(of entry: Entry, _ state: RecordState) -> String {
    let counts = titles.map { titles in
      (columns[entry.kind] ?? []).map { column in
        column.text(counting: { titles.count(of: $0, referringTo: entry) })
      }
    }
    return ([state.word] + (counts ?? [])).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
