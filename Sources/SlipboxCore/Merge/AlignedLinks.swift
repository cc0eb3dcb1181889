import Bytes
import Git
import NoteIndex
import Notes

/// Rewrites the links in the three versions of a note that both sides of a merge changed, as the result of the merge
/// needs them, before the texts are merged.
///
/// A move or a new title changes lines in all notes that link to the note. Without this, moves of two notes on two
/// devices would conflict in each note that links to both.
struct AlignedLinks<Store: MergeStore> {
  /// A file of the result, with its paths in the base and on both sides.
  typealias Placed = [[UInt8]: MergedFile?]

  private let store: Store
  private let placed: Placed
  private let sameNames: SameNameRule

  /// - Parameters:
  ///   - placed: the result of the merge with links that are not aligned, by path.
  ///   - sameNames: the rule for the target of a link that matches the names of several notes.
  init(_ store: Store, _ placed: Placed, _ sameNames: SameNameRule) {
    self.sameNames = sameNames
    self.store = store
    self.placed = placed
  }

  /// Returns the changes of both sides with aligned links, and the keys of the base's aligned versions. Their links are
  /// final: resolved on a side again, they could lead elsewhere.
  ///
  /// A note stays unchanged if a link in one of its versions would break or become ambiguous.
  func applied(
    to one: FileChanges, _ other: FileChanges, base: ObjectID, tips: (one: ObjectID, other: ObjectID)
  ) throws(SlipboxError) -> (one: FileChanges, other: FileChanges, aligned: Set<[UInt8]>) {
    let shared = sharedNotes(one, other)
    guard !shared.isEmpty else { return (one, other, []) }
    let commits = [
      (base, \MergedFile.paths.base, \Shared.base), (tips.one, \.paths.one, \.one),
      (tips.other, \.paths.other, \.other),
    ]
    var texts = shared
    var isChanged = false
    for (commit, side, version) in commits {
      let notes = shared.values.map { $0[keyPath: version] }
      guard let rewriting = try rewriting(of: commit, side, for: notes) else { continue }
      let concerned = Set(rewriting.sources.map { rewriting.before.path(at: $0) })
      for (key, note) in shared where concerned.contains(boxPath(note[keyPath: version].entry.path)) {
        guard let aligned = try aligned(note[keyPath: version], rewriting) else {
          texts[key] = nil
          continue
        }
        isChanged = isChanged || aligned.entry != note[keyPath: version].entry
        texts[key]?[keyPath: version] = aligned
      }
    }
    guard isChanged else { return (one, other, []) }
    return (
      Self.changes(one, texts, \.one), Self.changes(other, texts, \.other), Set(texts.values.map(\.base.key))
    )
  }

  /// The versions of a note that both sides changed.
  private struct Shared {
    var base: FileChanges.Version
    var one: FileChanges.Version
    var other: FileChanges.Version
  }

  /// Returns the notes of the box that both sides changed, by the keys of the base's versions.
  private func sharedNotes(_ one: FileChanges, _ other: FileChanges) -> [[UInt8]: Shared] {
    let second = other.byOldVersion
    var shared: [[UInt8]: Shared] = [:]
    for (key, pair) in one.byOldVersion {
      guard let old = pair.old, let new = pair.new, let otherNew = second[key]?.new else { continue }
      let versions = [old, new, otherNew]
      guard Set(versions.map(\.entry.id)).count > 1,
        versions.allSatisfy({ $0.version.bytes != nil && $0.entry.path.starts(with: store.prefix) })
      else { continue }
      shared[key] = Shared(base: old, one: new, other: otherNew)
    }
    return shared
  }

  /// Returns the rewriting of the links of a commit's notes for the result. Returns nil if none of some notes moves or
  /// links to a note or file with another name there.
  private func rewriting(
    of commit: ObjectID, _ side: KeyPath<MergedFile, [UInt8]?>, for notes: [FileChanges.Version]
  ) throws(SlipboxError) -> LinkRewriting? {
    let moves = try MergeMoves(placed, of: side, store)
    let files = try moves.linkedFiles(at: commit, store, sameNames)
    var successors: [NoteSuccessor] = []
    for (path, file) in placed {
      guard let file, file.mode & 0o170000 == 0o100000, let new = try note(at: path, file.blob) else {
        continue
      }
      guard let own = file[keyPath: side], let entry = try store.file(own, at: commit), entry.isRegular,
        entry.id != file.blob || own != path,
        let old = try note(at: own, entry.id), old.path != new.path || old.title != new.title
      else { continue }
      successors.append(
        NoteSuccessor(
          Entry(undated: old), becomes: Entry(undated: new), rewritesTitle: old.title != new.title))
    }
    let names = LinkKeySet(
      successors.flatMap { $0.old.note.nameKeys } + files.moves.keys.compactMap { LinkKey($0) })
    let moved = Set(successors.map(\.old.note.path))
    let isConcerned = notes.contains { version in
      let own = version.version.bytes.map { Note(path: boxPath(version.entry.path), text: NoteText($0)) }
      return own.map { note in moved.contains(note.path) || note.linkKeys.contains { names.contains($0) } }
        ?? false
    }
    guard isConcerned else { return nil }
    var all: [Entry] = []
    for file in try store.differences(from: nil, to: commit) {
      guard let new = file.new, new.isRegular, let note = try note(at: file.path, new.id) else { continue }
      all.append(Entry(undated: note))
    }
    return LinkRewriting(
      Entries(all).linked(by: sameNames), successors, made: moves.made.map { Entry(undated: $0) },
      executor: nil, files: files)
  }

  /// Returns the note at a path of the repository; nil for a file that is not a note of the box.
  private func note(at path: [UInt8], _ blob: ObjectID) throws(SlipboxError) -> Note? {
    guard path.starts(with: store.prefix), FileName.isNote(path) else { return nil }
    return Note(path: boxPath(path), text: NoteText(try store.content(of: blob, at: path)))
  }

  private func boxPath(_ path: [UInt8]) -> [UInt8] { Array(path.dropFirst(store.prefix.count)) }

  /// Returns a version with aligned links; nil if one of them would be parsed as something else.
  private func aligned(
    _ version: FileChanges.Version, _ rewriting: LinkRewriting
  ) throws(SlipboxError) -> FileChanges.Version? {
    let (text, path) = (NoteText(version.version.bytes ?? []), boxPath(version.entry.path))
    let links = LinkEditor.links(of: text)
    let rewritten = rewriting.links(links, from: path, to: rewriting.path(after: path))
    guard rewritten.refusals.isEmpty,
      let changed = try? LinkEditor.text(of: text, links: links, rewritten.edits)
    else { return nil }
    if changed == text { return version }
    let entry = TreeEntry(
      path: version.entry.path, id: try store.store(changed.bytes, at: version.entry.path),
      mode: version.entry.mode)
    return FileChanges.Version(
      version: NoteVersion(path: entry.path, bytes: changed.bytes, blob: entry.id), entry: entry,
      origin: version.origin)
  }

  private static func changes(
    _ changes: FileChanges, _ texts: [[UInt8]: Shared], _ side: KeyPath<Shared, FileChanges.Version>
  ) -> FileChanges {
    FileChanges(
      pairs: changes.pairs.map { pair in
        guard !pair.isSettled, let key = pair.old?.key, let shared = texts[key] else { return pair }
        return FileChanges.Pair(old: shared.base, new: shared[keyPath: side])
      })
  }
}
