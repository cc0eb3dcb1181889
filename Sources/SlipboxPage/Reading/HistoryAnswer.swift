import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// What was done to a note, or to the box, newest first.
enum HistoryAnswer {
  private static let most = 500

  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let snapshot = moment.snapshot
    var filter = HistoryFilter(
      clock: snapshot.clock, field: try call.argument("field"), wantsChanges: true)
    let caller = call.caller
    filter.isWanted = { !caller.isGone }
    let limit = try call.number("limit", else: 50, most: most)
    var entries: [HistoryEntry] = []
    let visit = { (entry: HistoryEntry) throws(SlipboxError) -> Bool in
      entries.append(entry)
      return true
    }
    if let ref = try call.argument("ref"), !ref.isEmpty {
      try snapshot.visitHistory(of: [try note(ref, moment)], filter, limit: limit, visit)
    } else {
      try snapshot.visitHistory(filter, limit: limit, visit)
    }
    return .json(JSONDocument.list("entries", entries) { $0.write(to: &$1) })
  }

  /// The note of a name, also one that was deleted.
  static func note(_ ref: String, _ moment: PageMoment) throws -> PastNote {
    do {
      let note = try moment.snapshot.entry(namedByPage: ref).note
      return PastNote(path: note.path, id: note.id)
    } catch let error as SlipboxError {
      guard error.kind == .notFound, let entry = try moment.deleted()?.entry(named: ref) else { throw error }
      return PastNote(path: entry.note.path, id: entry.note.id)
    }
  }
}
