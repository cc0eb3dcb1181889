import Bytes
import Notes

/// The test of a term about links between notes.
///
/// A single note does not contain the answer. A catalogue finds all notes that pass before the first note is tested.
struct LinksTest: Sendable {
  enum Question: Sendable {
    /// Notes that link to one of these.
    case to([LinkReference])
    /// Notes that one of these links to.
    case from([LinkReference])
    /// Notes that link to no other note.
    case toNone
    /// Notes that no other note links to.
    case fromNone
  }

  let question: Question
  /// The notes that pass; nil before a catalogue has found them.
  let found: FoundNotes?

  init(_ question: Question, found: FoundNotes? = nil) {
    self.question = question
    self.found = found
  }

  /// The texts that name notes.
  var references: [String] {
    switch question {
    case .to(let references), .from(let references):
      references.compactMap { if case .text(let text) = $0 { text } else { nil } }
    case .toNone, .fromNone: []
    }
  }

  /// Returns the same test with notes instead of texts.
  func naming<Failure: Error>(_ note: (String) throws(Failure) -> Note?) throws(Failure) -> LinksTest {
    switch question {
    case .to(let references): LinksTest(.to(try Self.named(references, note)), found: found)
    case .from(let references): LinksTest(.from(try Self.named(references, note)), found: found)
    case .toNone, .fromNone: self
    }
  }

  private static func named<Failure: Error>(
    _ references: [LinkReference], _ note: (String) throws(Failure) -> Note?
  ) throws(Failure) -> [LinkReference] {
    var result: [LinkReference] = []
    for reference in references {
      switch reference {
      case .note: result.append(reference)
      case .text(let text): if let note = try note(text) { result.append(.note(note)) }
      }
    }
    return result
  }
}

/// A note that a term about links names.
enum LinkReference: Sendable {
  case text(String)
  case note(Note)
}

/// Notes that a catalogue has found.
final class FoundNotes: Sendable {
  /// Their places, ascending.
  let places: [Int]
  private let entries: Entries
  private let paths = Computed<Set<[UInt8]>, Never>()

  init(_ places: [Int], _ entries: Entries) {
    self.places = places
    self.entries = entries
  }

  func contains(_ note: Note) -> Bool {
    paths.value { Set(places.map { entries.path(at: $0) }) }.contains(note.path)
  }
}

/// The test of `is:blocked` or `is:blocking`.
///
/// A single record does not contain the answer. A catalogue finds all records that pass before the first record is
/// tested.
struct DependencyTest: Sendable {
  enum Question: Sendable { case blocked, blocking }

  let question: Question
  /// Which records are open.
  let open: ActiveTest
  /// The records that pass; nil before a catalogue has found them.
  let found: FoundNotes?

  init(_ question: Question, open: ActiveTest, found: FoundNotes? = nil) {
    self.question = question
    self.open = open
    self.found = found
  }
}
