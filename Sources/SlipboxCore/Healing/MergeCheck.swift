import Bytes
import Git
import NoteIndex
import Notes

/// Compares merge commits that slip did not make with slip's own merge of their parents.
struct MergeCheck {
  private let healer: Healer
  private let store: RepositoryMergeStore

  private var box: Box { healer.box }

  init(_ healer: Healer) {
    self.healer = healer
    store = RepositoryMergeStore(healer.box)
  }

  /// The damage that a merge did and that is still there.
  ///
  /// A note is damaged only if the merge took it whole from one side although nothing of it was in conflict: how a conflict
  /// was settled is the decision of whoever settled it.
  func damagedNotes(in commit: Commit) throws(SlipboxError) -> [Healing.DamagedNote] {
    let parents = commit.parents
    let merge = try CommitMerge(store, rules: healer.rules).merge(parents[0], parents[1])
    let contested = Set(merge.conflicts.map(\.path))
    var notes: [Healing.DamagedNote] = []
    var removed: [[UInt8]] = []
    for edit in try merge.edits(of: commit.id) where box.isNoteFile(edit.path) {
      let path = Array(edit.path.dropFirst(box.prefix.count))
      switch edit {
      case .remove: removed.append(path)
      case .put(let name, let blob, _):
        guard !contested.contains(name) else { continue }
        let note = try dropped(path, name, should: try box.content(of: blob, at: path), commit)
        if let note { notes.append(note) }
      }
    }
    return notes + (try duplicates(removed, commit))
  }

  /// The changes of a note that the merge dropped, unless they came back later.
  private func dropped(
    _ path: [UInt8], _ name: [UInt8], should merged: [UInt8], _ commit: Commit
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    let made = try store.file(name, at: commit.id)
    let sides = [try store.file(name, at: commit.parents[0]), try store.file(name, at: commit.parents[1])]
    // A text that differs from both sides was decided by somebody.
    guard sides.contains(where: { $0?.id == made?.id }) else { return nil }
    let id = Note(path: path, text: NoteText(merged)).id
    let entry = try current(path, id)
    guard let made else {
      if let id, let entry { return try returned(entry, id, should: merged, commit) }
      guard entry == nil, try box.bytes(at: path) == nil else { return nil }
      let title = Note(path: path, text: NoteText(merged)).title
      return Healing.DamagedNote(
        path: path, title: title, damage: .deleted(by: commit.id),
        repairs: [.init(path: path, before: nil, after: merged)])
    }
    guard let entry, let now = try healer.snapshot.bytes(at: entry.note.path),
      MergeMarkers.firstLine(in: now) == nil
    else { return nil }
    let base = try box.content(of: made.id, at: path)
    let restored = NoteMerge.merge(
      base: NoteText(base), one: NoteText(now), other: NoteText(merged), rules: healer.rules)
    guard restored?.text.bytes != now else { return nil }
    return Healing.DamagedNote(
      path: entry.note.path, title: entry.note.title, damage: .dropped(by: commit.id),
      repairs: restored.map { [.init(path: entry.note.path, before: now, after: $0.text.bytes)] } ?? [])
  }

  /// A note that a merge dropped and that came back later, without what one side had changed.
  private func returned(
    _ entry: Entry, _ id: NoteID, should merged: [UInt8], _ commit: Commit
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    guard let base = try base(of: id, commit), let now = try healer.snapshot.bytes(at: entry.note.path),
      MergeMarkers.firstLine(in: now) == nil
    else { return nil }
    let restored = NoteMerge.merge(
      base: NoteText(base), one: NoteText(now), other: NoteText(merged), rules: healer.rules)
    guard let restored, restored.text.bytes != now else { return nil }
    return Healing.DamagedNote(
      path: entry.note.path, title: entry.note.title, damage: .dropped(by: commit.id),
      repairs: [.init(path: entry.note.path, before: now, after: restored.text.bytes)])
  }

  /// The note as it is now: by its id, else by its path.
  private func current(_ path: [UInt8], _ id: NoteID?) throws(SlipboxError) -> Entry? {
    let catalogue = try healer.snapshot.catalogue()
    if let id, let entry = catalogue.entry(id: id) { return entry }
    return catalogue.entry(path: path)
  }

  /// Files that slip's merge does without: a note that both sides moved, each to another place.
  private func duplicates(
    _ removed: [[UInt8]], _ commit: Commit
  ) throws(SlipboxError) -> [Healing.DamagedNote] {
    var notes: [Healing.DamagedNote] = []
    let catalogue = try healer.snapshot.catalogue()
    for path in removed {
      guard let copy = catalogue.entry(path: path), let id = copy.note.id,
        let other = catalogue.entries.first(where: { $0.note.id == id && $0.note.path != path }),
        let base = try base(of: id, commit), let one = try healer.snapshot.bytes(at: other.note.path),
        let two = try healer.snapshot.bytes(at: path)
      else { continue }
      // Git may have left its markers in both.
      let texts = [one, two].map { MarkedText($0)?.merged(rules: healer.rules) ?? NoteText($0) }
      let merged = NoteMerge.merge(base: NoteText(base), one: texts[0], other: texts[1], rules: healer.rules)
      notes.append(
        Healing.DamagedNote(
          path: other.note.path, title: other.note.title, damage: .duplicate(of: path),
          repairs: merged.map {
            [
              .init(path: other.note.path, before: one, after: $0.text.bytes),
              .init(path: path, before: two, after: nil),
            ]
          } ?? []))
    }
    return notes
  }

  /// The note of an id where the two sides of a merge began to differ; nil if it was made later.
  private func base(of id: NoteID, _ commit: Commit) throws(SlipboxError) -> [UInt8]? {
    let bases = try store.bases(of: commit.parents[0], and: commit.parents[1])
    guard let base = bases.first else { return nil }
    for side in commit.parents {
      for file in try store.differences(from: base, to: side) {
        guard let old = file.old, box.isNoteFile(old.path) else { continue }
        let bytes = try store.content(of: old)
        if Note(path: old.path, text: NoteText(bytes)).id == id { return bytes }
      }
    }
    return nil
  }
}
