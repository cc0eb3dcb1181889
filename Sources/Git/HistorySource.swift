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
package struct CommitTime: Sendable, Equatable {
  /// Since 1970, UTC.
  package let seconds: Int64
  /// East of UTC.
  package let offsetMinutes: Int

  package init(seconds: Int64, offsetMinutes: Int) {
    self.seconds = seconds
    self.offsetMinutes = offsetMinutes
  }
}

/// The commits and trees of a repository for one walk, the last trees kept.
final class HistorySource {
  private static let keptBytes = 32 << 20
  private static let keptCommits = 1 << 14

  private let repository: Repository
  /// Commits whose parents are not here.
  private let cut: Set<ObjectID>
  private var trees: [ObjectID: Tree] = [:]
  private var treeBytes = 0
  private var commits: [ObjectID: CommitLinks] = [:]

  init(_ repository: Repository) throws(GitError) {
    self.repository = repository
    let text = try RawFile.read(repository.commonDirectory / "shallow")?.bytes ?? []
    cut = Set(text.split(separator: 10).compactMap { ObjectID(hex: $0.prefix(40)) })
  }

  /// Makes another source of the same repository, for another thread.
  var another: @Sendable () throws(GitError) -> HistorySource {
    let open = repository.another
    return { () throws(GitError) in try HistorySource(open()) }
  }

  /// The parents that are here: none at the cut of a shallow clone.
  func parents(of commit: Commit) -> [ObjectID] { cut.contains(commit.id) ? [] : commit.parents }

  func commit(_ id: ObjectID) throws(GitError) -> Commit { try repository.read(id) }

  /// A commit without its message.
  func links(_ id: ObjectID) throws(GitError) -> CommitLinks {
    if let known = commits[id] { return known }
    let links = try readLinks(id)
    if commits.count >= Self.keptCommits { commits.removeAll(keepingCapacity: true) }
    commits[id] = links
    return links
  }

  /// Whether a commit is found in the past of another, by a look at no more commits than are as young as it.
  ///
  /// Dates can lie: false may be wrong, true is not.
  func seemsToReach(_ past: ObjectID, from head: ObjectID) throws(GitError) -> Bool {
    let oldest = try links(past).committed
    var queue = PriorityQueue<Int64, CommitLinks>()
    var seen: Set<ObjectID> = [head]
    let start = try links(head)
    queue.push(start, start.committed)
    while let commit = queue.pop() {
      if commit.id == past || commit.parents.contains(past) { return true }
      for parent in commit.parents where seen.insert(parent).inserted {
        let next = try links(parent)
        if next.committed >= oldest { queue.push(next, next.committed) }
      }
    }
    return false
  }

  private func readLinks(_ id: ObjectID) throws(GitError) -> CommitLinks {
    let bytes = try repository.object(id, .commit, isVerified: false).bytes
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
      throw GitError(.damaged(object: id.hex), "the commit \(id.hex) cannot be read; run: git fsck")
    }
    return CommitLinks(
      id: id, tree: tree, parents: cut.contains(id) ? [] : parents, authored: authored, committed: committed)
  }

  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    if let known = trees[id] { return known }
    let tree = Tree(bytes: try repository.object(id, .tree, isVerified: false).bytes)
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
