import NoteIndex
import Notes
import SlipboxCore

/// Which records have something left to do, in the eyes of other programs.
struct OpenRecords: Sendable {
  private let open: ActiveTest
  let schema: Schema
  let clock: ClockReading

  init(_ snapshot: BoxSnapshot) {
    schema = snapshot.schema()
    clock = snapshot.clock
    open = ActiveTest(.open, schema: schema, clock: snapshot.clock)
  }

  /// Whether a record is open; notes of a kind that does not say are.
  func isOpen(_ entry: Entry) -> Bool { open.isActive(entry) }
}
