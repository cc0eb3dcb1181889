import Bytes
import Git
import Notes

/// Two notes that both sides of a merge made, each for itself, with one id.
///
/// The one that was made later gets another id, and what refers to it follows: all that its side changed since the base,
/// for nothing older can mean it.
struct SharedIDs {
  /// A note that gets another id.
  private struct Renumbering {
    let old: NoteID
    let path: [UInt8]

    var new: NoteID { old.another(at: path) }
  }

  private var renumberings: (one: [Renumbering], other: [Renumbering]) = ([], [])

  init<Store: MergeStore>(
    _ one: FileChanges, _ other: FileChanges, _ origins: ChangeOrigins<Store>,
    tips: (one: ObjectID, other: ObjectID)
  ) throws(SlipboxError) {
    let (first, second) = (one.notesAdded, other.notesAdded)
    for (id, path) in first.sorted(by: { $0.key < $1.key }) {
      guard let otherPath = second[id], otherPath != path else { continue }
      let stamps = MergeStamps(
        one: try origins.stamp(of: .path, at: path, in: tips.one),
        other: try origins.stamp(of: .path, at: otherPath, in: tips.other))
      if stamps.later ?? (path.lexicographicallyPrecedes(otherPath) ? .other : .one) == .one {
        renumberings.one.append(Renumbering(old: id, path: path))
      } else {
        renumberings.other.append(Renumbering(old: id, path: otherPath))
      }
    }
  }

  /// The changes of both sides with the ids that are to be.
  func applied<Store: MergeStore>(
    to one: FileChanges, _ other: FileChanges, _ store: Store
  ) throws(SlipboxError) -> (one: FileChanges, other: FileChanges) {
    (
      try Self.apply(renumberings.one, to: one, store), try Self.apply(renumberings.other, to: other, store)
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
      let entry = TreeEntry(path: new.entry.path, id: try store.store(bytes), mode: new.entry.mode)
      let version = NoteVersion(path: entry.path, bytes: bytes, blob: entry.id)
      pairs.append(
        FileChanges.Pair(
          old: pair.old, new: FileChanges.Version(version: version, entry: entry), isSettled: pair.isSettled))
    }
    return FileChanges(pairs: pairs)
  }

  /// A text with the new id in each link and each field that names the note; in the note itself also as its own.
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
  /// Where a word stands in a range, with no letter or digit beside it.
  fileprivate func occurrences(of word: [UInt8], in range: Range<Int>) -> [Int] {
    range.dropLast(word.count - 1).filter { place in
      let end = place + word.count
      return self[place..<end].elementsEqual(word) && !(place > 0 && self[place - 1].isASCIIWord)
        && !(end < count && self[end].isASCIIWord)
    }
  }
}

extension UInt8 {
  fileprivate var isASCIIWord: Bool {
    (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self >= 0x80
  }
}

extension FileChanges {
  /// The paths of the notes that were made with an id, by their ids; none for an id that several have.
  fileprivate var notesAdded: [NoteID: [UInt8]] {
    var paths: [NoteID: [UInt8]] = [:]
    var twice: Set<NoteID> = []
    for pair in pairs where pair.old == nil && !pair.isSettled {
      guard let new = pair.new, let id = new.version.id, new.entry.isRegular else { continue }
      if paths.updateValue(new.entry.path, forKey: id) != nil { twice.insert(id) }
    }
    return paths.filter { !twice.contains($0.key) }
  }
}
