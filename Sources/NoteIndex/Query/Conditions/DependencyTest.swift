/// The test of `is:blocked` or `is:blocking`.
///
/// It can't be told of a record by itself: a catalogue finds all that pass before any of them is asked for.
struct DependencyTest: Sendable {
  enum Question: Sendable { case blocked, blocking }

  let question: Question
  /// Which records are open.
  let open: ActiveTest
  /// The records that pass; nil as long as no catalogue was asked.
  let found: FoundNotes?

  init(_ question: Question, open: ActiveTest, found: FoundNotes? = nil) {
    self.question = question
    self.open = open
    self.found = found
  }
}
