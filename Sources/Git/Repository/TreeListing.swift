import Bytes
import CLibgit2

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

/// A file that two commits do not hold alike: its bytes or its mode differ, or one of them has no such file.
package struct FileDifference: Sendable, Equatable {
  package let path: [UInt8]
  /// nil if the first commit has no file there.
  package let old: TreeEntry?
  /// nil if the second commit has no file there.
  package let new: TreeEntry?

  package init(path: [UInt8], old: TreeEntry?, new: TreeEntry?) {
    self.path = path
    self.old = old
    self.new = new
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

  /// The file at a path in a commit; nil if there is none, or a folder or submodule.
  package func file(_ path: [UInt8], at commit: ObjectID) throws(GitError) -> TreeEntry? {
    guard let item = try item(path, in: try read(commit).tree), !item.isFolder, !item.isSubmodule else {
      return nil
    }
    return TreeEntry(path: path, id: item.id, mode: item.mode)
  }

  /// Reads a tree object.
  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    if let lastLargeTree, lastLargeTree.id == id { return lastLargeTree.tree }
    let tree = Tree(bytes: try object(id, .tree).bytes)
    if tree.bytes.count >= Self.largeTree { lastLargeTree = (id, tree) }
    return tree
  }

  /// From so many bytes on a tree is kept.
  private static let largeTree = 1 << 16

  /// The item at a path below a tree.
  func item(_ path: [UInt8], in root: ObjectID) throws(GitError) -> TreeItem? {
    var found = TreeItem(name: [], mode: TreeItem.folder, id: root)
    for part in path.split(separator: UInt8(ascii: "/")) {
      guard found.isFolder, let next = try tree(found.id).item(named: part) else { return nil }
      found = next
    }
    return found
  }

  /// The tree of a folder; nil if there is no such folder.
  func folder(_ path: [UInt8], in root: ObjectID) throws(GitError) -> ObjectID? {
    guard let item = try item(path, in: root), item.isFolder else { return nil }
    return item.id
  }

  private static func tooLarge(_ path: [UInt8]) -> GitError {
    GitError(
      .other,
      "this commit has too many folders, or they are nested too deeply or repeated too often, at "
        + GitError.text(path.prefix(200)))
  }
}

extension Repository {
  /// Writes the tree of a commit with some files changed, and the trees of the folders above them.
  ///
  /// If two edits name one path, the later wins. A file replaces a folder of its path, and the other way
  /// round. Folders that become empty are removed.
  /// - Parameter commit: nil starts from an empty tree.
  package func writeTree(base commit: ObjectID?, _ edits: [TreeEdit]) throws(GitError) -> ObjectID {
    var byPath: [[UInt8]: TreeEdit] = [:]
    for edit in edits {
      try PathCheck.validate(edit.path)
      byPath[edit.path] = edit
    }
    try PathCheck.refuseOverlaps(byPath.values.filter(\.isPut).map(\.path))
    let root = try commit.map { id throws(GitError) in try read(id).tree }
    let changes = FolderChange(byPath.values.sorted { $0.path.lexicographicallyPrecedes($1.path) })
    if let tree = try written(changes, over: root, depth: 0) { return tree }
    return try store(.tree, [])
  }

  /// Writes a changed folder; nil if nothing is left in it.
  private func written(
    _ change: FolderChange, over base: ObjectID?, depth: Int
  ) throws(GitError) -> ObjectID? {
    guard depth < Self.maximumDepth else { throw GitError(.other, "the path has too many folders") }
    let old = try base.map { id throws(GitError) in try tree(id) } ?? .empty
    var files = change.files
    var folders = change.folders
    var items: [TreeItem] = []
    for item in old.items {
      if let inner = folders.removeValue(forKey: item.name) {
        let below = item.isFolder ? item.id : nil
        if let item = try merged(item, files.removeValue(forKey: item.name), inner, below, depth) {
          items.append(item)
        }
      } else if let file = files.removeValue(forKey: item.name) {
        // Taking away a file leaves a folder of the name alone.
        if case .put(_, let blob, let mode) = file {
          items.append(TreeItem(name: item.name, mode: mode, id: blob))
        } else if item.isFolder {
          items.append(item)
        }
      } else {
        items.append(item)
      }
    }
    for (name, inner) in folders {
      if let item = try merged(nil, files.removeValue(forKey: name), inner, nil, depth).map({ item in
        TreeItem(name: name, mode: item.mode, id: item.id)
      }) {
        items.append(item)
      }
    }
    for case (let name, .put(_, let blob, let mode)) in files {
      items.append(TreeItem(name: name, mode: mode, id: blob))
    }
    return items.isEmpty ? nil : try store(.tree, Self.bytes(of: items))
  }

  /// The item of a name with changes inside a folder of that name, and perhaps a change of a file of that name.
  private func merged(
    _ old: TreeItem?, _ file: TreeEdit?, _ inner: FolderChange, _ below: ObjectID?, _ depth: Int
  ) throws(GitError) -> TreeItem? {
    if let id = try written(inner, over: below, depth: depth + 1) {
      // Only removals below a path that is a file: the file stays.
      return TreeItem(name: old?.name ?? [], mode: TreeItem.folder, id: id)
    }
    if case .put(_, let blob, let mode)? = file {
      return TreeItem(name: old?.name ?? [], mode: mode, id: blob)
    }
    return old.flatMap { $0.isFolder || file != nil || inner.puts ? nil : $0 }
  }

  private static func bytes(of items: [TreeItem]) -> [UInt8] {
    let sorted = items.sorted { left, right in
      Tree.compare(left.name[...], isFolder: left.isFolder, right.name[...], isFolder: right.isFolder) < 0
    }
    var bytes: [UInt8] = []
    for item in sorted {
      bytes.append(contentsOf: String(item.mode, radix: 8).utf8)
      bytes.append(32)
      bytes.append(contentsOf: item.name)
      bytes.append(0)
      item.id.append(to: &bytes)
    }
    return bytes
  }
}

/// The files of a commit, by path; submodules are left out.
///
/// An entry is decoded at its use: of each file its path in one run of bytes, its id and its mode are stored.
package struct TreeListing: RandomAccessCollection, Sendable, Equatable {
  private var paths: [UInt8] = []
  private var pathEnds: [Int] = []
  private var ids: [ObjectID] = []
  private var modes: [UInt32] = []

  package init() {}

  mutating func append(_ folder: [UInt8], _ name: some Collection<UInt8>, _ id: ObjectID, mode: UInt32) {
    paths += folder
    paths += name
    pathEnds.append(paths.count)
    ids.append(id)
    modes.append(mode)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ids.count }

  /// - Complexity: O(m) for a path of m bytes, which is copied.
  package subscript(position: Int) -> TreeEntry {
    TreeEntry(path: Array(path(at: position)), id: ids[position], mode: modes[position])
  }

  /// The path of a file.
  package func path(at position: Int) -> ArraySlice<UInt8> {
    paths[(position == 0 ? 0 : pathEnds[position - 1])..<pathEnds[position]]
  }

  /// Whether the path of a file sorts before another, as by `memcmp`.
  package func path(_ position: Int, precedes other: [UInt8]) -> Bool {
    path(at: position).precedes(other[...])
  }
}

extension Repository {
  /// The change of one file as a patch that `git apply` takes; nil for a missing file.
  ///
  /// Wraps `git_patch_from_buffers`.
  package func patch(path: [UInt8], before: [UInt8]?, after: [UInt8]?) throws(GitError) -> [UInt8] {
    try GitLibrary.start()
    var options = git_diff_options()
    try GitLibrary.check(git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), "make a patch")
    options.flags |= GIT_DIFF_SHOW_BINARY.rawValue
    // A patch refers to the buffers it was made from, so it is printed while they are lent.
    let (status, bytes) = GitLibrary.buffer { printed in
      path.withCPath { name in
        Self.lending(before) { old, oldCount in
          Self.lending(after) { new, newCount in
            var patch: OpaquePointer?
            let made = git_patch_from_buffers(&patch, old, oldCount, name, new, newCount, name, &options)
            defer { git_patch_free(patch) }
            return made < 0 ? made : git_patch_to_buf(printed, patch)
          }
        }
      }
    }
    try GitLibrary.check(status, "make a patch")
    return bytes
  }

  /// Lends bytes with their count, an empty file as a pointer to no bytes, no file as no pointer.
  private static func lending(
    _ bytes: [UInt8]?, _ body: (UnsafeRawPointer?, Int) -> Int32
  ) -> Int32 {
    guard let bytes else { return body(nil, 0) }
    return (bytes + [0]).withUnsafeBytes { body($0.baseAddress, bytes.count) }
  }
}
