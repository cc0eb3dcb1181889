import Bytes
import Git
import Notes

/// Two notes with one id that the two sides of a merge created independently.
///
/// The later one gets another id. All references to it on its side since the base follow, because nothing older can refer
/// to it. The next record of a series is one note: it has the same id on every device, and a path with the month of its
/// creation. The earlier path is kept.
struct SharedIDs {
  /// A note that gets another id.
  struct Renumbering {
    let old: NoteID
    let path: [UInt8]
    /// The path of the note that keeps the id.
    let keeper: [UInt8]

    var new: NoteID { old.another(at: path) }
  }

  private var renumberings: (one: [Renumbering], other: [Renumbering]) = ([], [])
  /// The new paths of notes by those at which they were created.
  private var moves: (one: [[UInt8]: [UInt8]], other: [[UInt8]: [UInt8]]) = ([:], [:])

  init<Store: MergeStore>(
    _ one: FileChanges, _ other: FileChanges, _ base: ObjectID?, _ origins: ChangeOrigins<Store>,
    tips: (one: ObjectID, other: ObjectID), _ store: Store
  ) throws(SlipboxError) {
    let (first, second) = (one.notesAdded, other.notesAdded)
    let next = one.nextIDs.intersection(other.nextIDs)
    let made = Set(first.keys).intersection(second.keys)
    let copied = try Self.known(made, in: base, store)
    for (id, version) in first.sorted(by: { $0.key < $1.key }) where !copied.contains(id) {
      guard let otherVersion = second[id] else { continue }
      let (path, otherPath) = (version.entry.path, otherVersion.entry.path)
      guard otherPath != path else { continue }
      if next.contains(id) {
        if (version.created, path.description) <= (otherVersion.created, otherPath.description) {
          moves.other[otherPath] = path
        } else {
          moves.one[path] = otherPath
        }
        continue
      }
      let stamps = MergeStamps(
        one: try origins.stamp(of: .path, at: path, in: tips.one),
        other: try origins.stamp(of: .path, at: otherPath, in: tips.other))
      if stamps.later ?? (path.lexicographicallyPrecedes(otherPath) ? .other : .one) == .one {
        renumberings.one.append(Renumbering(old: id, path: path, keeper: otherPath))
      } else {
        renumberings.other.append(Renumbering(old: id, path: otherPath, keeper: path))
      }
    }
  }

  /// Returns the ids that notes of the base have: notes with them are copies of these, and links mean the original.
  ///
  /// - Complexity: reads all notes of the base if there are ids to look for.
  private static func known<Store: MergeStore>(
    _ ids: Set<NoteID>, in base: ObjectID?, _ store: Store
  ) throws(SlipboxError) -> Set<NoteID> {
    guard let base, !ids.isEmpty else { return [] }
    var known: Set<NoteID> = []
    for case let entry? in try store.differences(from: nil, to: base).map(\.new)
    where entry.isRegular && FileName.isNote(entry.path) {
      let bytes = try store.content(of: entry)
      if let id = Note(path: entry.path, text: NoteText(bytes)).id, ids.contains(id) { known.insert(id) }
    }
    return known
  }

  var all: [Renumbering] { renumberings.one + renumberings.other }

  /// The paths at which a side created a note that is at another one in the merge.
  var leftPaths: [[UInt8]] { Array(moves.one.keys) + moves.other.keys }

  /// Returns the changes of both sides with the new ids.
  func applied<Store: MergeStore>(
    to one: FileChanges, _ other: FileChanges, _ store: Store
  ) throws(SlipboxError) -> (one: FileChanges, other: FileChanges) {
    (
      try Self.apply(renumberings.one, to: one.moving(moves.one), store),
      try Self.apply(renumberings.other, to: other.moving(moves.other), store)
    )
  }

  private static func apply<Store: MergeStore>(
    _ renumberings: [Renumbering], to changes: FileChanges, _ store: Store
  ) throws(SlipboxError) -> FileChanges {
    guard !renumberings.isEmpty else { return changes }
    var pairs: [FileChanges.Pair] = []
    for pair in changes.pairs {
      guard let new = pair.new, var bytes = new.version.bytes else {
        pairs.append(pair)
        continue
      }
      for renumbering in renumberings {
        bytes = Self.bytes(bytes, with: renumbering, isItself: new.entry.path == renumbering.path)
      }
      guard bytes != new.version.bytes else {
        pairs.append(pair)
        continue
      }
      let entry = TreeEntry(
        path: new.entry.path, id: try store.store(bytes, at: new.entry.path), mode: new.entry.mode)
      let version = NoteVersion(path: entry.path, bytes: bytes, blob: entry.id)
      pairs.append(
        FileChanges.Pair(
          old: pair.old, new: FileChanges.Version(version: version, entry: entry), isSettled: pair.isSettled))
    }
    return FileChanges(pairs: pairs)
  }

  /// Returns a text with the new id in each link and each field that names the note; in the note itself also as its own.
  private static func bytes(_ bytes: [UInt8], with renumbering: Renumbering, isItself: Bool) -> [UInt8] {
    let (old, new) = (renumbering.old.bytes, renumbering.new.bytes)
    let note = Note(path: renumbering.path, text: NoteText(bytes))
    var places: Set<Int> = []
    for link in note.links {
      guard case .name(let name) = LinkAddress(link), name.readings.contains(old),
        let target = LinkPlace(link, in: bytes)?.target
      else { continue }
      places.formUnion(bytes.occurrences(of: old, in: target).prefix(1))
    }
    for field in note.frontMatter.fields where field.value.strings.contains(renumbering.old.description) {
      guard field.name != "id" || isItself else { continue }
      places.formUnion(bytes.occurrences(of: old, in: field.span))
    }
    var result = bytes
    for place in places.sorted(by: >) { result.replaceSubrange(place..<place + old.count, with: new) }
    return result
  }
}

extension [UInt8] {
  /// Returns the places of a word in a range, with no letter or digit beside it.
  fileprivate func occurrences(of word: [UInt8], in range: Range<Int>) -> [Int] {
    range.dropLast(word.count - 1).filter { place in
      let end = place + word.count
      return self[place..<end].elementsEqual(word) && self[..<place].last?.isASCIIWord != true
        && self[end...].first?.isASCIIWord != true
    }
  }
}

extension UInt8 {
  fileprivate var isASCIIWord: Bool {
    (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self >= 0x80
  }
}

extension FileChanges {
  /// The added notes with an id, by their ids, without an id that several have.
  fileprivate var notesAdded: [NoteID: Version] {
    var notes: [NoteID: Version] = [:]
    var twice: Set<NoteID> = []
    for pair in pairs where pair.old == nil && !pair.isSettled {
      guard let new = pair.new, let id = new.version.id, new.entry.isRegular else { continue }
      if notes.updateValue(new, forKey: id) != nil { twice.insert(id) }
    }
    return notes.filter { !twice.contains($0.key) }
  }

  /// The ids of the next records of those that were changed.
  fileprivate var nextIDs: Set<NoteID> {
    Set(
      pairs.compactMap { pair in
        guard pair.old != nil, let version = pair.new?.version else { return nil }
        return NoteID.next(after: version.id?.description ?? ByteText.text(of: version.path))
      })
  }

  /// Returns the changes with new notes at other paths.
  fileprivate func moving(_ paths: [[UInt8]: [UInt8]]) -> FileChanges {
    guard !paths.isEmpty else { return self }
    return FileChanges(
      pairs: pairs.map { pair in
        guard pair.old == nil, let new = pair.new, let path = paths[new.entry.path] else { return pair }
        let entry = TreeEntry(path: path, id: new.entry.id, mode: new.entry.mode)
        let version = NoteVersion(path: path, bytes: new.version.bytes ?? [], blob: entry.id)
        return Pair(old: nil, new: Version(version: version, entry: entry))
      })
  }
}

extension FileChanges.Version {
  fileprivate var created: Int64 {
    Note(path: entry.path, text: NoteText(version.bytes ?? [])).created?.millisecondsSince1970 ?? .max
  }
}
