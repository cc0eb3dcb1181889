import Bytes
/// How a file of a commit relates to the parents of that commit.
enum FileRelation: Equatable {
  /// The commit has no file at the path.
  case gone
  /// A parent has the file with other content: the first such parent, by its place.
  case changed(parent: Int)
  /// A parent other than the first has the file as it is: the first such parent, by its place.
  case same(parent: Int)
  /// No parent has a file at the path.
  case added
  /// As `added`, but the commit took a file of the same bytes away: its place among the paths.
  case renamed(from: Int)
}

/// The paths at which a commit differs from its first parent, with their relation to all parents.
///
/// A file, a link or a submodule counts where it came, went or changed; a folder only where nothing below it explains
/// that it differs. Equal folders are never read.
struct TreeChanges {
  /// One path; a file and a folder of one name are two changes.
  struct Change {
    let path: [UInt8]
    /// What the commit has there; nil where it has no file.
    let blob: ObjectID?
    /// What its first parent has there; nil where it has no file.
    let former: ObjectID?
    /// For a renamed file the place is that among the changes.
    var relation: FileRelation
  }

  /// The tree of a further parent beside that of the commit.
  fileprivate enum Side {
    case equal
    case folder(Tree, offset: Int)
  }

  private static let deepest = 1_000
  /// So many changes are taken whatever the trees are like.
  private static let leastAllowance = 30_000

  private let source: HistorySource
  private var path: [UInt8] = []
  private var seen: Set<ObjectID> = []
  private var allowance = Self.leastAllowance
  private var changes: [Change] = []

  private init(_ source: HistorySource) { self.source = source }

  /// Compares the folder of a prefix in some root trees; the paths are those below the folder, in the order of the trees.
  /// - Throws: where a tree cannot be read, and where few trees name each other so often that they hold far more paths
  ///   than bytes.
  /// - Complexity: linear in the folders that differ from those of the first parent.
  static func of(
    _ tree: ObjectID, parents: [ObjectID], under prefix: [UInt8], _ source: HistorySource
  ) throws(GitError) -> [Change] {
    guard tree != parents.first else { return [] }
    let own = try source.folder(prefix, in: tree)
    var folders: [ObjectID?] = []
    for parent in parents { folders.append(try source.folder(prefix, in: parent)) }
    let first = folders.first ?? nil
    guard own != first else { return [] }
    var comparison = TreeChanges(source)
    _ = try comparison.compare(own, first, Array(folders.dropFirst()), level: 0)
    comparison.findRenames()
    return comparison.changes
  }

  /// Compares two folders with the same folder of further parents; answers whether anything differs.
  private mutating func compare(
    _ own: ObjectID?, _ first: ObjectID?, _ others: [ObjectID?], level: Int
  ) throws(GitError) -> Bool {
    guard level < Self.deepest else { throw Self.tooLarge }
    let (left, right) = (try tree(own), try tree(first))
    var sides: [Side] = []
    for other in others { sides.append(other == own ? .equal : .folder(try tree(other), offset: 0)) }
    var entries = DifferingEntries(left, right)
    let length = path.count
    var hasChanges = false
    while let (mine, theirs) = entries.next() {
      allowance -= 1
      guard allowance > 0 else { throw Self.tooLarge }
      hasChanges = true
      guard let (place, holder) = mine.map({ ($0, left) }) ?? theirs.map({ ($0, right) }) else { continue }
      var items: [TreeItem?] = []
      for side in sides.indices {
        items.append(sides[side].item(like: place, of: holder, equal: mine.map { left.item(at: $0) }))
      }
      path.append(contentsOf: holder.bytes[place.name])
      var isExplained = false
      if place.isFolder {
        path.append(UInt8(ascii: "/"))
        let (own, first) = (mine.map { left.id(at: $0) }, theirs.map { right.id(at: $0) })
        isExplained = try compare(own, first, items.map { $0?.id }, level: level + 1)
        path.removeLast()
      }
      if !isExplained { add(mine.map { left.item(at: $0) }, theirs.map { right.item(at: $0) }, items) }
      path.removeLast(path.count - length)
    }
    return hasChanges
  }

  private mutating func add(_ own: TreeItem?, _ first: TreeItem?, _ others: [TreeItem?]) {
    var relation = FileRelation.gone
    if let own, own.isFile {
      if let equal = others.firstIndex(of: own) {
        relation = .same(parent: equal + 1)
      } else {
        let keeper = ([first] + others).firstIndex { $0?.isFile == true }
        relation = keeper.map { .changed(parent: $0) } ?? .added
      }
    }
    let (blob, former) = (own?.isFile == true ? own?.id : nil, first?.isFile == true ? first?.id : nil)
    changes.append(Change(path: path, blob: blob, former: former, relation: relation))
  }

  /// Each tree that is read for the first time allows for more changes than it can explain by itself.
  private mutating func tree(_ id: ObjectID?) throws(GitError) -> Tree {
    guard let id else { return .empty }
    let tree = try source.tree(id)
    if seen.insert(id).inserted { allowance += tree.bytes.count }
    return tree
  }

  private static let tooLarge = GitError(
    .other, "a commit has too many folders, or they are nested too deeply")
}

extension TreeChanges {
  /// Git's name of the empty file, of which there may be many that have nothing to do with each other.
  private static let empty = SHA1.objectID(kind: "blob", [])

  /// What a file that went away is looked for by: its bytes, and its name first.
  private struct Former: Hashable {
    let blob: ObjectID
    let name: ArraySlice<UInt8>?
  }

  /// Notes which files were renamed, the bytes being the same: from one of the same name, else from the first by path.
  private mutating func findRenames() {
    guard changes.contains(where: { $0.relation == .added }) else { return }
    var removed: [Former: Int] = [:]
    for (place, change) in changes.enumerated() where change.blob == nil {
      guard let blob = change.former, blob != Self.empty else { continue }
      for name in [nil, Self.name(change.path)] {
        let former = Former(blob: blob, name: name)
        if let known = removed[former], changes[known].path[...].precedes(change.path[...]) { continue }
        removed[former] = place
      }
    }
    guard !removed.isEmpty else { return }
    for place in changes.indices where changes[place].relation == .added {
      guard let blob = changes[place].blob else { continue }
      let name = Self.name(changes[place].path)
      if let former = removed[Former(blob: blob, name: name)] ?? removed[Former(blob: blob, name: nil)] {
        changes[place].relation = .renamed(from: former)
      }
    }
  }

  private static func name(_ path: [UInt8]) -> ArraySlice<UInt8> {
    path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
  }
}

extension TreeChanges.Side {
  /// The entry of the name and kind of another, which comes after the last one that was asked for.
  /// - Parameter equal: what the commit itself has there.
  mutating func item(like place: Tree.Place, of holder: Tree, equal: TreeItem?) -> TreeItem? {
    guard case .folder(let tree, var offset) = self else { return equal }
    while let other = tree.place(at: offset) {
      let order = Tree.compare(
        tree.bytes[other.name], isFolder: other.isFolder, holder.bytes[place.name], isFolder: place.isFolder)
      if order >= 0 {
        self = .folder(tree, offset: offset)
        return order == 0 ? tree.item(at: other) : nil
      }
      offset = other.end
    }
    self = .folder(tree, offset: offset)
    return nil
  }
}

extension TreeItem {
  /// Whether it is a file or a symbolic link.
  var isFile: Bool { !isFolder && !isSubmodule }
}
