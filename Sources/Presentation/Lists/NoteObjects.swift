package import NoteIndex
import Notes
package import SlipboxCore
import Synchronization

/// Notes of a box as objects inside of other JSON, in the shape that every command prints.
///
/// Facts of all notes that the shape needs are computed once, so that a window of a long list costs no more than its notes.
package struct NoteObjects: Sendable {
  private let snapshot: BoxSnapshot
  private let shape: NoteJSON
  private let states: RecordStates
  private let titles: KnownTitles

  /// The titles of records, worked out for the first note that refers to one.
  private final class KnownTitles: Sendable {
    private let entries: Entries
    private let schema: Schema
    private let active: ActiveTest
    private let known = Mutex<RecordTitles?>(nil)

    init(_ entries: Entries, _ schema: Schema, _ active: ActiveTest) {
      (self.entries, self.schema, self.active) = (entries, schema, active)
    }

    /// The title of the record of a kind that a reference names; a reference by id is looked up alone.
    func title(_ kind: String, _ reference: String, in snapshot: BoxSnapshot) -> String? {
      if let known = known.withLock({ $0 }) { return known.title(kind, reference) }
      let declared = schema.kind(named: kind)
      // A box that can't be read has no titles.
      if declared?.key == nil, let id = NoteID(reference), let catalogue = try? snapshot.catalogue(),
        let entry = catalogue.entry(id: id), entry.kind.hasSameBytes(as: kind)
      {
        return entry.note.title
      }
      return all.title(kind, reference)
    }

    var all: RecordTitles {
      known.withLock { known in
        let all = known ?? RecordTitles(entries, schema, active: active)
        known = all
        return all
      }
    }
  }

  /// - Throws: if the notes can't be read.
  package init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    let schema = snapshot.schema()
    shape = try NotePresenter(snapshot).json(of: [], [])
    let catalogue = try snapshot.catalogue()
    states = RecordStates(schema, clock: snapshot.clock, catalogue)
    titles = KnownTitles(catalogue.entries, schema, ActiveTest(schema: schema, clock: snapshot.clock))
  }

  /// Writes `active` as false for a record that is not active, and `state` as the word of its row for a record that is
  /// overdue, blocked or put off; nothing for any other note.
  package func writeState(of entry: Entry, to writer: inout JSONWriter) {
    let state = states.state(of: entry)
    if !state.isActive { writer.member("active", false) }
    if let word = state.hindrance { writer.member("state", word) }
  }

  /// How many records of a kind refer to a record, and how many of these are active.
  package func numbers(of kind: String, referringTo entry: Entry) -> (all: Int, active: Int) {
    titles.all.numbers(of: kind, referringTo: entry)
  }

  /// Writes an object with the titles of the records that the reference fields of some notes name, by the references.
  ///
  /// - Parameter others: the notes in which records are looked for that are not among these.
  package func writeTitles(
    of entries: some Sequence<Entry>, else others: NoteObjects? = nil, to writer: inout JSONWriter
  ) {
    let schema = snapshot.schema()
    var seen: Set<String> = []
    writer.object { writer in
      for entry in entries {
        for field in schema.kind(named: entry.kind)?.fields ?? [] where field.type == .reference {
          for value in entry.note.frontMatter[field.name]?.strings ?? [] {
            let reference = Field.bareReference(value)
            guard let kind = field.target, seen.insert(value).inserted,
              let title = titles.title(kind, reference, in: snapshot)
                ?? others.flatMap({ $0.titles.title(kind, reference, in: $0.snapshot) })
            else { continue }
            writer.member(value, title)
          }
        }
      }
    }
  }

  /// Writes matches as the elements of the open array, as `slip list --json` has them.
  ///
  /// - Parameters:
  ///   - deletion: says of a deleted note when and how it was deleted.
  ///   - more: writes further members of a note's object.
  package func write(
    _ matches: some Sequence<Match>, deletion: (Entry) -> PastDeletion? = { _ in nil },
    to writer: inout JSONWriter, more: (Match, inout JSONWriter) -> Void
  ) throws(SlipboxError) {
    for match in matches {
      let entry = match.entry
      try shape.write(
        entry, modified: snapshot.modified(entry), deleted: deletion(entry), to: &writer
      ) { more(match, &$0) }
    }
  }

  /// Writes a note as `slip list --json` has it.
  package func write(
    _ entry: Entry, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void
  ) throws(SlipboxError) {
    try shape.write(entry, modified: snapshot.modified(entry), to: &writer, more: more)
  }

  /// Writes a note with its body, links and backlinks, as `slip show --json` has it.
  ///
  /// - Throws: if its links can't be read.
  package func writeWhole(_ entry: Entry, to writer: inout JSONWriter) throws(SlipboxError) {
    let shape = try NotePresenter(snapshot).wholeJSON(of: [entry])
    try shape.write(entry, modified: snapshot.modified(entry), to: &writer)
  }
}

extension Snippet {
  /// Writes the text in parts as an array, each with a flag for a match.
  package func writeParts(to writer: inout JSONWriter) {
    let bytes = Array(text.utf8)
    var position = 0
    var parts: [(text: ArraySlice<UInt8>, isHit: Bool)] = []
    for hit in highlights where hit.lowerBound >= position && hit.upperBound <= bytes.count {
      if position < hit.lowerBound { parts.append((bytes[position..<hit.lowerBound], false)) }
      parts.append((bytes[hit], true))
      position = hit.upperBound
    }
    if position < bytes.count { parts.append((bytes[position...], false)) }
    writer.array(of: parts) { part, writer in
      writer.object {
        $0.key("text")
        $0.string(bytes: part.text)
        $0.member("hit", part.isHit)
      }
    }
  }
}
