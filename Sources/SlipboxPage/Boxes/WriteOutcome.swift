import Git
import NoteIndex
import Notes
import SlipboxCore

/// The outcome of a change that was applied: the part of the answer that stays the same when a request is repeated.
struct WriteOutcome: Sendable {
  /// A note as the change wrote it.
  struct Version: Sendable {
    let ref: String
    let path: [UInt8]
    /// The id of the written bytes, which later requests name as the version that they are based on.
    let etag: ObjectID
  }

  /// The operation that undo takes; nil if nothing was committed.
  var operation: OperationID?
  let subject: String
  /// The paths of the notes to answer.
  var paths: [[UInt8]] = []
  var versions: [Version] = []
  /// The fields that others changed meanwhile and the change kept.
  var merged: [(ref: String, field: String)] = []
  var hints: [String] = []

  /// The number of notes in an answer; a page that changed more reads its list again.
  static let mostNotes = 500

  init(subject: String) { self.subject = subject }
}

extension PageBox {
  /// The outcome of the change with an idempotency key; nil if it was not applied.
  func outcome(of key: String) throws -> WriteOutcome? {
    if let outcome = idempotencyKeys.outcome(of: key) { return outcome }
    let operation = IdempotencyKeys.operation(of: key)
    if try hasOperation(operation) { return try outcome(ofEarlier: operation) }
    // Nothing was committed, or history was rewritten since.
    return idempotencyKeys.contains(key) ? WriteOutcome(subject: "already applied") : nil
  }

  /// The outcome of an operation that an earlier server recorded.
  private func outcome(ofEarlier id: OperationID) throws -> WriteOutcome {
    let device = circumstances.context().device
    let operation = try now.snapshot.operation(named: id.description, on: device).operation
    var outcome = WriteOutcome(subject: operation.subject)
    outcome.operation = id
    let then = try moment(at: id.description).snapshot
    let notes = try then.catalogue()
    for change in operation.changes {
      let entry: Entry? =
        switch change.note {
        case .id(let id): notes.entry(id: id)
        case .path(let path): notes.entry(path: path)
        }
      guard let note = entry?.note, let etag = try then.contentID(at: note.path) else { continue }
      outcome.paths.append(note.path)
      outcome.versions.append(.init(ref: PageMoment.ref(of: note), path: note.path, etag: etag))
    }
    return outcome
  }
}
