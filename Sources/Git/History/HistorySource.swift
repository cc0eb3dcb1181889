import Bytes

/// What a walk over history needs of a commit.
struct CommitLinks: Sendable {
  let id: ObjectID
  let tree: ObjectID
  let parents: [ObjectID]
  let authored: CommitTime
  /// Seconds of the committer.
  let committed: Int64
}

/// When a commit was made, by its author's clock.
package struct CommitTime: Sendable, Equatable, BitwiseCopyable {
  /// Since 1970, UTC.
  package let seconds: Int64
  /// East of UTC.
  package let offsetMinutes: Int

  package init(seconds: Int64, offsetMinutes: Int) {
    self.seconds = seconds
    self.offsetMinutes = offsetMinutes
  }
}

/// Where a history is read from.
struct HistoryObjects {
  /// Commits whose parents are not here, because the clone is shallow.
  let cut: Set<ObjectID>
  /// The bytes of an object; those of trees are not held against its name.
  let bytes: (ObjectID, ObjectKind) throws(GitError) -> [UInt8]
  let commit: (ObjectID) throws(GitError) -> Commit
}

/// The commits and trees of a repository for one walk, the last trees kept. The repository is opened when one is read.
final class HistorySource {
  private static let keptBytes = 32 << 20
  private static let keptCommits = 1 << 14

  private let open: () throws(GitError) -> HistoryObjects
  private var opened: HistoryObjects?
  private var trees: [ObjectID: Tree] = [:]
  private var treeBytes = 0
  private var commits: [ObjectID: CommitLinks] = [:]

  init(_ open: @escaping () throws(GitError) -> HistoryObjects) { self.open = open }

  private func here() throws(GitError) -> HistoryObjects {
    if let opened { return opened }
    let found = try open()
    opened = found
    return found
  }

  /// The parents that are here: none at the cut of a shallow clone.
  func parents(of commit: Commit) throws(GitError) -> [ObjectID] {
    try here().cut.contains(commit.id) ? [] : commit.parents
  }

  func commit(_ id: ObjectID) throws(GitError) -> Commit { try here().commit(id) }

  /// A commit without its message.
  func links(_ id: ObjectID) throws(GitError) -> CommitLinks {
    if let known = commits[id] { return known }
    let links = try readLinks(id)
    if commits.count >= Self.keptCommits { commits.removeAll(keepingCapacity: true) }
    commits[id] = links
    return links
  }

  private func readLinks(_ id: ObjectID) throws(GitError) -> CommitLinks {
    let here = try here()
    let bytes = try here.bytes(id, .commit)
    var tree: ObjectID?
    var parents: [ObjectID] = []
    var authored = CommitTime(seconds: 0, offsetMinutes: 0)
    var committed: Int64 = 0
    var start = 0
    while start < bytes.count, bytes[start] != 10 {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let line = bytes[start..<end]
      start = end + 1
      if line.starts(with: "parent ".utf8) {
        if let parent = ObjectID(hex: line.dropFirst(7)) { parents.append(parent) }
      } else if line.starts(with: "author ".utf8) {
        let signature = Signature(line: line.dropFirst(7)) { _ in "" }
        authored = CommitTime(seconds: signature.seconds, offsetMinutes: signature.offsetMinutes)
      } else if line.starts(with: "committer ".utf8) {
        committed = Signature(line: line.dropFirst(10)) { _ in "" }.seconds
        break
      } else if line.starts(with: "tree ".utf8) {
        tree = ObjectID(hex: line.dropFirst(5))
      }
    }
    guard let tree else {
      throw GitError(.damaged(object: id.hex), "the commit \(id.hex) can't be read; run: git fsck")
    }
    return CommitLinks(
      id: id, tree: tree, parents: here.cut.contains(id) ? [] : parents, authored: authored,
      committed: committed)
  }

  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    if let known = trees[id] { return known }
    let tree = Tree(bytes: try here().bytes(id, .tree))
    if treeBytes > Self.keptBytes {
      trees.removeAll(keepingCapacity: true)
      treeBytes = 0
    }
    trees[id] = tree
    treeBytes += tree.bytes.count
    return tree
  }

  /// The tree of a folder; nil where there is none.
  func folder(_ path: [UInt8], in root: ObjectID) throws(GitError) -> ObjectID? {
    var id = root
    for part in path.split(separator: UInt8(ascii: "/")) {
      guard let item = try tree(id).item(named: part), item.isFolder else { return nil }
      id = item.id
    }
    return id
  }
}
