import Bytes
import Git
import NoteIndex
import Notes
import Text

/// The choice of a merge for the files of a commit: one of its sides, or the base.
struct MergeMoves {
  /// The paths in the merge of the commit's files, by their paths in the commit, if they differ.
  private(set) var paths: [[UInt8]: [UInt8]] = [:]
  /// The notes that the commit does not have, at their paths in the merge.
  private(set) var made: [Note] = []
  /// The paths in the merge of files other than notes that the commit does not have.
  private(set) var madeFiles: [[UInt8]] = []

  /// - Parameters:
  ///   - placed: the result of the merge, by path.
  ///   - side: the path that a file has in the commit.
  init<Store: MergeStore>(
    _ placed: [[UInt8]: MergedFile?], of side: KeyPath<MergedFile, [UInt8]?>, _ store: Store
  ) throws(SlipboxError) {
    for (path, file) in placed {
      guard let file, file.mode & 0o170000 == 0o100000 else { continue }
      if let own = file[keyPath: side] {
        if own != path { paths[own] = path }
      } else if !FileName.isNote(path) {
        madeFiles.append(path)
      } else if path.starts(with: store.prefix) {
        made.append(
          Note(
            path: Array(path.dropFirst(store.prefix.count)),
            text: NoteText(try store.content(of: file.blob, at: path))))
      }
    }
  }

  /// Where links to the commit's files other than notes lead before and after.
  ///
  /// Its moves include the files that stay, but whose names the files have too that the commit does not have.
  /// - Parameter sameNames: which file a link means if it fits the names of several.
  func linkedFiles<Store: MergeStore>(
    at commit: ObjectID, _ store: Store, _ sameNames: SameNameRule
  ) throws(SlipboxError) -> LinkedFileFinder {
    let none = LinkedFileFinder { _, _ in nil }
    let isOther = { (path: [UInt8]) in path.starts(with: store.prefix) && !FileName.isNote(path) }
    let boxPath = { (path: [UInt8]) in Array(path.dropFirst(store.prefix.count)) }
    guard !madeFiles.isEmpty || paths.keys.contains(where: isOther) else { return none }
    var files: [[UInt8]] = []
    for file in try store.differences(from: nil, to: commit) where isOther(file.path) {
      let path = boxPath(file.path)
      if file.new?.isRegular == true, !FileName.isHidden(path) { files.append(path) }
    }
    let newPath = { (path: [UInt8]) in paths[store.prefix + path].map(boxPath) ?? path }
    let made = madeFiles.filter(isOther).map(boxPath)
    let names = Set(made.map { Folding.fold(BytePath.name(of: $0)[...]) })
    var moved: [[UInt8]: [UInt8]] = [:]
    for path in files {
      let new = newPath(path)
      if new != path || names.contains(Folding.fold(BytePath.name(of: path)[...])) { moved[path] = new }
    }
    let order = { (paths: [[UInt8]]) in paths.sorted { $0.lexicographicallyPrecedes($1) } }
    let before = OtherFiles(order(files), links: [], leftovers: [], sameNames: sameNames)
    let after = OtherFiles(order(files.map(newPath) + made), links: [], leftovers: [], sameNames: sameNames)
    return LinkedFileFinder(
      moves: moved, before: { BoxSnapshot.linkedFile(of: $0, from: $1, among: before) },
      after: { BoxSnapshot.linkedFile(of: $0, from: $1, among: after) })
  }
}
