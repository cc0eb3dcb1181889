import Bytes
import Git
import Notes

/// Notes that the base of a merge had deleted and that both sides have again.
///
/// A change beats a deletion, so both sides kept the note, perhaps each by a merge of its own. The text before the
/// deletion is their common base: against no text at all, lines that a side replaced would come back.
struct DeletedInBase {
  /// The note before its deletion, by its paths on both sides.
  private var versions: [(old: FileChanges.Version, one: [UInt8], other: [UInt8])] = []

  init<Store: MergeStore>(
    _ one: FileChanges, _ other: FileChanges, _ base: ObjectID?, _ origins: ChangeOrigins<Store>,
    _ store: Store
  ) throws(SlipboxError) {
    guard let base else { return }
    let (first, second) = (one.added, other.added)
    let ids = Dictionary(
      second.compactMap { path, version in version.version.id.map { ($0, path) } },
      uniquingKeysWith: { $0.lexicographicallyPrecedes($1) ? $0 : $1 })
    for (path, version) in first.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where version.entry.isRegular && FileName.isNote(path) {
      let id = version.version.id
      guard let otherPath = id.map({ ids[$0] }) ?? (second[path]?.version.id == nil ? path : nil),
        second[otherPath]?.entry.isRegular == true
      else { continue }
      let paths = path == otherPath ? [path] : [path, otherPath].sorted { $0.lexicographicallyPrecedes($1) }
      for place in paths {
        guard let entry = try origins.fileBefore(base, at: place), entry.isRegular else { continue }
        let old = NoteVersion(path: place, bytes: try store.bytes(of: entry.id), blob: entry.id)
        guard old.id == id else { continue }
        versions.append((FileChanges.Version(version: old, entry: entry), path, otherPath))
        break
      }
    }
  }

  /// The changes of both sides since the text before the deletion.
  func applied(to one: FileChanges, _ other: FileChanges) -> (one: FileChanges, other: FileChanges) {
    guard !versions.isEmpty else { return (one, other) }
    return (
      one.replacing(versions.map { ($0.old, $0.one) }), other.replacing(versions.map { ($0.old, $0.other) })
    )
  }
}

extension FileChanges {
  /// The files that the base does not have, by their paths.
  var added: [[UInt8]: Version] {
    Dictionary(
      pairs.compactMap { pair in
        pair.old == nil && !pair.isSettled ? pair.new.map { ($0.entry.path, $0) } : nil
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// The changes with old versions of added files.
  fileprivate func replacing(_ olds: [(old: Version, path: [UInt8])]) -> FileChanges {
    let versions = Dictionary(olds.map { ($0.path, $0.old) }, uniquingKeysWith: { first, _ in first })
    return FileChanges(
      pairs: pairs.map { pair in
        guard pair.old == nil, let path = pair.new?.entry.path, let old = versions[path] else { return pair }
        return Pair(old: old, new: pair.new)
      })
  }
}
