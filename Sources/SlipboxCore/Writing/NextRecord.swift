package import Notes

/// What came of finishing a record after which another one comes.
package enum NextRecord: Sendable {
  /// The note that was made, the day to which it has moved, and how many went by before.
  case made(Note, day: CivilDate, skipped: Int)
  /// It is there already.
  case there(Note)
  /// The record that was finished is the last one.
  case over(Note)
}
