import Git
import Notes
import Presentation
import SlipboxCore

/// What one commit changed in the text of a note, line by line and word by word.
enum DiffAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let commit = try call.argument("commit") ?? ""
    let note = try HistoryAnswer.note(try call.argument("ref") ?? "", moment)
    var filter = HistoryFilter(
      clock: moment.snapshot.clock, field: MergePart.body.name, wantsChanges: true)
    let caller = call.caller
    filter.isWanted = { !caller.isGone }
    var found: NoteChange.Body?
    // The versions are those that the note's own history names: no other text is given out.
    try moment.snapshot.visitHistory(of: [note], filter, limit: nil) { (entry) throws(SlipboxError) -> Bool in
      guard entry.commit.id.hex == commit else { return true }
      found = entry.changes.compactMap(\.body).first
      return false
    }
    guard let found else { throw PageError(.notFound, "this commit did not change the text") }
    let sides = try [found.old, found.new].map { id -> NoteDiff.Side? in
      guard let id else { return nil }
      guard let bytes = call.box.knownBytes(of: id) else {
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
  /// What a piece is called in JSON.
  fileprivate var name: String {
    switch self {
    case .same: "same"
    case .removed: "removed"
    case .added: "added"
    }
  }
}
