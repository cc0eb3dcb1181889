import Bytes
import Git
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Synchronization

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
  /// The former and the new paths of the notes that the change moved.
  var moved: [(from: [UInt8], to: [UInt8])] = []
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
    let operations = PastOperations(in: now.snapshot, on: circumstances.context().device)
    let operation = try operations.operation(named: id.description).operation
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

/// The idempotency keys of the changes that were applied. A page that did not receive the answer repeats its request with
/// the same key, and the change is not applied a second time.
package final class IdempotencyKeys: Sendable {
  /// A change that was applied.
  private struct Change: Sendable {
    let key: String
    /// Nil if an earlier server applied the change.
    var outcome: WriteOutcome?
  }

  /// The number of keys in memory, and of those that the next server still knows.
  private static let most = 500
  private static let mostKept = 200
  private static let longest = 40

  private let file: [UInt8]?
  private let changes: Mutex<[Change]>

  /// - Parameter file: the file that stores the keys; nil to store none.
  package init(keptIn file: [UInt8]? = nil) {
    self.file = file
    changes = Mutex(Self.read(file).map { Change(key: $0) })
  }

  /// The file of the keys beside the record of a server.
  package static func file(besideRecord record: [UInt8]) -> [UInt8] { record + Array("-keys".utf8) }

  /// Whether a text is a key: 1 to 40 letters, digits and hyphens.
  static func isKey(_ text: String) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// The id of the operation that a change with this key records. The operation in the history proves that the change was
  /// applied, also if the server ended before it stored the key.
  static func operation(of key: String) -> OperationID {
    var numbers = SHA256.digest(of: Array(key.utf8)).prefix(16)
    func next() -> NoteID {
      defer { numbers = numbers.dropFirst(8) }
      return NoteID(number: numbers.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
    return OperationID(next(), next())
  }

  /// Whether a change with this key is known to be applied.
  func contains(_ key: String) -> Bool { changes.withLock { changes in changes.contains { $0.key == key } } }

  /// The outcome of a change; nil if it was not applied or an earlier server applied it.
  func outcome(of key: String) -> WriteOutcome? {
    changes.withLock { changes in changes.last { $0.key == key }?.outcome }
  }

  /// Records that a change was applied.
  func add(_ key: String, _ outcome: WriteOutcome) {
    let kept = changes.withLock { changes in
      changes.append(Change(key: key, outcome: outcome))
      if changes.count > Self.most { changes.removeFirst(changes.count - Self.most) }
      return changes.suffix(Self.mostKept).map(\.key)
    }
    guard let file else { return }
    // If the file can't be written, only a restarted server does not know the key.
    try? Files.writePrivate(Array((kept.joined(separator: "\n") + "\n").utf8), to: file)
  }

  /// The keys of a file; empty if it is missing or others could have written it.
  private static func read(_ file: [UInt8]?) -> [String] {
    guard let bytes = file.flatMap({ Files.readPrivate($0) }) else { return [] }
    return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.filter(isKey)
  }
}
