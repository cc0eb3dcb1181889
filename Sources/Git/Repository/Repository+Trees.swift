import Bytes

/// A file in a commit, by its path from the root of the repository.
package struct TreeEntry: Sendable, Equatable {
  package let path: [UInt8]
  package let id: ObjectID
  /// 0o100644, 0o100755, or 0o120000 for a symbolic link.
  package let mode: UInt32

  /// The mode of a symbolic link.
  package static let symbolicLink: UInt32 = 0o120000

  /// Whether it is a file of bytes, no symbolic link and no submodule.
  package var isRegular: Bool { mode & 0o170000 == 0o100000 }

  package init(path: [UInt8], id: ObjectID, mode: UInt32) {
    self.path = path
    self.id = id
    self.mode = mode
  }
}

extension Repository {
  /// Trees nested deeper than this are refused; git's own limit is 2,048.
  static let maximumDepth = 1_000
  /// More files than this in one commit are refused.
  static let maximumFiles = 20_000_000

  /// The files of a commit below a folder (all for an empty prefix).
  /// - Complexity: linear in the bytes of the trees, and in a bounded number of files in folders that are there again.
  package func files(at commit: ObjectID, under prefix: [UInt8]) throws(GitError) -> TreeListing {
    var result = TreeListing()
    guard let root = try folder(prefix, in: try read(commit).tree) else { return result }
    var budget = TreeBudget()
    var open: [(tree: Tree, next: Int, path: [UInt8])] = [
      (try tree(root), 0, prefix.isEmpty ? [] : prefix / "")
    ]
    while var level = open.popLast() {
      guard let place = level.tree.place(at: level.next) else { continue }
      level.next = place.end
      open.append(level)
      let name = level.tree.bytes[place.name]
      if place.isFolder {
        let (path, id) = (level.path + name, level.tree.id(at: place))
        let folder = try tree(id)
        guard open.count < Self.maximumDepth, budget.allows(id, folder) else { throw Self.tooLarge(path) }
        open.append((folder, 0, path / ""))
      } else if place.mode != TreeItem.submodule {
        guard result.count < Self.maximumFiles else { throw Self.tooLarge(level.path + name) }
        result.append(level.path, name, level.tree.id(at: place), mode: place.mode)
      }
    }
    return result
  }

  /// The file at a path in a commit; nil where there is none, or a folder or submodule.
  package func file(_ path: [UInt8], at commit: ObjectID) throws(GitError) -> TreeEntry? {
    guard let item = try item(path, in: try read(commit).tree), !item.isFolder, !item.isSubmodule else {
      return nil
    }
    return TreeEntry(path: path, id: item.id, mode: item.mode)
  }

  /// Reads a tree object.
  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    Tree(bytes: try object(id, .tree).bytes)
  }

  /// The item at a path below a tree.
  func item(_ path: [UInt8], in root: ObjectID) throws(GitError) -> TreeItem? {
    var found = TreeItem(name: [], mode: TreeItem.folder, id: root)
    for part in path.split(separator: UInt8(ascii: "/")) {
      guard found.isFolder, let next = try tree(found.id).item(named: part) else { return nil }
      found = next
    }
    return found
  }

  /// The tree of a folder; nil where there is no such folder.
  func folder(_ path: [UInt8], in root: ObjectID) throws(GitError) -> ObjectID? {
    guard let item = try item(path, in: root), item.isFolder else { return nil }
    return item.id
  }

  private static func tooLarge(_ path: [UInt8]) -> GitError {
    GitError(
      .other,
      "the folders of this commit are nested too deeply, too many, or repeated too often, at "
        + GitError.text(path.prefix(200)))
  }
}
