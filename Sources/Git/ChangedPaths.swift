/// The paths at which two root trees hold something else, however deep.
///
/// A file, a link or a submodule counts where it came, went or changed; a folder where it came or went, or where it has
/// another name of its tree though nothing in it has changed. So a folder that differs can be told from its path and
/// those below it.
struct ChangedPaths {
  /// A commit with more of them is not taken apart: trees that name each other many times could go on for ever.
  private static let most = 4_000_000

  private let source: HistorySource
  private var path: [UInt8] = []
  private var count = 0

  private init(_ source: HistorySource) { self.source = source }

  /// Visits the paths; nil stands for no tree. A path may be visited twice.
  /// - Complexity: linear in the folders that differ.
  static func visit(
    _ root: ObjectID, against other: ObjectID?, _ source: HistorySource, _ body: ([UInt8]) -> Void
  ) throws(GitError) {
    guard root != other else { return }
    var changes = ChangedPaths(source)
    _ = try changes.compare(root, other, level: 0, body)
  }

  /// Answers whether anything differs.
  private mutating func compare(
    _ one: ObjectID?, _ two: ObjectID?, level: Int, _ body: ([UInt8]) -> Void
  ) throws(GitError) -> Bool {
    guard level < Repository.maximumDepth, count < Self.most else {
      throw GitError(.other, "the folders of a commit are too deep or too many")
    }
    let left = try one.map { id throws(GitError) in try source.tree(id) } ?? .empty
    let right = try two.map { id throws(GitError) in try source.tree(id) } ?? .empty
    var entries = DifferingEntries(left, right)
    var hasChanges = false
    let length = path.count
    while let (mine, theirs) = entries.next() {
      if let mine {
        path.append(contentsOf: left.bytes[mine.name])
      } else if let theirs {
        path.append(contentsOf: right.bytes[theirs.name])
      }
      let folder = mine.flatMap { $0.isFolder ? left.id(at: $0) : nil }
      let other = theirs.flatMap { $0.isFolder ? right.id(at: $0) : nil }
      var isExplained = false
      if folder != nil || other != nil {
        path.append(UInt8(ascii: "/"))
        let hasChangesBelow = try compare(folder, other, level: level + 1, body)
        path.removeLast()
        isExplained = hasChangesBelow && folder != nil && other != nil
      }
      if !isExplained {
        body(path)
        count += 1
      }
      hasChanges = true
      path.removeLast(path.count - length)
    }
    return hasChanges
  }
}
