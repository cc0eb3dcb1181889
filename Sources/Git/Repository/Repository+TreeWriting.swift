extension Repository {
  /// Writes the tree of a commit with some files changed, and the trees of the folders above them.
  ///
  /// Where two edits name one path, the later holds. A file put where a folder is takes its place, and the other way
  /// round. Folders that become empty go.
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

  /// Writes a changed folder; nil where nothing is left in it.
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
