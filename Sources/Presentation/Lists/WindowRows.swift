package import NoteIndex
package import Notes
package import SlipboxCore
import Synchronization

/// The rows of a list for one part of it at a time, as a screen shows them.
///
/// What the rows of all parts need is worked out once. Safe for several threads.
package final class WindowRows: Sendable {
  private let catalogue: Catalogue
  private let schema: Schema
  private let clock: ClockReading
  private let deletion: (@Sendable (Entry) -> PastDeletion?)?
  private let titles = Mutex<RecordTitles?>(nil)

  /// - Parameter deletion: says of a deleted note when and how it was deleted, which is then shown.
  /// - Throws: where the notes can't be read.
  package init(
    _ snapshot: BoxSnapshot, deletion: (@Sendable (Entry) -> PastDeletion?)? = nil
  ) throws(SlipboxError) {
    catalogue = try snapshot.catalogue()
    schema = snapshot.schema()
    clock = snapshot.clock
    self.deletion = deletion
  }

  /// A row a note.
  ///
  /// - Parameter kind: the kind whose columns are shown; nil for the row that notes of all kinds share.
  /// - Complexity: O(n) in the notes that are asked for; the first time, where rows show titles of other records, in all
  ///   notes.
  package func lines(_ entries: [Entry], kind: Kind?, _ display: Display) -> [String] {
    var rows = NoteRows(display: display, catalogue: catalogue, schema: schema, clock: clock)
    if let deletion { return rows.deleted(entries, deletion) }
    rows.isWindow = true
    rows.titles = { [self] in knownTitles() }
    if let kind { return rows.listed(entries, as: kind) }
    return rows.mixed(entries)
  }

  private func knownTitles() -> RecordTitles {
    titles.withLock { titles in
      let known = titles ?? RecordTitles(catalogue.entries, schema)
      titles = known
      return known
    }
  }
}
