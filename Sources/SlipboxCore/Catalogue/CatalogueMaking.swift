import Git
import NoteIndex
import Notes
import Platform

/// Makes a catalogue of what is kept and of what the files came to.
struct CatalogueMaking {
  private let box: Slipbox
  private let kept: KeptCatalogue?
  private var findings: FileFindings
  private let times: NoteTimes
  private let kind: @Sendable (Note, Timestamp) -> String

  init(_ box: Slipbox, _ kept: KeptCatalogue?, _ findings: FileFindings) throws(SlipboxError) {
    self.box = box
    self.kept = kept
    self.findings = findings
    times = try box.noteTimes()
    let matcher = box.kindMatcher()
    kind = { matcher.kind(of: $0, created: $1) }
  }

  func store() throws(SlipboxError) -> NoteStore {
    var hidden = findings.hidden
    var entries = findings.recent.values.compactMap(entry)
    guard let kept else { return NoteStore(Catalogue(entries), nil, findings) }
    let folder = box.folder
    let stored = SnapshotEntries(
      kept.snapshot, pathOfFile: { kept.table.path(of: $0) },
      read: { path in (try? folder.read(path, limit: nil).bytes) ?? [] }, kind: kind,
      onDamage: { [file = box.snapshotFile] in try? Files.remove(file) })
    for (number, created) in try redated(kept) where !hidden.contains(number) {
      hidden.insert(number)
      let entry = stored.entry(number)
      entries.append(Entry(note: entry.note, created: created, kind: kind(entry.note, created)))
    }
    return NoteStore(Catalogue(stored, hiding: hidden, adding: entries), kept, findings)
  }

  private func entry(_ file: NoteFile) -> Entry? {
    guard let kept = file.note, let record = kept.record.withUnsafeBytes({ NoteRecord($0) }) else {
      return nil
    }
    let folder = box.folder
    let note = record.note(
      at: file.path, text: TextSource { (try? folder.read(file.path, limit: nil).bytes) ?? [] })
    let created = kept.isUndated ? times.created(undated: file.path, file.stamp) : kept.key.created
    return Entry(note: note, created: created, kind: kind(note, created))
  }

  /// The documents whose creation date is another one now: that of notes which don't give it follows from history.
  private func redated(_ kept: KeptCatalogue) throws(SlipboxError) -> [(number: Int, created: Timestamp)] {
    let circumstances = kept.circumstances
    guard circumstances.undatedCount > 0 else { return [] }
    if circumstances.areDatedByHistory, try box.tip() == circumstances.tip { return [] }
    var redated: [(number: Int, created: Timestamp)] = []
    for number in 0..<kept.snapshot.documentCount where kept.snapshot.isUndated(number) {
      let row = kept.snapshot.file(ofDocument: number)
      let created = times.created(undated: kept.table.path(of: row), kept.table.stamp(of: row))
      if created != kept.snapshot.key(ofDocument: number).created { redated.append((number, created)) }
    }
    return redated
  }
}
