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

/// The paths at which a commit differs from its first parent, compared with all parents.
///
/// A file, a link or a submodule counts if it was added, deleted or changed; a folder only if no change below it explains
/// the difference. Equal folders are never read.
struct TreeChanges {
  /// One path; a file and a folder of one name are two changes.
  struct Change {
    let path: [UInt8]
    /// The blob of the commit; nil if it has no file.
    let blob: ObjectID?
    /// The blob of its first parent; nil if it has no file.
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
  /// - Throws: if a tree cannot be read, and if few trees name each other so often that they hold far more paths
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

  /// The search key of a deleted file: its bytes, and its name first.
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
  /// The entry of the name and kind of another, which comes after the last requested one.
  /// - Parameter equal: the entry of the commit itself.
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

/// Two folders of one name that differ; nil for no folder.
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
          let from = start + length
          guard let nul = CLibrary.offset(of: 0, in: left, from: from, to: start + shared) else { break }
          let entry = nul - from + 21
          guard length + entry <= shared,
            CLibrary.compare(one + from, two + otherStart + length, count: entry) == 0
          else { break }
          length += entry
        }
        return length
      }
    }
  }
}
