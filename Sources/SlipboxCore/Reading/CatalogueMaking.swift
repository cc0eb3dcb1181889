import Git
import NoteIndex
import Notes
import Platform

/// Builds a catalogue from the cached documents and the files that differ from them.
struct CatalogueMaking: Sendable {
  private let box: Box
  private let kept: KeptCatalogue?
  private let times: NoteTimes
  private let texts: NoteTexts
  private let isAtCommit: Bool
  private let mayMatchKinds: Bool
  private let sameNames: SameNameRule
  private let kind: @Sendable (Note, Timestamp) -> String

  init(_ snapshot: BoxSnapshot, _ kept: KeptCatalogue?) {
    box = snapshot.box
    times = snapshot.times
    texts = snapshot.texts
    isAtCommit = snapshot.source != .workTree
    sameNames = snapshot.settings.sameNames
    let matcher = snapshot.kindMatcher()
    mayMatchKinds = matcher.mayMatch
    kind = { matcher.kind(of: $0, created: $1) }
    self.kept = kept
  }

  /// Returns the notes of the work tree.
  func notes(_ findings: FileFindings) throws(SlipboxError) -> ListedNotes {
    let entries = findings.recent.values.compactMap(entry)
    return try notes(
      hiding: findings.hidden, adding: entries, redating: try isRedatingNeeded(), since: datedTip)
  }

  /// Returns the stored documents except the hidden ones, and other entries.
  /// - Parameters:
  ///   - redating: whether the dates of notes without a date of their own have to be looked up again.
  ///   - tip: the commit under which the cached dates are valid; nil if all have to be looked up.
  func notes(
    hiding hidden: Set<Int>, adding entries: [Entry], redating: Bool, since tip: ObjectID? = nil
  ) throws(SlipboxError) -> ListedNotes {
    guard let kept else { return ListedNotes(entries, linkedBy: sameNames) }
    var (hidden, entries) = (hidden, entries)
    let stored = storedEntries(kept)
    for (number, created) in redating ? redated(kept, besides: hidden, since: tip) : [] {
      hidden.insert(number)
      let note = stored.entry(number).note
      entries.append(Entry(note: note, created: created, kind: kind(note, created)))
    }
    return ListedNotes((kept, stored), hiding: hidden, adding: entries, linkedBy: sameNames)
  }

  private func storedEntries(_ kept: KeptCatalogue) -> StoredEntries {
    let cache = CatalogueCache(box)
    let isAtCommit = isAtCommit
    return StoredEntries(
      kept.snapshot, pathOfFile: { kept.table.path(of: $0) },
      keyOfFile: { kept.table.withName(of: $0) { LinkKey(lent: $0) } },
      read: { [texts] (row) throws(UnreadText) in
        try texts.indexed(
          kept.table.path(of: row), kept.snapshot.content(ofFile: row),
          isAtCommit ? nil : kept.table.stamp(of: row))
      }, kind: kind, mayMatchKinds: mayMatchKinds, onDamage: { cache.removeDamaged() })
  }

  /// Returns the entry of a file that differs from the cached documents; nil for a file that is not a note.
  private func entry(_ file: NoteFile) -> Entry? {
    guard let summary = file.note, let record = summary.record.withUnsafeBytes({ NoteSummary($0.bytes) })
    else {
      return nil
    }
    let text = texts.source(file.path, file.content, file.isRacy ? nil : file.stamp)
    let note = record.note(at: file.path, text: text)
    let created = summary.isUndated ? times.created(undated: file.path, file.stamp) : summary.key.created
    return Entry(note: note, created: created, kind: kind(note, created))
  }

  /// Returns the entry of a note in a commit, with the record of its content.
  func entry(at path: [UInt8], _ record: NoteSummary, _ content: ContentID) -> Entry {
    entry(of: record.note(at: path, text: texts.source(path, content, nil)))
  }

  /// Returns the entry of a note in a commit.
  func entry(of note: Note) -> Entry {
    let noFile = FileStamp(size: 0, modified: 0, changed: 0, inode: 0)
    let created = note.created ?? times.created(undated: note.path, noFile)
    return Entry(note: note, created: created, kind: kind(note, created))
  }

  private func isRedatingNeeded() throws(SlipboxError) -> Bool {
    guard let conditions = kept?.conditions, conditions.undatedCount > 0 else { return false }
    if !conditions.areDatedByHistory { return true }
    return try box.tip() != conditions.tip
  }

  /// The commit under which history dated the cached documents; nil if it did not.
  private var datedTip: ObjectID? {
    kept.flatMap { $0.conditions.areDatedByHistory ? $0.conditions.tip : nil }
  }

  /// Returns the documents whose creation date has changed: history determines the date of notes without one of their
  /// own.
  private func redated(
    _ kept: KeptCatalogue, besides hidden: Set<Int>, since tip: ObjectID?
  ) -> [(number: Int, created: Timestamp)] {
    guard kept.conditions.undatedCount > 0 else { return [] }
    var redated: [(number: Int, created: Timestamp)] = []
    let undated = (0..<kept.snapshot.documentCount).filter {
      kept.snapshot.isUndated($0) && !hidden.contains($0)
    }
    let paths = undated.map { kept.table.path(of: kept.snapshot.file(ofDocument: $0)) }
    let redatable = Set(times.redatable(paths, since: tip))
    for (number, path) in zip(undated, paths) where redatable.contains(path) {
      let row = kept.snapshot.file(ofDocument: number)
      let created = times.created(undated: path, kept.table.stamp(of: row))
      if created != kept.snapshot.key(ofDocument: number).created { redated.append((number, created)) }
    }
    return redated
  }
}
