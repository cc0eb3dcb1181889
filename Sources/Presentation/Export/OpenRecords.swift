import NoteIndex
import Notes
import SlipboxCore

/// Which records have something left to do, in the eyes of other programs.
struct OpenRecords: Sendable {
  private let states: RecordStates
  let schema: Schema

  init(_ snapshot: BoxSnapshot) {
    schema = snapshot.schema()
    states = RecordStates(schema, clock: snapshot.clock)
  }

  /// Whether a record is open; notes of a kind that does not say are.
  func isOpen(_ entry: Entry) -> Bool { states.state(of: entry).isActive }
}
