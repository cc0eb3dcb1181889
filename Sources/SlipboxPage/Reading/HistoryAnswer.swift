import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The operations on a note, or on the box, newest first.
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
      try BoxHistory(of: snapshot).visit(of: [try note(ref, moment, call)], filter, limit: limit, visit)
    } else {
      try BoxHistory(of: snapshot).visit(filter, limit: limit, visit)
    }
    return .json(JSONDocument.list("entries", entries) { $0.write(to: &$1) })
  }

  /// The note of a name, also one that was deleted.
  static func note(_ ref: String, _ moment: PageMoment, _ call: PageCall) throws -> PastNote {
    do {
      let note = try call.entry(ref, in: moment).note
      return PastNote(path: note.path, id: note.id)
    } catch let error as SlipboxError {
      guard error.kind == .notFound, let entry = try moment.deleted()?.entry(named: ref) else { throw error }
      return PastNote(path: entry.note.path, id: entry.note.id)
    }
  }
}

/// The changes of one commit in the text of a note, line by line and word by word.
enum DiffAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let commit = try call.argument("commit") ?? ""
    let note = try HistoryAnswer.note(try call.argument("ref") ?? "", moment, call)
    var filter = HistoryFilter(
      clock: moment.snapshot.clock, field: MergePart.body.name, wantsChanges: true)
    let caller = call.caller
    filter.isWanted = { !caller.isGone }
    var found: NoteChange.Body?
    // The versions are those that the note's own history names: no other text is given out.
    try BoxHistory(of: moment.snapshot).visit(of: [note], filter, limit: nil) {
      (entry) throws(SlipboxError) -> Bool in
      guard entry.commit.id.hex == commit else { return true }
      found = entry.changes.compactMap(\.body).first
      return false
    }
    guard let found else { throw PageError(.notFound, "this commit did not change the text") }
    let sides = try [found.old, found.new].map { id -> NoteDiff.Side? in
      guard let id else { return nil }
      guard let bytes = call.box.knownBytes(of: id, at: note.path) else {
        throw PageError(.notFound, "the earlier text can't be read")
      }
      return NoteDiff.Side(path: note.path, bytes: bytes)
    }
    let diff = NoteDiff(sides[0], sides[1])
    return .json(
      JSONDocument.list("hunks", diff.hunks) { hunk, writer in
        writer.object { writer in
          writer.member("line", hunk.newLines.lowerBound + 1)
          writer.member("pieces", of: hunk.pieces) { piece, writer in
            writer.object { $0.member(piece.name, bytes: piece.bytes) }
          }
        }
      })
  }
}

extension TextDiff.Piece {
  /// The name of a piece in JSON.
  fileprivate var name: String {
    switch self {
    case .same: "same"
    case .removed: "removed"
    case .added: "added"
    }
  }
}
