import Bytes
import Git
import Notes
import Platform
import Text

/// The files of a box that other programs changed and that slip commits.
package struct UncommittedFiles: Sendable {
  package let paths: [[UInt8]]
  /// Files that only git can commit, with the reason.
  package let refusals: [(path: [UInt8], reason: SlipboxError)]

  /// - Parameter chosen: files of the box, of which some may be gone.
  package init(_ chosen: [[UInt8]], in box: Box) throws(SlipboxError) {
    let leftOut = try box.git { repository throws(GitError) in
      try repository.leftOut(of: chosen.map(box.repositoryPath))
    }
    let renamed = try StagedRenames(of: chosen.filter { !box.isThere($0) }, in: box)
    let refusals = chosen.compactMap { path -> (path: [UInt8], reason: SlipboxError)? in
      guard box.isThere(path) else { return renamed.refusal(of: path).map { (path, $0) } }
      let isOut = leftOut.contains(box.repositoryPath(path))
      return (isOut ? Box.outsideCheckout(path, isThere: true) : box.refusal(of: path)).map { (path, $0) }
    }
    let refused = Set(refusals.map(\.path))
    paths = chosen.filter { !refused.contains($0) }
    self.refusals = refusals
  }
}

/// Notes whose names are staged to change to names that slip does not commit, such as `note.txt` or a path outside the box.
///
/// A commit of the deletion alone would leave the text in no commit.
private struct StagedRenames {
  /// The new names in the repository, by the notes' paths in the box.
  private var targets: [[UInt8]: [UInt8]] = [:]
  private let box: Box

  /// - Parameter gone: notes that the last commit has and the work tree has not.
  /// - Complexity: linear in the entries of the index if a deletion is staged, else in the notes that are gone.
  init(of gone: [[UInt8]], in box: Box) throws(SlipboxError) {
    self.box = box
    guard !gone.isEmpty else { return }
    let entries = try box.git { repository throws(GitError) in try repository.indexEntries() }
    let staged = gone.filter { entries.entry(at: box.repositoryPath($0)) == nil }
    guard !staged.isEmpty else { return }
    let committed = try CommitLookup(box, at: try box.tip(), count: staged.count)
    var notes: [ObjectID: [UInt8]] = [:]
    for path in staged {
      if let blob = try committed.file(path)?.id { notes[blob] = path }
    }
    for entry in entries {
      guard let note = notes[entry.id] else { continue }
      let isInBox = entry.path.starts(with: box.prefix)
      guard !isInBox || !FileName.isNote(Array(entry.path.dropFirst(box.prefix.count))) else { continue }
      targets[note] = entry.path
    }
  }

  func refusal(of path: [UInt8]) -> SlipboxError? {
    guard let target = targets[path] else { return nil }
    let names = [box.repositoryPath(path), target].map { ShellWord.quoted($0) }.joined(separator: " ")
    return SlipboxError(
      .busy,
      "\(Visible.escape(path)) is staged as renamed to \(Visible.escape(target)), which slip does not commit",
      hints: ["run git commit, or unstage it with: git restore --staged -- \(names)"])
  }
}

extension BoxSnapshot {
  /// The notes that other programs changed, the files that they link to, and the settings.
  ///
  /// - Parameter takesLinked: asked before linked files of more than a limit are among them, with their bytes.
  /// - Throws: `.busy` in the middle of a merge.
  package func uncommittedPaths(
    takesLinked: (Int64) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) -> [[UInt8]] {
    let changes = try outsideChanges()
    try Self.refuseConflicted(changes)
    let linked = try uncommittedLinkedFiles()
    let size = linked.reduce(0) { $0 + $1.size }
    let takes = size <= Self.linkedFilesLimit ? true : try takesLinked(size)
    return try changes.map(\.path) + uncommittedSettings() + (takes ? linked.map(\.path) : [])
  }

  /// Refuses where git's index holds the versions of a conflict.
  package static func refuseConflicted(_ changes: [OutsideChange]) throws(SlipboxError) {
    guard let conflicted = changes.first(where: { $0.difference == .conflicted }) else { return }
    throw SlipboxError(
      .busy, "\(Visible.escape(conflicted.path)) is in the middle of a merge",
      hints: ["finish the merge with git, then try again"])
  }
}
