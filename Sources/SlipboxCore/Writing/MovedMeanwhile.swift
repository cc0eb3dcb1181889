import NoteIndex
import Notes

extension BoxWriter {
  /// What a plan changes. A note that another command moved meanwhile is known by its id, and changed where it is now.
  ///
  /// - Throws: `.busy` with the note's place if the plan holds for the former one alone.
  func changes(by plan: Plan) throws(SlipboxError) -> [FileChange] {
    do throws(SlipboxError) {
      return try box.preview(plan, context.reporter)
    } catch {
      guard error.kind == .notFound, let before = try snapshot?.catalogue() else { throw error }
      let now = try WorkTreeReader(box, context).snapshot().catalogue()
      var isMoved = false
      let followed = try plan.replacing { (edit) throws(SlipboxError) in
        guard !box.isThere(edit.path), let note = before.entry(path: edit.path)?.note, let id = note.id,
          let place = now.entry(id: id)?.note.path
        else { return edit }
        isMoved = true
        return try edit.following(note, to: place)
      }
      guard isMoved else { throw error }
      return try box.preview(followed, context.reporter)
    }
  }
}
