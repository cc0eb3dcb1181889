import Bytes
import Glibc

/// A file that two commits do not hold alike: its bytes or its mode differ, or one of them has no such file.
package struct FileDifference: Sendable, Equatable {
  package let path: [UInt8]
  /// Nil where the first commit has no file there.
  package let old: TreeEntry?
  /// Nil where the second commit has no file there.
  package let new: TreeEntry?

  package init(path: [UInt8], old: TreeEntry?, new: TreeEntry?) {
    self.path = path
    self.old = old
    self.new = new
  }
}

extension Repository {
  /// The files below a folder (all for an empty prefix) that differ between two commits, sorted by path.
  ///
  /// Submodules are left out. A first commit that is nil has no files.
  /// - Complexity: linear in the folders that differ; equal ones are not read.
  package func changedFiles(
    from old: ObjectID?, to new: ObjectID, under prefix: [UInt8]
  ) throws(GitError) -> [FileDifference] {
    try differences(from: old, to: try read(new).tree, under: prefix, .files)
  }

  /// The files of a tree that a commit does not have alike, sorted by path.
  /// - Complexity: as `changedFiles(from:to:under:)`.
  func changedFiles(from commit: ObjectID, toTree tree: ObjectID) throws(GitError) -> [FileDifference] {
    try differences(from: commit, to: tree, under: [], .files)
  }

  /// The paths of the submodules that differ between two commits, sorted.
  /// - Complexity: as `changedFiles(from:to:under:)`.
  package func changedSubmodules(from old: ObjectID?, to new: ObjectID) throws(GitError) -> [[UInt8]] {
    try differences(from: old, to: try read(new).tree, under: [], .submodules).map(\.path)
  }

  private func differences(
    from old: ObjectID?, to tree: ObjectID, under prefix: [UInt8], _ wanted: WantedEntries
  ) throws(GitError) -> [FileDifference] {
    let one = try old.flatMap { commit throws(GitError) in try folder(prefix, in: try read(commit).tree) }
    let two = try folder(prefix, in: tree)
    guard one != two else { return [] }
    var result: [FileDifference] = []
    var open = [FolderPair(path: prefix.isEmpty ? [] : prefix / "", depth: 1, one: one, two: two)]
    var budgets = (TreeBudget(), TreeBudget())
    while let pair = open.popLast() {
      let left = try pair.one.map { id throws(GitError) in try self.tree(id) } ?? .empty
      let right = try pair.two.map { id throws(GitError) in try self.tree(id) } ?? .empty
      let isBounded =
        budgets.0.allows(pair.one ?? .zero, left) && budgets.1.allows(pair.two ?? .zero, right)
      guard pair.depth < Self.maximumDepth, result.count < Self.maximumFiles, isBounded else {
        throw GitError(
          .other, "a commit has too many folders, or they are nested too deeply or repeated too often")
      }
      pair.compare(left, right, wanted, &result, &open)
    }
    return result.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }
}

/// The entries of trees that a comparison returns.
private enum WantedEntries { case files, submodules }

/// Two folders of one name that differ; nil stands for none.
private struct FolderPair {
  /// From the top of the trees, with a slash at its end.
  let path: [UInt8]
  let depth: Int
  let one: ObjectID?
  let two: ObjectID?

  /// Adds the files that differ, and leaves open the folders that do.
  func compare(
    _ left: Tree, _ right: Tree, _ wanted: WantedEntries, _ result: inout [FileDifference],
    _ open: inout [FolderPair]
  ) {
    var entries = DifferingEntries(left, right)
    while let (mine, theirs) = entries.next() {
      let old = mine.map { left.item(at: $0) }
      let new = theirs.map { right.item(at: $0) }
      guard let name = old?.name ?? new?.name else { continue }
      let path = path + name
      if old?.isFolder == true || new?.isFolder == true {
        let one = old?.isFolder == true ? old?.id : nil
        let two = new?.isFolder == true ? new?.id : nil
        open.append(FolderPair(path: path / "", depth: depth + 1, one: one, two: two))
      }
      let difference = FileDifference(
        path: path, old: old?.entry(at: path, wanted), new: new?.entry(at: path, wanted))
      if difference.old != nil || difference.new != nil { result.append(difference) }
    }
  }
}

extension TreeItem {
  /// The item as an entry of the wanted type; nil if it is of another one.
  fileprivate func entry(at path: [UInt8], _ wanted: WantedEntries) -> TreeEntry? {
    if isFolder || isSubmodule != (wanted == .submodules) { return nil }
    return TreeEntry(path: path, id: id, mode: mode)
  }
}

/// The entries that two trees do not hold alike, in the order of their names.
///
/// A file and a folder of one name are two entries.
struct DifferingEntries {
  private let left: Tree
  private let right: Tree
  private var one = 0
  private var two = 0

  init(_ left: Tree, _ right: Tree) {
    self.left = left
    self.right = right
  }

  /// The next of them, as each of the trees has it; nil at the end.
  mutating func next() -> (Tree.Place?, Tree.Place?)? {
    while true {
      let alike = left.lengthOfEqualEntries(at: one, right, at: two)
      one += alike
      two += alike
      let mine = left.place(at: one)
      let theirs = right.place(at: two)
      let order: Int
      if let mine, let theirs {
        order = compareNames(mine, theirs)
      } else if mine == nil, theirs == nil {
        return nil
      } else {
        order = mine == nil ? 1 : -1
      }
      let first = order <= 0 ? mine : nil
      let second = order >= 0 ? theirs : nil
      if let first { one = first.end }
      if let second { two = second.end }
      if let first, let second, first.mode == second.mode, left.id(at: first) == right.id(at: second) {
        continue
      }
      return (first, second)
    }
  }

  private func compareNames(_ one: Tree.Place, _ two: Tree.Place) -> Int {
    Tree.compare(
      left.bytes[one.name], isFolder: one.isFolder, right.bytes[two.name], isFolder: two.isFolder)
  }
}

extension Tree {
  /// How many bytes of entries are the same in two trees from two offsets on.
  fileprivate func lengthOfEqualEntries(at start: Int, _ other: Tree, at otherStart: Int) -> Int {
    bytes.withUnsafeBytes { left in
      other.bytes.withUnsafeBytes { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return 0 }
        let shared = min(left.count - start, right.count - otherStart)
        var length = 0
        while length < shared {
          let rest = one + start + length
          guard let nul = memchr(rest, 0, shared - length) else { break }
          let entry = UnsafeRawPointer(nul) - rest + 21
          guard length + entry <= shared, memcmp(rest, two + otherStart + length, entry) == 0 else { break }
          length += entry
        }
        return length
      }
    }
  }
}
