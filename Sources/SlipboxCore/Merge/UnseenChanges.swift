import Bytes
import Git
import Notes

/// Finds whether the history of one side of a merge changed a file in a commit that the other side does not have.
///
/// Merges that slip made are no changes: each device makes its own of the same commits. Every other commit counts, and
/// an answer that needs too much history is yes.
final class UnseenChanges<Store: MergeStore> {
  /// A commit with the path that the file has there.
  private struct Place: Hashable {
    let commit: ObjectID
    let path: [UInt8]
  }

  /// A commit and one of its parents.
  private struct Edge: Hashable {
    let parent: ObjectID
    let commit: ObjectID
  }

  /// What became of the files of a parent.
  private struct Difference {
    /// The paths of moved files in the parent, by their paths in the commit.
    let moves: [[UInt8]: [UInt8]]
    /// Whether a note without an id is gone: it may be any that came.
    let isUncertain: Bool
  }

  /// So many commits are read for one answer.
  private static var most: Int { 2_000 }

  private let store: Store
  private let tips: (one: ObjectID, other: ObjectID)
  private var seen: [ObjectID: (one: Bool?, other: Bool?)] = [:]
  private var differences: [Edge: Difference] = [:]
  private var commits: [ObjectID: MergeCommit] = [:]
  private var ids: [ObjectID: NoteID?] = [:]

  init(_ store: Store, tips: (one: ObjectID, other: ObjectID)) {
    self.store = store
    self.tips = tips
  }

  /// Whether the side that has a file changed it.
  func hasChange(of entry: TreeEntry, on side: MergeSide) throws(SlipboxError) -> Bool {
    var open = [Place(commit: tip(side), path: entry.path)]
    var read = Set(open)
    while let place = open.popLast() {
      if try isSeen(place.commit, by: side.opposite) { continue }
      guard read.count <= Self.most, let now = try store.file(place.path, at: place.commit) else {
        return true
      }
      let commit = try commit(place.commit)
      let isMerge = commit.parents.count > 1
      var isKnown = false
      for parent in commit.parents {
        let edge = Edge(parent: parent, commit: place.commit)
        guard let before = try earlier(now, in: edge) else {
          if try id(of: now) == nil, try difference(edge).isUncertain,
            try !isSeen(parent, by: side.opposite)
          {
            return true
          }
          continue
        }
        if before != now, !isMerge || !commit.isMergeOfSlip { return true }
        isKnown = true
        let next = Place(commit: parent, path: before.path)
        if read.insert(next).inserted { open.append(next) }
      }
      if !isKnown { return true }
    }
    return false
  }

  /// Whether the side that does not have a file removed it from one of the paths.
  func hasRemoval(at paths: [[UInt8]], on side: MergeSide) throws(SlipboxError) -> Bool {
    var open = paths.map { Place(commit: tip(side), path: $0) }
    var read = Set(open)
    while let place = open.popLast() {
      if try isSeen(place.commit, by: side.opposite) { continue }
      guard read.count <= Self.most else { return true }
      let commit = try commit(place.commit)
      for parent in commit.parents {
        if try store.file(place.path, at: parent) != nil {
          if commit.parents.count == 1 || !commit.isMergeOfSlip { return true }
          continue
        }
        let next = Place(commit: parent, path: place.path)
        if read.insert(next).inserted { open.append(next) }
      }
    }
    return false
  }

  private func tip(_ side: MergeSide) -> ObjectID { side == .one ? tips.one : tips.other }

  private func isSeen(_ commit: ObjectID, by side: MergeSide) throws(SlipboxError) -> Bool {
    let known = seen[commit] ?? (nil, nil)
    if let answer = side == .one ? known.one : known.other { return answer }
    let answer = try store.bases(of: commit, and: tip(side)) == [commit]
    seen[commit] = side == .one ? (answer, known.other) : (known.one, answer)
    return answer
  }

  private func commit(_ id: ObjectID) throws(SlipboxError) -> MergeCommit {
    if let known = commits[id] { return known }
    let commit = try store.commit(id)
    commits[id] = commit
    return commit
  }

  /// The file in the parent; nil if the parent has neither the file nor one that it was moved from.
  private func earlier(_ now: TreeEntry, in edge: Edge) throws(SlipboxError) -> TreeEntry? {
    if let before = try store.file(now.path, at: edge.parent) {
      if before.id == now.id { return before }
      let (old, new) = (try id(of: before), try id(of: now))
      if old == new || old == nil || new == nil { return before }
    }
    return try difference(edge).moves[now.path].flatMap { (path) throws(SlipboxError) in
      try store.file(path, at: edge.parent)
    }
  }

  private func difference(_ edge: Edge) throws(SlipboxError) -> Difference {
    if let known = differences[edge] { return known }
    let changes = try FileChanges(store, from: edge.parent, to: edge.commit)
    let moves = changes.pairs.compactMap { pair in
      pair.new.flatMap { new in pair.old.map { (new.entry.path, $0.entry.path) } }
    }
    let difference = Difference(
      moves: Dictionary(moves, uniquingKeysWith: { first, _ in first }),
      isUncertain: changes.pairs.contains { $0.new == nil && $0.old?.version.id == nil })
    differences[edge] = difference
    return difference
  }

  private func id(of entry: TreeEntry) throws(SlipboxError) -> NoteID? {
    if let known = ids[entry.id] { return known }
    let isNote = entry.isRegular && FileName.isNote(entry.path)
    let id =
      isNote
      ? NoteVersion(path: entry.path, bytes: try store.bytes(of: entry.id), blob: entry.id).id : nil
    ids[entry.id] = .some(id)
    return id
  }
}
