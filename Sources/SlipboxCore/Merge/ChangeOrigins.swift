import Git
import Notes

/// What of a file a change is looked for in.
enum FilePart: Hashable {
  case note(MergePart)
  /// All of its bytes.
  case whole
  /// Whether it is there at all, and under which name.
  case path
}

/// Finds when a side of a merge changed a part of a file to what it has now.
struct ChangeOrigins<Store: MergeStore> {
  private let store: Store
  /// So many commits are looked at for one answer.
  private static var most: Int { 50_000 }
  /// Commits that are searched for a deleted file.
  private static var mostBefore: Int { 1_000 }

  init(_ store: Store) { self.store = store }

  /// A commit with the path that a file has there.
  private struct Place: Hashable {
    let commit: ObjectID
    let path: [UInt8]
  }

  /// When a part of a file got the value that it has in a commit: the latest change that made it so, of those that the
  /// commit has the value from.
  ///
  /// A merge has a value from each parent that has the same. A value that a merge made of its parents' values is as old
  /// as the latest of these: devices that merge the same commits at different times get the same answer.
  /// - Parameter path: from the root of the repository.
  /// - Returns: nil where so much history would have to be read that the answer is not worth it.
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
      let isMade = same.isEmpty && parents.count > 1
      for next in isMade ? parents : same where seen.insert(next).inserted { open.append(next) }
      if same.isEmpty, !isMade, latest.map({ $0.isBefore(commit.stamp) }) ?? true { latest = commit.stamp }
    }
    return latest
  }

  /// The last version of a file before a commit that does not have it; nil if the history before it has none.
  ///
  /// Of several versions as near to the commit, it is the one in the commit with the smallest id.
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

  /// The path of a file in a parent; nil where the parent has neither the file nor one that it was moved from.
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
      case .whole: return entry.id.bytes
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
  /// The bytes of the part in a note; none where it has no such field.
  fileprivate func value(in text: NoteText) -> [UInt8] {
    switch self {
    case .body: Array(text.bytes[text.body])
    case .frontMatter: text.block.map { Array(text.bytes[$0]) } ?? []
    case .field(let name): FrontMatter(text)[name].map { Array($0.json.utf8) } ?? []
    }
  }
}
