import Bytes
import Git
import Notes

/// The changes of files by one side of a merge since the base; the two ends of each move are joined.
struct FileChanges {
  /// A file of a commit; only notes are read.
  struct Version {
    let version: NoteVersion
    let entry: TreeEntry
    /// The blob of the side's commit, before the merge rewrote links in it.
    let origin: ObjectID

    init(version: NoteVersion, entry: TreeEntry, origin: ObjectID? = nil) {
      (self.version, self.entry, self.origin) = (version, entry, origin ?? entry.id)
    }

    /// The key that distinguishes versions: a note that the base had deleted may have the path of another.
    var key: [UInt8] { entry.path + [0] + entry.id.bytes }
  }

  /// A file before and after; nil if there is none.
  struct Pair {
    let old: Version?
    let new: Version?
    /// Whether the other side has no changes of the file, so that the new version is the result.
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
    let moves = try Self.mayHoldMoves(versions) ? store.moves(from: old, to: new) : [:]
    pairs = NoteMatching.pairs(versions, moves: moves).flatMap { pair in
      let (old, new) = (Self.joined(pair.old, entries.old), Self.joined(pair.new, entries.new))
      return Self.areTwoNotes(pair.old, pair.new)
        ? [Pair(old: old, new: nil), Pair(old: nil, new: new)] : [Pair(old: old, new: new)]
    }
  }

  /// The new paths of notes to which deleted notes were joined, by the paths of the deleted ones, whose titles are now
  /// aliases.
  var joinedNotes: [[UInt8]: [UInt8]] {
    let gone = pairs.filter { !$0.isSettled && $0.new == nil && $0.old?.version.bytes != nil }
    guard !gone.isEmpty else { return [:] }
    var takers: [String: Set<[UInt8]>] = [:]
    for pair in pairs where !pair.isSettled {
      guard let new = pair.new?.version, let old = pair.old?.version, new.blob != old.blob else { continue }
      for alias in Set(Self.note(new)?.aliases ?? []).subtracting(Self.note(old)?.aliases ?? []) {
        takers[alias, default: []].insert(new.path)
      }
    }
    var joined: [[UInt8]: [UInt8]] = [:]
    for case let old? in gone.map(\.old?.version) {
      guard let note = Self.note(old), let paths = takers[note.title], paths.count == 1 else { continue }
      joined[old.path] = paths.first
    }
    return joined
  }

  private static func note(_ version: NoteVersion) -> Note? {
    version.bytes.map { Note(path: version.path, text: NoteText($0)) }
  }

  /// Returns whether one of the new notes may be an old one without an id.
  private static func mayHoldMoves(_ versions: [(old: NoteVersion?, new: NoteVersion?)]) -> Bool {
    versions.contains { $0.old == nil && $0.new?.bytes != nil && $0.new?.id == nil }
      && versions.contains { $0.old?.bytes != nil && $0.old?.id == nil }
  }

  /// Returns whether two files are two notes according to their ids, however similar they are.
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
    return NoteVersion(path: entry.path, bytes: try store.content(of: entry), blob: entry.id)
  }
}

/// Notes that the base of a merge had deleted and that both sides have again.
///
/// A change takes precedence over a deletion, so both sides kept the note, perhaps each by a merge of its own. The text
/// before the deletion is their common base: with an empty base, lines that a side replaced would come back.
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
        let old = NoteVersion(path: place, bytes: try store.content(of: entry), blob: entry.id)
        guard old.id == id else { continue }
        versions.append((FileChanges.Version(version: old, entry: entry), path, otherPath))
        break
      }
    }
  }

  /// Returns the changes of both sides since the text before the deletion.
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

  /// Returns the changes with old versions of added files.
  fileprivate func replacing(_ olds: [(old: Version, path: [UInt8])]) -> FileChanges {
    let versions = Dictionary(olds.map { ($0.path, $0.old) }, uniquingKeysWith: { first, _ in first })
    return FileChanges(
      pairs: pairs.map { pair in
        guard pair.old == nil, let path = pair.new?.entry.path, let old = versions[path] else { return pair }
        return Pair(old: old, new: pair.new)
      })
  }
}

/// The part of a file whose last change is searched for.
enum FilePart: Hashable {
  case note(MergePart)
  /// All of its bytes, without the list of conflicts that merges store in it.
  case content
  /// Whether the file exists, and its path.
  case path
}

/// Determines when a side of a merge changed a part of a file to its present value.
struct ChangeOrigins<Store: MergeStore> {
  private let store: Store
  /// The maximum number of commits that are read for one answer.
  private static var most: Int { 50_000 }
  /// The maximum number of commits that are searched for a deleted file.
  private static var mostBefore: Int { 1_000 }

  init(_ store: Store) { self.store = store }

  /// A commit with the path that a file has there.
  private struct Place: Hashable {
    let commit: ObjectID
    let path: [UInt8]
  }

  /// Returns the time at which a part of a file got the value that it has in a commit. It is the latest change to that
  /// value among the commits from which the value comes.
  ///
  /// A merge has a value from each parent with the same value. A value that a merge computed from its parents' values is
  /// as old as the latest of these: devices that merge the same commits at different times get the same answer.
  /// - Parameter path: the path from the root of the repository.
  /// - Returns: nil if too much history would have to be read.
  func stamp(of part: FilePart, at path: [UInt8], in tip: ObjectID) throws(SlipboxError) -> MergeStamp? {
    var values = Values(store, part)
    var open = [Place(commit: tip, path: path)]
    var seen = Set(open)
    var latest: MergeStamp?
    while let place = open.popLast() {
      guard seen.count <= Self.most else { return nil }
      let commit = try store.commit(place.commit)
      let value = try values.value(try store.file(place.path, at: place.commit), place.path)
      var parents: [Place] = []
      var same: [Place] = []
      for parent in commit.parents {
        guard let known = try self.place(of: place, in: parent, part) else { continue }
        parents.append(Place(commit: parent, path: known))
        if try values.value(try store.file(known, at: parent), known) == value { same += parents.suffix(1) }
      }
      let isMade = same.isEmpty && commit.parents.count > 1 && !parents.isEmpty
      for next in isMade ? parents : same where seen.insert(next).inserted { open.append(next) }
      if same.isEmpty, !isMade, latest.map({ $0.isBefore(commit.stamp) }) ?? true { latest = commit.stamp }
    }
    return latest
  }

  /// Returns the last version of a file before a commit that does not have it; nil if the history before it has none.
  ///
  /// If several versions are equally near to the commit, it is the one in the commit with the smallest id.
  func fileBefore(_ commit: ObjectID, at path: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    var generation = [commit]
    var seen = Set(generation)
    while !generation.isEmpty, seen.count <= Self.mostBefore {
      var parents: Set<ObjectID> = []
      for commit in generation { parents.formUnion(try store.commit(commit).parents) }
      generation = parents.filter { seen.insert($0).inserted }.sorted()
      for commit in generation { if let entry = try store.file(path, at: commit) { return entry } }
    }
    return nil
  }

  /// Returns a side's text with the versions between git's markers merged. A text without markers, or with versions that
  /// can't be merged, is returned unchanged.
  ///
  /// A line of a base between markers may be unknown to the side's history and to the base of this merge. It was written
  /// there after the merge that left the markers. It stays.
  /// - Parameters:
  ///   - paths: the paths of the note.
  ///   - base: the text from which both sides come.
  func settled(
    _ bytes: [UInt8], at paths: [[UInt8]], in tip: ObjectID, base: [UInt8], rules: MergeRules
  ) throws(SlipboxError) -> NoteText {
    guard let marked = MarkedText(bytes) else { return NoteText(bytes) }
    var known: Set<ArraySlice<UInt8>> = []
    if !marked.linesOfBasesAlone.isEmpty {
      known = Set(base.split { $0 == 0x0A || $0 == 0x0D })
      if !marked.linesOfBasesAlone.isSubset(of: known) { known.formUnion(try lines(of: paths, in: tip)) }
    }
    return marked.keepingBases(unless: known.contains).merged(rules: rules) ?? NoteText(bytes)
  }

  /// Returns the lines of a file in a commit and those before it, from its versions without git's markers.
  private func lines(
    of paths: [[UInt8]], in tip: ObjectID
  ) throws(SlipboxError) -> Set<ArraySlice<UInt8>> {
    var (generation, seen) = ([tip], Set([tip]))
    var (blobs, lines): (Set<ObjectID>, Set<ArraySlice<UInt8>>) = ([], [])
    while !generation.isEmpty, seen.count <= Self.mostBefore {
      var parents: Set<ObjectID> = []
      for commit in generation {
        parents.formUnion(try store.commit(commit).parents)
        for path in paths {
          guard let entry = try store.file(path, at: commit), entry.isRegular,
            blobs.insert(entry.id).inserted
          else { continue }
          let text = try store.content(of: entry)
          if !MergeMarkers.isAnywhere(in: text) { lines.formUnion(text.split { $0 == 0x0A || $0 == 0x0D }) }
        }
      }
      generation = parents.filter { seen.insert($0).inserted }.sorted()
    }
    return lines
  }

  /// Returns the path of a file in a parent; nil if the parent has neither the file nor one that it was moved from.
  private func place(
    of place: Place, in parent: ObjectID, _ part: FilePart
  ) throws(SlipboxError) -> [UInt8]? {
    let isThere = try store.file(place.path, at: place.commit) != nil
    if try store.file(place.path, at: parent) != nil || !isThere || part == .path { return place.path }
    let changes = try FileChanges(store, from: parent, to: place.commit)
    return changes.pairs.first { $0.new?.version.path == place.path }?.old?.version.path
  }

  /// The values of a part in versions of a file, each blob read once.
  private struct Values {
    private let store: Store
    private let part: FilePart
    private var known: [ObjectID: [UInt8]] = [:]

    init(_ store: Store, _ part: FilePart) {
      self.store = store
      self.part = part
    }

    mutating func value(_ entry: TreeEntry?, _ path: [UInt8]) throws(SlipboxError) -> [UInt8]? {
      guard let entry else { return nil }
      switch part {
      case .content:
        if let value = known[entry.id] { return value }
        let text = NoteText(try store.content(of: entry))
        let value = (try? text.clearing(ConflictEntry.fieldName))?.bytes ?? text.bytes
        known[entry.id] = value
        return value
      case .path: return path
      case .note(let part):
        if let value = known[entry.id] { return value }
        let value = part.value(in: NoteText(try store.content(of: entry)))
        known[entry.id] = value
        return value
      }
    }
  }
}

extension MergePart {
  /// Returns the bytes of the part in a note; empty if it has no such field.
  fileprivate func value(in text: NoteText) -> [UInt8] {
    switch self {
    case .body: Array(text.bytes[text.body])
    case .frontMatter: text.block.map { Array(text.bytes[$0]) } ?? []
    case .field(let name): FrontMatter(text)[name].map { Array($0.json.utf8) } ?? []
    }
  }
}

extension FileChanges {
  /// The files that the base has, by the keys of their versions there.
  var byOldVersion: [[UInt8]: Pair] {
    Dictionary(
      pairs.compactMap { pair in pair.isSettled ? nil : pair.old.map { ($0.key, pair) } },
      uniquingKeysWith: { first, _ in first })
  }
}
