import Bytes
import Git
import Notes
import Platform
import Text

/// The first step of a sync: the commit of changes by other programs.
extension BoxSync {
  /// Refuses to commit and push changes that are staged for a commit of the user, as after `git merge --squash`.
  func refusePreparedChanges() throws(SlipboxError) {
    guard box.hasPreparedChanges else { return }
    throw SlipboxError(
      .busy, "notes are staged for a commit whose message git has prepared, as after git merge --squash",
      hints: [
        "commit them with: git commit", "or commit them as edits with: \(slip: "commit")",
        "or drop them with: git reset --merge",
      ])
  }

  /// Commits the changes of other programs; returns whether there were any.
  @discardableResult
  func commitEdits() throws(SlipboxError) -> Bool {
    let snapshot = try writtenSnapshot()
    let chosen = try OutsideChanges(in: snapshot).paths { (size) throws(SlipboxError) in
      request.isAgreed ? true : try request.takesLinkedFiles(size)
    }
    let ofOthers = Set(try FilesOfOthers(snapshot, context).paths(among: chosen))
    for path in ofOthers.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      context.reporter.warnOnce(
        "\(path) is not committed: only notes of other people link to it; \(slip: "commit") commits it"
      )
    }
    let files = try UncommittedFiles(chosen.filter { !ofOthers.contains($0) }, in: box)
    result.refusals = files.refusals
    let writer = BoxWriter(box, context, after: snapshot)
    guard !files.paths.isEmpty else {
      try writer.removeFoundTemporaries()
      return false
    }
    suspects.paths.formUnion(files.paths.filter { ConflictCopy($0) != nil })
    let committed = try writer.commitAsFound(files.paths)
    result.committedCount += committed.changes.count
    return committed.outcome != .unchanged
  }

  /// Returns a snapshot of the box after restoring the notes that git failed to write. The merge may have no change of
  /// them, and then nothing would show later that no user deleted them.
  private func writtenSnapshot() throws(SlipboxError) -> BoxSnapshot {
    let snapshot = try WorkTreeReader(box, context).snapshot()
    let missing = try HeldBackChanges(in: snapshot).unwritten(among: OutsideChanges(in: snapshot).notes())
    guard !missing.isEmpty else { return snapshot }
    let names = missing.map(box.repositoryPath)
    try alone { repository throws(GitError) in try repository.index.checkOut(names) }
    for path in missing {
      context.reporter.warn(
        "\(path) was missing and is restored: the last fetch changes it, so git's filter may have failed; "
          + "\(slip: "rm", .value(path)) deletes it")
    }
    return try WorkTreeReader(box, context).snapshot()
  }
}

extension BoxSync {
  /// The maximum number of files that are searched for conflict markers; if there are more, none is.
  private static let mostSearched = 1_000

  /// Warns of files to which the pushed commits add git's conflict markers.
  func reportMarkers(from there: ObjectID?, to tip: ObjectID) throws(SlipboxError) {
    let files = try box.git { repository throws(GitError) in
      try repository.changedFiles(from: there, to: tip, under: box.prefix)
    }
    guard files.count <= Self.mostSearched else { return }
    // The text of a file that this clone can't decrypt is unknown.
    let text = { (entry: TreeEntry?) in
      entry.flatMap { $0.isRegular ? (try? self.box.content(of: $0)) : nil }
    }
    for file in files {
      let path = Array(file.path.dropFirst(box.prefix.count))
      let change = FileChange(path: path, before: text(file.old), after: text(file.new))
      if BoxWriter.bringsMarkers(change) { context.reporter.warnOnce(box.markersWarning(path)) }
    }
  }
}

extension Box {
  /// Returns the warning about a committed or pushed file with git's conflict markers.
  func markersWarning(_ path: [UInt8]) -> Phrase {
    isMerged(repositoryPath(path))
      ? "\(path) has git's conflict markers; \(slip: "heal") keeps both versions as a conflict"
      : "\(path) has git's conflict markers; edit it and commit it"
  }
}
