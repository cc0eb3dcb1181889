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
      if BoxWriter.bringsMarkers(change) { context.reporter.warnOnce(box.markersWarning(change)) }
    }
  }
}

extension BoxSync {
  /// Adds the commit of a received file that a filter can't read here: a device may have another key.
  func namingUnreadable(_ error: SlipboxError, in there: ObjectID, since before: ObjectID?) -> SlipboxError {
    guard error.kind == .notPermitted,
      let files = try? box.git({ repository throws(GitError) in
        try repository.changedFiles(from: before, to: there, under: self.box.prefix)
      })
    else { return error }
    for case let file? in files.map(\.new) where file.isRegular {
      guard (try? box.content(of: file)) == nil else { continue }
      let commit = try? box.git { repository throws(GitError) -> Commit? in
        var last: Commit?
        try repository.history.visit(from: there, touching: [file.path], limit: 1) { commit in
          last = commit
          return false
        }
        return last
      }
      guard let last = commit ?? nil else { return error }
      return error.adding(
        hint:
          "\(Array(file.path.dropFirst(box.prefix.count))) comes from the commit \(last.id.hex.prefix(8)) by "
          + "\(last.author.name), whose device may have another key")
    }
    return error
  }
}

extension Box {
  /// Returns the warning about a committed or pushed file with git's conflict markers.
  func markersWarning(_ change: FileChange) -> Phrase {
    let path = change.path
    guard isMerged(repositoryPath(path)) else {
      return "\(path) has git's conflict markers; edit it and commit it"
    }
    let isMergeable =
      !FileName.isNote(path) || change.after.flatMap { MarkedText($0)?.merged() } != nil
    if operationUnderWay != nil || !isMergeable {
      return "\(path) has git's conflict markers; edit it and remove them"
    }
    return "\(path) has git's conflict markers; \(slip: "heal") keeps both versions as a conflict"
  }
}

/// New files that only notes of other people link to.
///
/// A note that came from a remote must not make this clone publish a file that was never committed. A sync takes such a
/// file only if a note that the user changed links to it.
struct FilesOfOthers {
  private let snapshot: BoxSnapshot
  private let context: CommandContext

  init(_ snapshot: BoxSnapshot, _ context: CommandContext) {
    self.snapshot = snapshot
    self.context = context
  }

  /// Returns the files among those to be committed to which only notes and canvases of other people link, in order.
  ///
  /// A note is the user's own if it has uncommitted changes, or if its last commit has the user's email address.
  /// - Complexity: linear in all links if a file is new; one git process for each note that links to one.
  func paths(among chosen: [[UInt8]]) throws(SlipboxError) -> [[UInt8]] {
    let committed = try snapshot.committedFiles()
    var files: [[UInt8]] = []
    for path in chosen where !FileName.isNote(path) && !path.starts(with: ".slipbox/".utf8) {
      // A canvas of notes is the user's own, as a new note is.
      if try !committed.isTracked(path), try !Canvases(in: snapshot).isOfNotes(path) { files.append(path) }
    }
    guard !files.isEmpty else { return [] }
    let changed = Set(chosen)
    var own: [[UInt8]: Bool] = [:]
    let sources = try LinkedFiles(in: snapshot).sources(ofLinksTo: Set(files))
    let email = try ownEmail()
    var ofOthers: [[UInt8]] = []
    for file in files {
      var isOwn = false
      for source in sources[file] ?? [] where !isOwn {
        if let known = own[source] {
          isOwn = known
        } else {
          isOwn = changed.contains(source)
          if !isOwn { isOwn = try lastEmail(of: source) == email }
          own[source] = isOwn
        }
      }
      if !isOwn { ofOthers.append(file) }
    }
    return ofOthers
  }

  private func ownEmail() throws(SlipboxError) -> String {
    let now = context.clock.now
    return try snapshot.box.git { repository throws(GitError) in
      try repository.identity(at: (now.seconds, now.offsetSeconds / 60)).author.email
    }
  }

  /// Returns the email address of the author of the last commit that changed a file; empty if no commit did.
  private func lastEmail(of path: [UInt8]) throws(SlipboxError) -> String {
    try snapshot.box.git { repository throws(GitError) in
      try repository.history.lastAuthor(of: snapshot.box.repositoryPath(path))
    }
  }
}
