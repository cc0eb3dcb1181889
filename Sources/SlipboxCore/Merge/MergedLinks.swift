import Bytes
import Git
import NoteIndex
import Notes

/// Keeps the links in the notes that one side of a merge changed: each leads to the note that it led to on that side.
///
/// A link by path would lead to another note, or to none, if the merge gives its note a path that the side did not know.
/// If the other side changed the note too, lines that the base has are left alone: the side that moved their notes rewrote
/// the links in them.
struct MergedLinks<Store: MergeStore> {
  private let store: Store
  /// The side's commit.
  private let tip: ObjectID
  /// The paths in the merge of the side's notes, by their paths on the side, if they differ.
  private let moves: [[UInt8]: [UInt8]]
  /// The notes that only the other side has, at their paths in the merge.
  private let made: [Note]
  /// The keys of the base's versions that the other side changed.
  private let shared: Set<[UInt8]>
  /// The keys of the base's versions whose notes need nothing more.
  private let aligned: Set<[UInt8]>

  /// - Parameters:
  ///   - others: the changes of the other side.
  ///   - aligned: the keys of the base's versions of notes whose links are written for the result already.
  init(
    _ store: Store, tip: ObjectID, moves: [[UInt8]: [UInt8]], made: [Note], others: FileChanges,
    besides aligned: Set<[UInt8]>
  ) {
    self.aligned = aligned
    shared = Set(others.pairs.compactMap { $0.isSettled || $0.new == nil ? nil : $0.old?.key })
    self.store = store
    self.tip = tip
    self.moves = moves
    self.made = made
  }

  /// The changes of the side with its links rewritten.
  func applied(to changes: FileChanges) throws(SlipboxError) -> FileChanges {
    let prefix = store.prefix
    guard !moves.isEmpty else { return changes }
    let moved = try notes(at: Array(moves.keys))
    let names = LinkKeySet(moved.flatMap(\.nameKeys))
    let candidates = changes.pairs.indices.filter { index in
      let pair = changes.pairs[index]
      guard let note = Self.changedNote(pair, under: prefix) else { return false }
      if let old = pair.old, aligned.contains(old.key) { return false }
      return note.linkKeys.contains { names.contains($0) }
    }
    guard !candidates.isEmpty else { return changes }
    let mending = try mending(of: moved)
    var pairs = changes.pairs
    for index in candidates { pairs[index] = try rewritten(pairs[index], mending) }
    return FileChanges(pairs: pairs)
  }

  private static func changedNote(_ pair: FileChanges.Pair, under prefix: [UInt8]) -> Note? {
    guard let new = pair.new, let bytes = new.version.bytes, new.entry.path.starts(with: prefix) else {
      return nil
    }
    return Note(path: Array(new.entry.path.dropFirst(prefix.count)), text: NoteText(bytes))
  }

  /// The side's notes at some paths, without files that are no notes of the box.
  private func notes(at paths: [[UInt8]]) throws(SlipboxError) -> [Note] {
    var notes: [Note] = []
    for path in paths where path.starts(with: store.prefix) && FileName.isNote(path) {
      guard let entry = try store.file(path, at: tip), entry.isRegular else { continue }
      notes.append(
        Note(path: Array(path.dropFirst(store.prefix.count)), text: NoteText(try store.content(of: entry))))
    }
    return notes
  }

  /// Where the links of all of the side's notes lead before and after.
  private func mending(of moved: [Note]) throws(SlipboxError) -> LinkMending {
    let all = try notes(at: store.differences(from: nil, to: tip).map(\.path))
    let successors = moved.map { note in
      NoteSuccessor(
        Entry(undated: note), becomes: Entry(undated: Note(path: newPath(note.path), text: note.text)))
    }
    return LinkMending(
      Entries(all.map { Entry(undated: $0) }), successors, made: made.map { Entry(undated: $0) },
      executor: nil, files: LinkedFileFinder { _, _ in nil })
  }

  /// The path in the merge of one of the side's notes; both are inside of the box.
  private func newPath(_ path: [UInt8]) -> [UInt8] {
    moves[store.prefix + path].map { Array($0.dropFirst(store.prefix.count)) } ?? path
  }

  private static func line(at place: Int, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return bytes[start..<(bytes[place...].firstIndex(of: 0x0A) ?? bytes.count)]
  }

  /// A change with its links rewritten, but for those of lines that the base has and those that can't be kept for certain.
  private func rewritten(
    _ pair: FileChanges.Pair, _ mending: LinkMending
  ) throws(SlipboxError) -> FileChanges.Pair {
    guard let new = pair.new, let note = Self.changedNote(pair, under: store.prefix) else { return pair }
    let text = NoteText(new.version.bytes ?? [])
    let known = pair.old.flatMap { !pair.isSettled && shared.contains($0.key) ? $0.version.bytes : nil }
    let old = Set(known.map { $0.split(separator: 0x0A) } ?? [])
    let links = LinkRewriting.links(of: text)
    let edits = mending.links(links, from: note.path, to: newPath(note.path)).edits.filter {
      !old.contains(Self.line(at: links[$0.number].range.lowerBound, in: text.bytes))
    }
    // A link whose new target would be read as something else stays as it is.
    guard let changed = try? LinkRewriting.text(of: text, links: links, edits), changed != text else {
      return pair
    }
    let entry = TreeEntry(
      path: new.entry.path, id: try store.store(changed.bytes, at: new.entry.path), mode: new.entry.mode)
    let version = NoteVersion(path: entry.path, bytes: changed.bytes, blob: entry.id)
    return FileChanges.Pair(
      old: pair.old, new: FileChanges.Version(version: version, entry: entry), isSettled: pair.isSettled)
  }
}

/// Writes the links in the three versions of a note that both sides of a merge changed as the result of the merge needs
/// them, before the texts are merged.
///
/// A move or a new title changes lines in all notes that link to the note. Without this, moves of two notes on two devices
/// would conflict in each note that links to both.
struct AlignedLinks<Store: MergeStore> {
  /// A file of the result, and the paths that it has in the base and on both sides.
  typealias Placed = [[UInt8]: MergedFile?]

  private let store: Store
  private let placed: Placed

  /// - Parameter placed: the result of the merge with links that are not aligned, by path.
  init(_ store: Store, _ placed: Placed) {
    self.store = store
    self.placed = placed
  }

  /// The changes of both sides with aligned links, and the keys of the base's versions of which that is done.
  ///
  /// A note stays as it is if a link in one of its versions can't be kept for certain.
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
      guard let mending = try mending(of: commit, side, for: notes) else { continue }
      for (key, note) in shared {
        guard let aligned = try aligned(note[keyPath: version], mending) else {
          texts[key] = nil
          continue
        }
        isChanged = isChanged || aligned.entry != note[keyPath: version].entry
        texts[key]?[keyPath: version] = aligned
      }
    }
    guard isChanged else { return (one, other, []) }
    return (
      Self.changes(one, texts, \.one), Self.changes(other, texts, \.other), Set(texts.keys)
    )
  }

  /// The versions of a note that both sides changed.
  private struct Shared {
    var base: FileChanges.Version
    var one: FileChanges.Version
    var other: FileChanges.Version
  }

  /// The notes of the box that both sides changed, by the keys of the base's versions.
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

  /// Where the links of a commit's notes lead in the result; nil if none of some notes concerns a note with another name
  /// there.
  private func mending(
    of commit: ObjectID, _ side: KeyPath<MergedFile, [UInt8]?>, for notes: [FileChanges.Version]
  ) throws(SlipboxError) -> LinkMending? {
    var successors: [NoteSuccessor] = []
    var made: [Entry] = []
    for (path, file) in placed {
      guard let file, file.mode & 0o170000 == 0o100000, let new = try note(at: path, file.blob) else {
        continue
      }
      guard let own = file[keyPath: side] else {
        made.append(Entry(undated: new))
        continue
      }
      guard let entry = try store.file(own, at: commit), entry.isRegular,
        entry.id != file.blob || own != path,
        let old = try note(at: own, entry.id), old.path != new.path || old.title != new.title
      else { continue }
      successors.append(
        NoteSuccessor(
          Entry(undated: old), becomes: Entry(undated: new), rewritesTitle: old.title != new.title))
    }
    let names = LinkKeySet(successors.flatMap { $0.old.note.nameKeys })
    let isConcerned = notes.contains { version in
      let own = version.version.bytes.map { Note(path: boxPath(version.entry.path), text: NoteText($0)) }
      return own?.linkKeys.contains { names.contains($0) } ?? false
    }
    guard isConcerned else { return nil }
    var all: [Entry] = []
    for file in try store.differences(from: nil, to: commit) {
      guard let new = file.new, new.isRegular, let note = try note(at: file.path, new.id) else { continue }
      all.append(Entry(undated: note))
    }
    return LinkMending(
      Entries(all), successors, made: made, executor: nil, files: LinkedFileFinder { _, _ in nil })
  }

  /// The note at a path of the repository; nil for a file that is no note of the box.
  private func note(at path: [UInt8], _ blob: ObjectID) throws(SlipboxError) -> Note? {
    guard path.starts(with: store.prefix), FileName.isNote(path) else { return nil }
    return Note(path: boxPath(path), text: NoteText(try store.content(of: blob, at: path)))
  }

  private func boxPath(_ path: [UInt8]) -> [UInt8] { Array(path.dropFirst(store.prefix.count)) }

  /// A version with aligned links; nil if one of them would be read as something else.
  private func aligned(
    _ version: FileChanges.Version, _ mending: LinkMending
  ) throws(SlipboxError) -> FileChanges.Version? {
    let (text, path) = (NoteText(version.version.bytes ?? []), boxPath(version.entry.path))
    let links = LinkRewriting.links(of: text)
    let mended = mending.links(links, from: path, to: mending.path(after: path))
    guard mended.refusals.isEmpty, let changed = try? LinkRewriting.text(of: text, links: links, mended.edits)
    else { return nil }
    if changed == text { return version }
    let entry = TreeEntry(
      path: version.entry.path, id: try store.store(changed.bytes, at: version.entry.path),
      mode: version.entry.mode)
    return FileChanges.Version(
      version: NoteVersion(path: entry.path, bytes: changed.bytes, blob: entry.id), entry: entry)
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
