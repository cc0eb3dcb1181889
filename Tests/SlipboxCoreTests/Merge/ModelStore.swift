import Git
import Notes

@testable import SlipboxCore

/// Commits and files in memory.
final class ModelStore: MergeStore {
  struct Stored {
    let parents: [ObjectID]
    let tree: [[UInt8]: TreeEntry]
    let stamp: MergeStamp
  }

  let prefix: [UInt8] = []
  private(set) var commits: [ObjectID: Stored] = [:]
  private var blobs: [ObjectID: [UInt8]] = [:]
  private var ancestors: [ObjectID: Set<ObjectID>] = [:]

  func commit(_ id: ObjectID) throws(SlipboxError) -> MergeCommit {
    guard let commit = commits[id] else { throw SlipboxError(.notFound, "no commit") }
    return MergeCommit(
      parents: commit.parents, stamp: commit.stamp, isMergeOfSlip: commit.parents.count > 1)
  }

  func tree(_ id: ObjectID) -> [[UInt8]: TreeEntry] { commits[id]?.tree ?? [:] }

  func differences(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [FileDifference] {
    let (before, after) = (old.map { tree($0) } ?? [:], tree(new))
    let paths = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    return paths.sorted { $0.lexicographicallyPrecedes($1) }.map {
      FileDifference(path: $0, old: before[$0], new: after[$0])
    }
  }

  func moves(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [[UInt8]: [UInt8]] { [:] }

  func file(_ path: [UInt8], at commit: ObjectID) throws(SlipboxError) -> TreeEntry? { tree(commit)[path] }

  func content(of blob: ObjectID, at path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    guard let bytes = blobs[blob] else { throw SlipboxError(.notFound, "no blob") }
    return bytes
  }

  func store(_ bytes: [UInt8], at path: [UInt8] = []) throws(SlipboxError) -> ObjectID {
    let id = ObjectID(ofBlob: bytes)
    blobs[id] = bytes
    return id
  }

  func isFiltered(_ path: [UInt8]) -> Bool { false }

  func bases(of one: ObjectID, and other: ObjectID) throws(SlipboxError) -> [ObjectID] {
    let common = ancestors(of: one).intersection(ancestors(of: other))
    return common.filter { base in !common.contains { $0 != base && ancestors(of: $0).contains(base) } }
  }

  /// The commit and all before it.
  func ancestors(of id: ObjectID) -> Set<ObjectID> {
    if let known = ancestors[id] { return known }
    let all = (commits[id]?.parents ?? []).reduce(into: Set([id])) { $0.formUnion(ancestors(of: $1)) }
    ancestors[id] = all
    return all
  }

  func virtualCommit(
    _ base: ObjectID, _ edits: [TreeEdit], parents: [ObjectID]
  ) throws(SlipboxError) -> ObjectID {
    add(base, edits, parents: parents, seconds: 0, who: "slip")
  }

  /// Makes a commit: the files of another with edits.
  func add(
    _ base: ObjectID?, _ edits: [TreeEdit], parents: [ObjectID], seconds: Int64, who: String
  ) -> ObjectID {
    var tree = base.map { self.tree($0) } ?? [:]
    for edit in edits {
      switch edit {
      case .put(let path, let blob, let mode): tree[path] = TreeEntry(path: path, id: blob, mode: mode)
      case .remove(let path): tree[path] = nil
      }
    }
    var text = "\(parents.map(\.hex)) \(seconds) \(who)"
    for (path, entry) in tree.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      text += "\n\(String(decoding: path, as: UTF8.self)) \(entry.id.hex) \(entry.mode)"
    }
    let id = ObjectID(ofBlob: Array(text.utf8))
    commits[id] = Stored(
      parents: parents, tree: tree,
      stamp: MergeStamp(seconds: seconds, commit: id.hex, when: "w\(seconds)", who: who, device: who))
    return id
  }
}
