import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The answers in the blocks of notes, as commands write them.
enum BakingAnswers {
  /// Bakes all blocks after a change of notes.
  static func bakeAfterCommit(_ session: Session) throws {
    let snapshot = try session.openBox()
    let baking = baking(try snapshot.entriesWithBlocks(), in: snapshot, from: snapshot)
    guard !baking.stale.isEmpty else { return }
    _ = try session.writer(after: snapshot).record(baking.plan)
    try bakeRest(of: nil, session)
  }

  /// How often blocks are baked that the words of other blocks changed.
  private static let rounds = 4

  /// Bakes blocks that are out of date since other blocks were baked.
  ///
  /// - Parameter paths: those of the notes; nil for all.
  static func bakeRest(of paths: [[UInt8]]?, _ session: Session) throws {
    for _ in 1..<rounds {
      let snapshot = try session.openBox()
      let entries = try snapshot.entriesWithBlocks().filter { paths?.contains($0.note.path) ?? true }
      let baking = baking(entries, in: snapshot, from: snapshot)
      if baking.stale.isEmpty { return }
      _ = try session.writer(after: snapshot).record(baking.plan)
    }
  }

  /// Works out the blocks of notes from the state of a box.
  static func baking(_ entries: [Entry], in snapshot: BoxSnapshot, from source: BoxSnapshot) -> Baking {
    let presenter = NotePresenter(source)
    return snapshot.baking(entries) { view, path in
      try ViewAnswer(view, in: source).markdown(presenter, from: path)
    }
  }
}
