import Bytes
/// Some paths, looked up in one tree after another.
struct PathProbe {
  private static let keptTrees = 8_192

  private let paths: [[ArraySlice<UInt8>]]
  /// For each path, what the trees on the way to it hold under the next name.
  private var known: [[Place: TreeItem?]]

  /// A tree on the way to a path. One tree may be on two levels, where different names are looked for in it: it is, where
  /// all files were moved to a folder.
  private struct Place: Hashable {
    let tree: ObjectID
    let level: Int
  }

  init(_ paths: [[UInt8]]) {
    self.paths = paths.map { $0.split(separator: UInt8(ascii: "/")) }
    known = Array(repeating: [:], count: paths.count)
  }

  var isEmpty: Bool { paths.isEmpty }

  /// What a root tree holds at each path.
  mutating func items(in root: ObjectID, _ source: HistorySource) throws(GitError) -> [TreeItem?] {
    var result: [TreeItem?] = []
    for number in paths.indices { result.append(try item(number, in: root, source)) }
    return result
  }

  private mutating func item(
    _ number: Int, in root: ObjectID, _ source: HistorySource
  ) throws(GitError) -> TreeItem? {
    var found = TreeItem(name: [], mode: TreeItem.folder, id: root)
    for (level, part) in paths[number].enumerated() {
      guard found.isFolder else { return nil }
      let place = Place(tree: found.id, level: level)
      let next: TreeItem?
      if let answer = known[number][place] {
        next = answer
      } else {
        next = try source.tree(found.id).item(named: part)
        if known[number].count >= Self.keptTrees { known[number].removeAll(keepingCapacity: true) }
        known[number][place] = .some(next)
      }
      guard let next else { return nil }
      found = next
    }
    return found
  }
}
