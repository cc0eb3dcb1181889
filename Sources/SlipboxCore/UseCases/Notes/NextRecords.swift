import Bytes
import NoteIndex
import Notes
import Text

/// The records that come next after those that a plan finishes, in files of their own and the same commit.
///
/// The id of one follows from the record before it alone: two devices that finish that one in the same month make the same
/// file, which a merge puts together, and one that was made already is not made again.
final class NextRecords {
  private struct Place {
    let record: Note
    let path: [UInt8]
    var answer: Succeeding?
    /// The note at the path, and whether it was made.
    var note: Note?
    var isMade = false
  }

  private let snapshot: BoxSnapshot
  private var places: [Place] = []

  init(_ snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The results of the applied plan.
  var outcomes: [NextRecord] {
    places.compactMap { place in
      switch place.answer {
      case nil: return nil
      case .over?: return .over(place.record)
      case .by(let successor)?:
        return place.note.map { note in
          place.isMade ? .made(note, day: successor.day, skipped: successor.skipped) : .there(note)
        }
      }
    }
  }

  /// The paths of the files that may be made.
  var paths: Set<[UInt8]> { Set(places.map(\.path)) }
}

extension NextRecords {
  /// Adds a record that changes may finish.
  ///
  /// - Returns: a recorder of the requested successions, and the edit that creates the file of the next record; nil for a
  ///   record whose kind creates none.
  /// - Throws: `.cannotCreate` if the file of the next record can't be created.
  func begin(
    _ entry: Entry, _ changes: [Change]
  ) throws(SlipboxError) -> (note: (Succeeding?) -> Void, edit: FileEdit)? {
    guard makesNext(entry, changes) else { return nil }
    let id = NoteID.next(after: entry.name)
    let known = try CreateNote(in: snapshot).isTaken(id) ? try snapshot.catalogue().entry(id: id)?.note : nil
    let path = if let known { known.path } else { try path(of: entry, id) }
    if known == nil { try CreateNote(in: snapshot).refuseAsNewFile(path) }
    let number = places.count
    places.append(Place(record: entry.note, path: path))
    let edit = FileEdit(path: path) { [self] bytes throws(SlipboxError) in
      guard case .by(let successor)? = places[number].answer else { return bytes }
      let text = if let bytes { NoteText(bytes) } else { try text(of: successor, id) }
      places[number].note = Note(path: path, text: text)
      places[number].isMade = bytes == nil
      return text.bytes
    }
    return ({ [self] in places[number].answer = $0 }, edit)
  }

  /// Whether another record is made of one: the record says how often, or is about to.
  private func makesNext(_ entry: Entry, _ changes: [Change]) -> Bool {
    let kind = snapshot.schema().kindOrPlain(named: entry.kind)
    let successions = kind.transitions.flatMap(\.effects).compactMap { effect -> Succession? in
      if case .next(let succession) = effect { succession } else { nil }
    }
    return successions.contains { succession in
      changes.contains { $0.fieldName.isSameName(as: succession.by) }
        || kind.value(of: succession.by, in: entry.note) != nil
    }
  }

  /// The path of the next record, as for every new note that takes text of another one.
  private func path(of entry: Entry, _ id: NoteID) throws(SlipboxError) -> [UInt8] {
    let head = NoteText(fields: [("title", .text(entry.note.title))], body: [])
    return try PlaceNote(in: snapshot).path(of: Note(path: [], text: head), id: id, from: entry.note)
  }

  private func text(of successor: Successor, _ id: NoteID) throws(SlipboxError) -> NoteText {
    do throws(EditError) {
      return try successor.text.setting("id", to: .text(id.description), order: fieldOrder)
        .setting("created", to: .text(snapshot.clock.now.rfc3339), order: fieldOrder)
    } catch {
      throw SlipboxError(error, note: "the next record")
    }
  }
}
