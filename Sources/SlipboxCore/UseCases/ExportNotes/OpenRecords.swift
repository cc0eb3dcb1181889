package import NoteIndex
package import Notes

/// Which records have something left to do, in the eyes of other programs.
package struct OpenRecords: Sendable {
  private let open: ActiveTest
  package let schema: Schema
  package let clock: ClockReading

  package init(_ snapshot: BoxSnapshot) {
    schema = snapshot.schema()
    clock = snapshot.clock
    open = ActiveTest(.open, schema: schema, clock: snapshot.clock)
  }

  /// Whether a record is open; notes of a kind that does not say are.
  package func isOpen(_ entry: Entry) -> Bool { open.isActive(entry) }
}
