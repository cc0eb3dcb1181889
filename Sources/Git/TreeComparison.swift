/// A file that a tree has and another has not, or has otherwise.
struct ChangedFile {
  let path: [UInt8]
  /// Whether the other tree has a file at the path too.
  let isInOther: Bool
}

/// The files of one tree that another does not hold alike; equal folders are never read.
struct TreeComparison {
  let source: HistorySource

  /// Compares the folder of a prefix in two root trees; nil stands for no tree.
  /// - Complexity: linear in the folders that differ.
  func changes(
    in root: ObjectID, against other: ObjectID?, under prefix: [UInt8]
  ) throws(GitError) -> [ChangedFile] {
    if root == other { return [] }
    let one = try source.folder(prefix, in: root)
    let two = try other.flatMap { id throws(GitError) in try source.folder(prefix, in: id) }
    guard let one, one != two else { return [] }
    var result: [ChangedFile] = []
    var open: [(path: [UInt8], one: ObjectID, two: ObjectID?)] = [
      (prefix.isEmpty ? [] : prefix / "", one, two)
    ]
    while let (path, one, two) = open.popLast() {
      guard path.count < 16_384, result.count < Repository.maximumFiles else {
        throw GitError(.other, "the folders of a commit are too deep or too many")
      }
      let right = try two.map { id throws(GitError) in try source.tree(id) } ?? .empty
      Self.compare(try source.tree(one), right, below: path, &result, &open)
    }
    return result
  }

  /// Compares two trees entry by entry; folders that differ are left open.
  private static func compare(
    _ left: Tree, _ right: Tree, below path: [UInt8], _ result: inout [ChangedFile],
    _ open: inout [(path: [UInt8], one: ObjectID, two: ObjectID?)]
  ) {
    var other = right.place(at: 0)
    var next = 0
    while let place = left.place(at: next) {
      next = place.end
      var order = -1
      while let found = other {
        order = compareNames(left, place, right, found)
        if order <= 0 { break }
        other = right.place(at: found.end)
        order = -1
      }
      let twin = order == 0 ? other : nil
      let id = left.id(at: place)
      let twinID = twin.map { right.id(at: $0) }
      if twinID == id, twin?.mode == place.mode { continue }
      if place.isFolder {
        open.append(((path + left.bytes[place.name]) / "", id, twin?.isFolder == true ? twinID : nil))
      } else if place.mode != TreeItem.submodule {
        let isFile = twin.map { !$0.isFolder && $0.mode != TreeItem.submodule } ?? false
        result.append(ChangedFile(path: path + left.bytes[place.name], isInOther: isFile))
      }
    }
  }

  private static func compareNames(_ left: Tree, _ one: Tree.Place, _ right: Tree, _ two: Tree.Place) -> Int {
    Tree.compare(
      left.bytes[one.name], isFolder: one.isFolder, right.bytes[two.name], isFolder: two.isFolder)
  }
}
