package import NoteIndex
import Notes

extension BoxSnapshot {
  /// The records that refer to each of some records, newest first.
  ///
  /// - Complexity: O(n) in the notes of the box, unless no kind has references to theirs.
  package func referrers(of entries: [Entry]) throws(SlipboxError) -> [[Entry]] {
    let schema = schema()
    guard entries.contains(where: { !schema.references(to: $0.kind).isEmpty }) else {
      return entries.map { _ in [] }
    }
    let records = RecordTable(of: try catalogue().entries, schema, executor: Self.executor).referrers()
    return entries.map { entry in
      var seen: Set<[UInt8]> = []
      return (records[entry.note.path] ?? []).map(\.referrer).filter { seen.insert($0.note.path).inserted }
    }
  }
}
