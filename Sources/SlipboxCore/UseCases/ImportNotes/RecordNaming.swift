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
  }

  private let planning: ImportPlanning
  private let count: Int
  private var given: Set<NoteID> = []

  init(_ planning: ImportPlanning, _ file: ImportRequest.File) {
    self.planning = planning
    count = file.contents.records.count
  }

  /// The id of a record and its note of the box.
  func name(_ record: ForeignRecord) -> Named {
    let catalogue = planning.catalogue
    if record.goesByPath {
      return Named(id: nil, existing: record.path.flatMap { catalogue.entry(path: $0) })
    }
    if let id = record.id {
      return Named(id: id, existing: catalogue.entry(id: id), isTaken: !given.insert(id).inserted)
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

  /// Whether nothing tells a note from a record of the same id.
  private func isSame(_ entry: Entry, _ record: ForeignRecord) -> Bool {
    guard let field = record.proof, let own = record.text(of: field) else { return true }
    return entry.note.frontMatter[field]?.text.map { $0 == own } ?? true
  }

  /// The date of a record: its own, that of its note, else one just before the command, so that the records of a file keep
  /// their order.
  func created(_ record: ForeignRecord, _ existing: Entry?, at index: Int) -> String? {
    if let created = record.created { return created.rfc3339 }
    if let existing { return existing.note.frontMatter["created"]?.text }
    if record.goesByPath { return nil }
    let now = planning.snapshot.clock.now
    let (seconds, milliseconds) = (now.millisecondsSince1970 - Int64(count - index)).quotientAndRemainder(
      dividingBy: 1000)
    return Timestamp(seconds: seconds, offsetSeconds: now.offsetSeconds, milliseconds: Int(milliseconds))
      .rfc3339
  }
}
