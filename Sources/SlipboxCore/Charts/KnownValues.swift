import NoteIndex
import Notes
import Platform

/// The values of the notes that are kept in the catalogue, from one moment to the next.
struct KnownValues {
  /// A file of a note.
  private struct File: Hashable {
    let path: [UInt8]
    let content: ContentID
  }

  /// A kept note with its values.
  private struct Known {
    let kind: String
    let values: [ChartValue: String]
  }

  private let field: String?
  private var schema: Schema?
  private var active: ActiveTest?
  private var kept: KeptCatalogue?
  /// Whether what a note counts as follows from itself.
  private var areLasting = false
  private var known: [File: Known] = [:]

  init(field: String?) { self.field = field }

  /// Begins with the notes of another snapshot; where its kinds are other ones, nothing is known any more.
  mutating func begin(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    let next = snapshot.schema()
    if next.kinds != schema?.kinds { known = [:] }
    schema = next
    active = ActiveTest(.open, schema: next, clock: snapshot.clock)
    kept = try snapshot.contents().kept
    areLasting = !snapshot.kindMatcher().mayMatch
  }

  /// Counts a note.
  mutating func add(_ match: Match, to count: inout ChartCount) {
    guard let field, let schema else { return }
    let file = areLasting ? file(of: match) : nil
    if let file, let known = known[file], known.values.keys.allSatisfy({ count.areActive[$0] != nil }) {
      count.kinds.insert(known.kind)
      count.add(known.values)
      return
    }
    let entry = match.entry
    let values = ChartValues(field: field, schema: schema).values(of: entry)
    for value in values.keys where count.areActive[value] == nil {
      count.areActive[value] = active?.isActive(entry) ?? true
    }
    count.kinds.insert(entry.kind)
    count.add(values)
    if let file { known[file] = Known(kind: entry.kind, values: values) }
  }

  /// The file of a stored note; nil for one that is made already.
  private func file(of match: Match) -> File? {
    guard let kept, let number = match.entries.storedNumber(at: match.place) else { return nil }
    let row = kept.snapshot.file(ofDocument: number)
    return File(path: kept.table.path(of: row), content: kept.snapshot.content(ofFile: row))
  }
}
