import NoteIndex
import Presentation
import SlipboxCore

/// The answers in the blocks of notes, as commands write them.
enum BakingAnswers {
  /// Bakes all blocks after a change of notes.
  static func bakeAfterCommit(_ session: Session) throws {
    let snapshot = try session.openBox()
    let baking = baking(try snapshot.entriesWithBlocks(), in: snapshot, from: snapshot)
    if !baking.stale.isEmpty { _ = try session.writer(after: snapshot).record(baking.plan) }
  }

  /// Works out the blocks of notes from the state of a box.
  static func baking(_ entries: [Entry], in snapshot: BoxSnapshot, from source: BoxSnapshot) -> Baking {
    let presenter = NotePresenter(source)
    return snapshot.baking(entries) { view, path in
      try ViewAnswer(view, in: source).markdown(presenter, from: path)
    }
  }
}
