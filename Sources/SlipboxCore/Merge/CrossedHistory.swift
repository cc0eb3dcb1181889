import Bytes
import Git
import Notes

/// Settles files for which at most one side of a merge has a change that the other has not seen.
///
/// Criss-cross histories have several best common ancestors. Their texts do not show which side changed a file: devices
/// that merge the same changes in different orders get different texts, and a virtual base equals one of them. The
/// commits show it. If one side has changes that the other has not seen, its version is the result. If neither has, the
/// two versions are merges of the same changes, and a fixed order chooses one. If both have, the versions are merged.
struct CrossedHistory<Store: MergeStore> {
  private let store: Store
  private let bases: [ObjectID]
  private let changes: UnseenChanges<Store>

  /// A file of the base with its versions on both sides.
  private struct Versions {
    let base: FileChanges.Version?
    let one: FileChanges.Version?
    let other: FileChanges.Version?

    subscript(side: MergeSide) -> FileChanges.Version? { side == .one ? one : other }
  }

  init(_ store: Store, bases: [ObjectID], tips: (one: ObjectID, other: ObjectID)) {
    self.store = store
    self.bases = bases
    changes = UnseenChanges(store, tips: tips)
  }

  /// Returns the changes of both sides; those of settled files are on the side that has the result.
  func settling(
    _ one: FileChanges, _ other: FileChanges
  ) throws(SlipboxError) -> (one: FileChanges, other: FileChanges) {
    var (first, second): ([FileChanges.Pair], [FileChanges.Pair]) = ([], [])
    var partners = Partners(other)
    var files: [(pair: FileChanges.Pair?, other: FileChanges.Pair?)] = []
    for pair in one.pairs { files.append((pair, partners.take(for: pair))) }
    files += partners.left.map { (nil, $0) }
    for (pair, otherPair) in files {
      let old = pair?.old ?? otherPair?.old
      let versions = Versions(
        base: old, one: pair.map(\.new) ?? old, other: otherPair.map(\.new) ?? old)
      guard let winner = try winner(of: versions) else {
        if let pair { first.append(pair) }
        if let otherPair { second.append(otherPair) }
        continue
      }
      let settled = FileChanges.Pair(old: versions[winner.opposite], new: versions[winner], isSettled: true)
      if winner == .one { first.append(settled) } else { second.append(settled) }
    }
    return (FileChanges(pairs: first), FileChanges(pairs: second))
  }

  /// Returns the side whose version is the result; nil if the versions have to be merged.
  private func winner(of versions: Versions) throws(SlipboxError) -> MergeSide? {
    guard versions.one?.entry != versions.other?.entry else { return nil }
    for side in [MergeSide.one, .other] where try isInAllBases(versions[side]?.entry) { return nil }
    switch (try hasChange(versions, .one), try hasChange(versions, .other)) {
    case (true, true): return nil
    case (true, false): return .one
    case (false, true): return .other
    case (false, false): return Self.chosen(versions)
    }
  }

  private func isInAllBases(_ entry: TreeEntry?) throws(SlipboxError) -> Bool {
    guard let entry else { return false }
    for base in bases where try store.file(entry.path, at: base) != entry { return false }
    return true
  }

  private func hasChange(_ versions: Versions, _ side: MergeSide) throws(SlipboxError) -> Bool {
    if let entry = versions[side]?.entry { return try changes.hasChange(of: entry, on: side) }
    let paths = Set([versions.base, versions[side.opposite]].compactMap { $0?.entry.path })
    return try changes.hasRemoval(at: Array(paths), on: side)
  }

  /// Chooses between two merges of the same changes: a file before none, the shorter text, the shorter path, the smaller
  /// bytes.
  private static func chosen(_ versions: Versions) -> MergeSide {
    guard let one = versions.one else { return .other }
    guard let other = versions.other else { return .one }
    let sizes = [one, other].map { ($0.version.bytes?.count ?? 0, $0.entry.path.count) }
    if sizes[0] != sizes[1] { return sizes[0] < sizes[1] ? .one : .other }
    if one.entry.path != other.entry.path {
      return one.entry.path.lexicographicallyPrecedes(other.entry.path) ? .one : .other
    }
    return (one.entry.id, one.entry.mode) < (other.entry.id, other.entry.mode) ? .one : .other
  }
}

/// The changes of one side that correspond to those of the other: of one file of the base, or of one note that both
/// added.
private struct Partners {
  private let pairs: [FileChanges.Pair]
  private var byOldVersion: [[UInt8]: Int] = [:]
  private var byID: [NoteID: Int] = [:]
  private var byNewPath: [[UInt8]: Int] = [:]
  private var taken: Set<Int> = []

  init(_ changes: FileChanges) {
    pairs = changes.pairs
    for (index, pair) in pairs.enumerated() {
      if let old = pair.old {
        byOldVersion[old.key] = index
      } else if let new = pair.new {
        byNewPath[new.entry.path] = index
        if let id = new.version.id, byID[id] == nil { byID[id] = index }
      }
    }
  }

  var left: [FileChanges.Pair] { pairs.indices.filter { !taken.contains($0) }.map { pairs[$0] } }

  mutating func take(for pair: FileChanges.Pair) -> FileChanges.Pair? {
    guard let index = index(for: pair), taken.insert(index).inserted else { return nil }
    return pairs[index]
  }

  private func index(for pair: FileChanges.Pair) -> Int? {
    if let old = pair.old { return byOldVersion[old.key] }
    guard let new = pair.new else { return nil }
    if let index = new.version.id.flatMap({ byID[$0] }) { return index }
    guard let index = byNewPath[new.entry.path] else { return nil }
    return new.version.id == nil || pairs[index].new?.version.id == nil ? index : nil
  }
}

/// Determines whether the history of one side of a merge changed a file in a commit that the other side does not have.
///
/// Merges by slip do not count as changes: each device creates its own of the same commits. Every other commit counts. If
/// the answer needs too much history, it is yes.
final class UnseenChanges<Store: MergeStore> {
  /// A commit with the path that the file has there.
  private struct Place: Hashable {
    let commit: ObjectID
    let path: [UInt8]
  }

  /// The key of the cached answer whether a side has a commit.
  private struct Seen: Hashable {
    let commit: ObjectID
    let side: MergeSide
  }

  /// A commit and one of its parents.
  private struct Edge: Hashable {
    let parent: ObjectID
    let commit: ObjectID
  }

  /// The changes of the files of a parent.
  private struct Difference {
    /// The paths of moved files in the parent, by their paths in the commit.
    let moves: [[UInt8]: [UInt8]]
    /// Whether a note without an id was removed: it may be any of the added ones.
    let isUncertain: Bool
  }

  /// The maximum number of commits that are read for one answer.
  private static var most: Int { 2_000 }

  private let store: Store
  private let tips: (one: ObjectID, other: ObjectID)
  private var seen: [Seen: Bool] = [:]
  private var differences: [Edge: Difference] = [:]
  private var commits: [ObjectID: MergeCommit] = [:]
  private var ids: [ObjectID: NoteID?] = [:]

  init(_ store: Store, tips: (one: ObjectID, other: ObjectID)) {
    self.store = store
    self.tips = tips
  }

  /// Returns whether the side that has a file changed it.
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

  /// Returns whether the side that does not have a file removed it from one of the paths.
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
    let question = Seen(commit: commit, side: side)
    if let known = seen[question] { return known }
    let answer = try store.bases(of: commit, and: tip(side)) == [commit]
    seen[question] = answer
    return answer
  }

  private func commit(_ id: ObjectID) throws(SlipboxError) -> MergeCommit {
    if let known = commits[id] { return known }
    let commit = try store.commit(id)
    commits[id] = commit
    return commit
  }

  /// Returns the file in the parent; nil if the parent has neither the file nor one that it was moved from.
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
      ? NoteVersion(path: entry.path, bytes: try store.content(of: entry), blob: entry.id).id : nil
    ids[entry.id] = .some(id)
    return id
  }
}
