package import NoteIndex
import Notes

extension BoxSnapshot {
  /// The records that refer to each of some records, newest first.
  ///
  /// - Complexity: that of `RecordTable.referrers(reachedFrom:)`.
  package func referrers(of entries: [Entry]) throws(SlipboxError) -> [[Entry]] {
    let table = RecordTable(of: try catalogue().entries, schema(), executor: Self.executor)
    let records = table.referrers(reachedFrom: entries)
    return entries.map { entry in
      var seen: Set<[UInt8]> = []
      return (records[entry.note.path] ?? []).map(\.referrer).filter { seen.insert($0.note.path).inserted }
    }
  }
}
