/// A file that two trees do not hold alike.
struct ChangedFile {
  let path: [UInt8]
  /// What the first tree has there; nil where it has no file.
  let id: ObjectID?
  /// What the second tree has there; nil where it has no file.
  let other: ObjectID?
}

/// The files that two trees do not hold alike; equal folders are never read.
struct TreeComparison {
  let source: HistorySource

  /// Two folders of one name that differ.
  private struct Pair {
    /// From the top of the trees, with a slash at its end.
    let path: [UInt8]
    let one: ObjectID?
    let two: ObjectID?
  }

  /// Compares the folder of a prefix in two root trees; nil stands for no tree.
  /// - Complexity: linear in the folders that differ.
  func changes(
    in root: ObjectID?, against other: ObjectID?, under prefix: [UInt8]
  ) throws(GitError) -> [ChangedFile] {
    if root == other { return [] }
    let one = try root.flatMap { id throws(GitError) in try source.folder(prefix, in: id) }
    let two = try other.flatMap { id throws(GitError) in try source.folder(prefix, in: id) }
    guard one != two else { return [] }
    var result: [ChangedFile] = []
    var open = [Pair(path: prefix.isEmpty ? [] : prefix / "", one: one, two: two)]
    while let pair = open.popLast() {
      guard pair.path.count < 16_384, result.count < Repository.maximumFiles else {
        throw GitError(.other, "the folders of a commit are too deep or too many")
      }
      let left = try pair.one.map { id throws(GitError) in try source.tree(id) } ?? .empty
      let right = try pair.two.map { id throws(GitError) in try source.tree(id) } ?? .empty
      Self.compare(left, right, below: pair.path, &result, &open)
    }
    return result
  }

  /// Compares two trees entry by entry; folders that differ are left open.
  private static func compare(
    _ left: Tree, _ right: Tree, below path: [UInt8], _ result: inout [ChangedFile], _ open: inout [Pair]
  ) {
    var entries = DifferingEntries(left, right)
    while let (one, two) = entries.next() {
      let id = one.map { left.id(at: $0) }
      let other = two.map { right.id(at: $0) }
      guard let name = one.map({ left.bytes[$0.name] }) ?? two.map({ right.bytes[$0.name] }) else { continue }
      let folder = (one?.isFolder == true ? id : nil, two?.isFolder == true ? other : nil)
      if folder.0 != nil || folder.1 != nil {
        open.append(Pair(path: (path + name) / "", one: folder.0, two: folder.1))
      }
      let file = (one?.isFile == true ? id : nil, two?.isFile == true ? other : nil)
      if file.0 != nil || file.1 != nil {
        result.append(ChangedFile(path: path + name, id: file.0, other: file.1))
      }
    }
  }
}

extension Tree.Place {
  /// Whether it is a file or a symbolic link.
  var isFile: Bool { !isFolder && mode != TreeItem.submodule }
}
