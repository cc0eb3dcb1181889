import Bytes
package import Git
import Notes
import Platform
import Text

/// The notes of a merge, rebase, cherry-pick or revert at which git stopped, and how slip merges them.
package struct StoppedNotes: Sendable {
  /// A file of the box, with what it is to be.
  struct File: Sendable {
    /// In the box.
    let path: [UInt8]
    let found: FileState
    let wanted: TreeEntry?
  }

  package let operation: Repository.Operation
  /// The notes and settings that slip merges.
  let files: [File]
  /// Those that the user has edited since git stopped; they stay as they are.
  let edited: [File]
  /// What is left to the user, from the root of the repository: files that are no notes, and notes with markers of git
  /// in a text that the user edited.
  package let left: [[UInt8]]
  /// Where both versions are kept.
  package let conflicts: [MergeConflict]

  /// The paths in the box of what slip merges.
  package var paths: [[UInt8]] { files.map(\.path) }

  /// The paths in the box of what the user has edited.
  package var editedPaths: [[UInt8]] { edited.map(\.path) }
}

extension BoxWriter {
  /// How often git may stop again while one operation is finished.
  private static let mostStops = 10_000

  /// Works out how the notes are merged at which git stopped; nil if it did not stop, or stopped for something else.
  ///
  /// The notes are merged as in a sync, from the three trees that git merged. A file that the user has edited since stays.
  package func stoppedNotes() throws(SlipboxError) -> StoppedNotes? {
    guard let stopped = try box.git({ repository throws(GitError) in try repository.stoppedMerge() }) else {
      return nil
    }
    let unmerged = try box.git { repository throws(GitError) in try repository.unmergedPaths() }
    let merge = try merged(stopped)
    let edits = Dictionary(
      try merge.edits(of: stopped.tip).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let names = Set(edits.keys).union(unmerged).union(stopped.written.keys).filter(isMerged)
    let committed = try CommitLookup(box, at: stopped.tip, count: names.count)
    var (files, edited): ([StoppedNotes.File], [StoppedNotes.File]) = ([], [])
    var left = unmerged.filter { !isMerged($0) }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let path = Array(name.dropFirst(box.prefix.count))
      let head = try committed.file(path)
      let wanted: TreeEntry? =
        switch edits[name] {
        case .put(_, let blob, let mode): TreeEntry(path: name, id: blob, mode: mode)
        case .remove: nil
        case nil: head.map { TreeEntry(path: name, id: $0.id, mode: $0.mode) }
        }
      let written = stopped.written[name] ?? head
      let found = try box.workTreeFile(at: path)
      if found.isObstructed {
        left.append(name)
        continue
      }
      let blob = try box.contentID(of: found.state, at: path)
      let file = StoppedNotes.File(path: path, found: found.state, wanted: wanted)
      if blob == written?.id || blob == wanted?.id {
        files.append(file)
      } else if found.state.bytes.map(Self.hasMarkers) == true {
        left.append(name)
      } else {
        edited.append(file)
      }
    }
    return StoppedNotes(
      operation: stopped.operation, files: files, edited: edited, left: left, conflicts: merge.conflicts)
  }

  /// Whether slip merges a file: a note, a kind or the settings of the box.
  private func isMerged(_ name: [UInt8]) -> Bool {
    guard name.starts(with: box.prefix) else { return false }
    let path = name.dropFirst(box.prefix.count)
    return box.isNoteFile(name)
      || path.starts(with: ".slipbox/".utf8) && path.suffix(5).elementsEqual(".yaml".utf8)
  }

  private func merged(
    _ stopped: StoppedMerge
  ) throws(SlipboxError) -> TreeMerge<RepositoryMergeStore> {
    let store = RepositoryMergeStore(box)
    let (tip, other) = (stopped.tip, stopped.other)
    let rules = try mergeRules(tip, other)
    if stopped.operation == .merge { return try CommitMerge(store, rules: rules).merge(tip, other) }
    return try TreeMerge(
      store, base: stopped.base, bases: stopped.base.map { [$0] } ?? [], one: tip, other: other, rules: rules,
      isPicked: true)
  }

  /// Whether a line begins as git's markers of a conflict do.
  private static func hasMarkers(_ bytes: [UInt8]) -> Bool {
    let marks = ["<<<<<<< ", ">>>>>>> "].map { Array($0.utf8) }
    return bytes.split(separator: 0x0A).contains { line in marks.contains { line.starts(with: $0) } }
  }

  /// Merges the notes at which git stopped and, if nothing is left to the user, has git finish the operation; at each
  /// further stop of it the same.
  ///
  /// Git's own state is the record: a command that is killed leaves an operation that git or the next sync goes on with.
  /// - Returns: what was merged, a value for each stop; the last one tells what is left to the user.
  /// - Throws: `.busy` if another program changes the files meanwhile, `.inputOutput` with git's words.
  package func finishStopped() throws(SlipboxError) -> [StoppedNotes] {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    setUpCloneOnce()
    var done: [StoppedNotes] = []
    while done.count < Self.mostStops, let notes = try stoppedNotes() {
      done.append(notes)
      try settle(notes)
      guard notes.left.isEmpty else { break }
      let words = try box.git { repository throws(GitError) in try repository.conclude(notes.operation) }
      // Git may have stopped at the next commit.
      guard let words, try !hasConflicts() else { continue }
      throw SlipboxError(
        .inputOutput, "git could not finish the \(notes.operation.name)",
        hints: words.split(separator: "\n").prefix(5).map { Visible.escape(String($0)) })
    }
    return done
  }

  private func hasConflicts() throws(SlipboxError) -> Bool {
    try box.git { repository throws(GitError) in try !repository.unmergedPaths().isEmpty }
  }

  /// Writes the merged notes, then names them in git's index as `git add` does.
  private func settle(_ notes: StoppedNotes) throws(SlipboxError) {
    var entries: [[UInt8]: TreeEntry?] = [:]
    for file in notes.files { entries[box.repositoryPath(file.path)] = .some(file.wanted) }
    for file in notes.edited {
      let name = box.repositoryPath(file.path)
      entries[name] = .some(try entry(of: file.found, name))
    }
    let changes = try changes(notes.files)
    do throws(WriteConflict) {
      try Signals.deferring { () throws(WriteConflict) in
        _ = try writeFiles(changes)
        try refusing { () throws(SlipboxError) in
          try box.git { [entries] repository throws(GitError) in try repository.settleIndex(entries) }
        }
      }
    } catch {
      throw error.refusal
    }
  }

  private func entry(of state: FileState, _ name: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    guard let bytes = state.bytes, let mode = state.mode else { return nil }
    let blob = try box.git { repository throws(GitError) in try repository.writeBlob(bytes, path: name) }
    return TreeEntry(path: name, id: blob, mode: mode)
  }

  private func changes(_ files: [StoppedNotes.File]) throws(SlipboxError) -> [FileChange] {
    let wanted = files.compactMap(\.wanted).map { CheckoutFile(path: $0.path, blob: $0.id, mode: $0.mode) }
    let contents = try box.git { repository throws(GitError) in try repository.checkedOut(wanted) }
    let bytes = Dictionary(zip(wanted.map(\.path), contents)) { $1 }
    return files.compactMap { file in
      let to: FileState =
        if let entry = file.wanted, let bytes = bytes[entry.path] {
          .file(bytes, isExecutable: entry.mode & 0o100 != 0)
        } else {
          .absent
        }
      return file.found == to ? nil : FileChange(path: file.path, from: file.found, to: to)
    }
  }
}
