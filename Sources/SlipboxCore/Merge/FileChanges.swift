import Git
import Notes

/// What a side of a merge did to the files since a base, those that it moved put together.
struct FileChanges {
  /// A file of a commit; only notes are read.
  struct Version {
    let version: NoteVersion
    let entry: TreeEntry

    /// Tells versions apart: a note that the base had deleted may have the path of another.
    var key: [UInt8] { entry.path + [0] + entry.id.bytes }
  }

  /// A file before and after; nil where there is none.
  struct Pair {
    let old: Version?
    let new: Version?
    /// Whether the other side has nothing to add, so that the new version is the result.
    var isSettled = false
  }

  let pairs: [Pair]

  init(pairs: [Pair]) { self.pairs = pairs }

  init<Store: MergeStore>(_ store: Store, from old: ObjectID?, to new: ObjectID) throws(SlipboxError) {
    let files = try store.differences(from: old, to: new)
    var entries: (old: [[UInt8]: TreeEntry], new: [[UInt8]: TreeEntry]) = ([:], [:])
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    for file in files {
      entries.old[file.path] = file.old
      entries.new[file.path] = file.new
      versions.append((try Self.version(file.old, store), try Self.version(file.new, store)))
    }
    pairs = NoteMatching.pairs(versions).flatMap { pair in
      let (old, new) = (Self.joined(pair.old, entries.old), Self.joined(pair.new, entries.new))
      return Self.areTwoNotes(pair.old, pair.new)
        ? [Pair(old: old, new: nil), Pair(old: nil, new: new)] : [Pair(old: old, new: new)]
    }
  }

  /// Whether two files are two notes by their ids, as alike as they may be.
  private static func areTwoNotes(_ old: NoteVersion?, _ new: NoteVersion?) -> Bool {
    guard let old, let new else { return false }
    guard let id = old.id, let newID = new.id else {
      return (old.id == nil) != (new.id == nil) && old.path != new.path
    }
    return id != newID && newID != id.another(at: old.path)
  }

  private static func joined(_ version: NoteVersion?, _ entries: [[UInt8]: TreeEntry]) -> Version? {
    guard let version, let entry = entries[version.path] else { return nil }
    return Version(version: version, entry: entry)
  }

  private static func version<Store: MergeStore>(
    _ entry: TreeEntry?, _ store: Store
  ) throws(SlipboxError) -> NoteVersion? {
    guard let entry else { return nil }
    guard entry.isRegular, FileName.isNote(entry.path) else {
      return NoteVersion(path: entry.path, blob: entry.id)
    }
    return NoteVersion(path: entry.path, bytes: try store.bytes(of: entry.id), blob: entry.id)
  }
}
