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
        Note(path: Array(path.dropFirst(store.prefix.count)), text: NoteText(try store.bytes(of: entry.id))))
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
      path: new.entry.path, id: try store.store(changed.bytes), mode: new.entry.mode)
    let version = NoteVersion(path: entry.path, bytes: changed.bytes, blob: entry.id)
    return FileChanges.Pair(
      old: pair.old, new: FileChanges.Version(version: version, entry: entry), isSettled: pair.isSettled)
  }
}
