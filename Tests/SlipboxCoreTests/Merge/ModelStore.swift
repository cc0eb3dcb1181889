import Git
import Notes
import Testing

@testable import SlipboxCore
import Text

/// Commits and files in memory.
final class ModelStore: MergeStore {
  struct Stored {
    let parents: [ObjectID]
    let tree: [[UInt8]: TreeEntry]
    let stamp: MergeStamp
  }

  let prefix: [UInt8] = []
  /// The new paths of moved notes by their old ones, as messages of commits list them.
  var moved: [String: String] = [:]
  /// The folder whose files a filter stores in another form, with a slash at its end.
  var filteredFolder: String?
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

  func moves(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    let (before, after) = (old.map { tree($0) } ?? [:], tree(new))
    return Dictionary(uniqueKeysWithValues: moved.map { (Array($0.key.utf8), Array($0.value.utf8)) })
      .filter { before[$0.key] != nil && before[$0.value] == nil && after[$0.value] != nil }
  }

  func file(_ path: [UInt8], at commit: ObjectID) throws(SlipboxError) -> TreeEntry? { tree(commit)[path] }

  func content(of blob: ObjectID, at path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    guard let bytes = blobs[blob] else { throw SlipboxError(.notFound, "no blob") }
    return isFiltered(path) && bytes.starts(with: Self.filterMark)
      ? Array(bytes.dropFirst(Self.filterMark.count)) : bytes
  }

  func store(_ content: [UInt8], at path: [UInt8] = []) throws(SlipboxError) -> ObjectID {
    let bytes = isFiltered(path) ? Self.filterMark + content : content
    let id = ObjectID(ofBlob: bytes)
    blobs[id] = bytes
    return id
  }

  /// What the filter puts before a content.
  private static let filterMark = Array("stored: ".utf8)

  func isFiltered(_ path: [UInt8]) -> Bool { filteredFolder.map { path.starts(with: $0.utf8) } ?? false }

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

extension ModelStore {
  /// Makes a commit with files of texts.
  func commit(
    _ parents: [ObjectID], _ seconds: Int64, put: [String: String] = [:], remove: [String] = []
  ) throws -> ObjectID {
    var edits: [TreeEdit] = remove.map { .remove(path: Array($0.utf8)) }
    for (path, text) in put {
      let (path, text) = (Array(path.utf8), Array(text.utf8))
      edits.append(.put(path: path, blob: try store(text, at: path), mode: 0o100644))
    }
    return add(parents.first, edits, parents: parents, seconds: seconds, who: "w\(seconds)")
  }

  /// The files of a merge, which are the same whichever commit the edits apply to.
  func merged(_ one: ObjectID, _ other: ObjectID, rules: MergeRules = MergeRules()) throws -> [String: String]
  {
    var results: [[String: String]] = []
    for (own, their) in [(one, other), (other, one)] {
      let merge = try CommitMerge(self, rules: rules).merge(own, their)
      let made = add(own, try merge.edits(of: own), parents: [own, their], seconds: 99, who: "m")
      var files: [String: String] = [:]
      for (path, entry) in tree(made) {
        files[String(decoding: path, as: UTF8.self)] = String(
          decoding: try content(of: entry), as: UTF8.self)
      }
      results.append(files)
    }
    #expect(results[0] == results[1])
    return results[0]
  }
}
