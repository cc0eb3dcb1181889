import Bytes
package import Git
import Notes
import Platform
import Text

/// The notes of a merge, rebase, cherry-pick, revert or `git stash pop` at which git stopped, and how slip merges them.
package struct StoppedNotes: Sendable {
  /// A file of the box, with what it is to be.
  struct File: Sendable {
    /// In the box.
    let path: [UInt8]
    let found: FileState
    /// For the commit.
    let wanted: TreeEntry?
    /// The text for the work tree, if somebody has edited the file since git stopped: `wanted` with that edit, which is not
    /// committed with the merge.
    var text: [UInt8]?
  }

  package let operation: Repository.Operation
  /// The notes and settings that slip merges.
  let files: [File]
  /// Those whose conflict the user has settled; they stay as they are.
  let edited: [File]
  /// What is left to the user, from the root of the repository: files that are no notes, and notes with markers of git
  /// in a text that the user edited.
  package let left: [[UInt8]]
  /// Where both versions are kept.
  package let conflicts: [MergeConflict]
  /// Whether the user wanted to edit this commit of a rebase, which git goes on with only then.
  package let stopsForUser: Bool

  /// The paths in the box of what slip merges.
  package var paths: [[UInt8]] { files.map(\.path) }

  /// The paths in the box of what the user has edited.
  package var editedPaths: [[UInt8]] { edited.map(\.path) }
}

/// How far slip went with an operation at which git had stopped.
package struct FinishedStops: Sendable {
  /// What was merged at each stop; the last value tells what is left to the user.
  package internal(set) var stops: [StoppedNotes] = []
  /// The step of a rebase at which git stopped again, such as `break`, with git's words; nil if it is finished, or if files
  /// are left to the user.
  package internal(set) var pause: (step: String, words: [String])?
}

extension BoxWriter {
  /// How often git may stop again while one operation is finished.
  private static let mostStops = 10_000

  /// Works out how the notes are merged at which git stopped; nil if it did not stop, or stopped for something else.
  ///
  /// The notes are merged as in a sync, from the three trees that git merged. A conflict that the user has settled stays so;
  /// other edits since then are joined to the merged text.
  package func stoppedNotes() throws(SlipboxError) -> StoppedNotes? {
    guard
      let stopped = try box.git({ repository throws(GitError) in try repository.operation.stoppedMerge() })
    else {
      return nil
    }
    let merge = try merged(stopped)
    var sorter = try StoppedSorter(stopped, try merge.edits(of: stopped.tip), box)
    try sorter.sortAll()
    // The rest is the user's.
    let settled = Set(sorter.files.map { box.repositoryPath($0.path) })
    return StoppedNotes(
      operation: stopped.operation, files: sorter.files, edited: sorter.edited, left: sorter.left,
      conflicts: merge.conflicts.filter { settled.contains($0.path) }, stopsForUser: stopped.stopsForUser)
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

  /// Merges the notes at which git stopped and, if nothing is left to the user, has git finish the operation; at each
  /// further stop of it the same.
  ///
  /// Git's own state is the record: a command that is killed leaves an operation that git or the next sync goes on with.
  /// - Throws: `.busy` if another program changes the files meanwhile, `.inputOutput` with git's words.
  package func finishStopped() throws(SlipboxError) -> FinishedStops {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    setUpCloneOnce()
    var stash: ObjectID?
    do throws(SlipboxError) {
      let done = try finishStops(&stash)
      restore(stash)
      return done
    } catch {
      restore(stash)
      throw error
    }
  }

  /// - Parameter stash: the stash of the edits that stood in git's way.
  private func finishStops(_ stash: inout ObjectID?) throws(SlipboxError) -> FinishedStops {
    var done = FinishedStops()
    while done.stops.count < Self.mostStops, let notes = try stoppedNotes() {
      done.stops.append(notes)
      try settle(notes)
      guard notes.left.isEmpty else { return done }
      // The changes of a stash stay uncommitted, and the stash stays.
      if notes.stopsForUser || notes.operation == .stash { break }
      if notes.operation != .merge, stash == nil {
        stash = try box.git { repository throws(GitError) in
          try repository.operation.stashEdits("slip: edits during a \(notes.operation.name)")
        }
      }
      let mark = [CommandContext.hookVariable: box.hookMark]
      let stop = try box.git { repository throws(GitError) in
        try repository.operation.conclude(notes.operation, hookVariables: mark)
      }
      // Git may have stopped at the next commit.
      guard let stop, try !hasConflicts() else { continue }
      if let hook = stop.refusal { throw Self.refusal(of: hook, stop.words) }
      let lines = stop.words.split(separator: "\n").prefix(5).map { String($0) }
      if notes.operation == .rebase, let step = try lastStep(), Self.isCommand(step) {
        done.pause = (step, lines)
        return done
      }
      throw SlipboxError(
        .inputOutput, "git could not finish the \(notes.operation.name)", hints: lines.map { Phrase($0) })
    }
    guard done.stops.last?.operation == .rebase, let step = try lastStep() else { return done }
    done.pause = (step, [])
    return done
  }

  /// The last step of the rebase that is under way; nil without one.
  private func lastStep() throws(SlipboxError) -> String? {
    try box.git { repository throws(GitError) in
      repository.operation.kind == .rebase ? try repository.operation.lastStep() ?? "pick" : nil
    }
  }

  /// Whether a step of a rebase runs a command.
  private static func isCommand(_ step: String) -> Bool { step.hasPrefix("exec ") || step.hasPrefix("x ") }

  /// Brings edits back that a stash holds.
  private func restore(_ stash: ObjectID?) {
    guard let stash else { return }
    let isBack = try? box.git { repository throws(GitError) in try repository.operation.popStash(stash) }
    if isBack != true {
      context.reporter.warn(
        "your uncommitted edits are in git's stash, because git can't restore them yet; "
          + "after the conflicts are resolved, run: git stash pop")
    }
  }

  private func hasConflicts() throws(SlipboxError) -> Bool {
    try box.git { repository throws(GitError) in try !repository.index.unmergedPaths().isEmpty }
  }

  /// Writes the merged notes, then names them in git's index as `git add` does.
  private func settle(_ notes: StoppedNotes) throws(SlipboxError) {
    var entries: [[UInt8]: TreeEntry?] = [:]
    for file in notes.files { entries[box.repositoryPath(file.path)] = .some(file.wanted) }
    for file in notes.edited {
      let name = box.repositoryPath(file.path)
      entries[name] = .some(try entry(of: file.found, name))
    }
    if notes.operation == .stash, let tip = try box.tip() {
      let committed = try CommitLookup(box, at: tip, count: entries.count)
      for file in notes.files + notes.edited {
        let name = box.repositoryPath(file.path)
        let head = try committed.file(file.path)
        entries[name] = .some(head.map { TreeEntry(path: name, id: $0.id, mode: $0.mode) })
      }
    }
    let changes = try changes(notes.files)
    var filtered: [[UInt8]] = []
    for file in notes.files
    where notes.operation != .stash && file.wanted?.isRegular == true && file.text == nil {
      if try box.isFiltered(file.path) { filtered.append(box.repositoryPath(file.path)) }
    }
    do throws(WriteConflict) {
      try Signals.deferring { () throws(WriteConflict) in
        _ = try writeFiles(changes)
        try refusing { () throws(SlipboxError) in
          try box.git { [entries, filtered] repository throws(GitError) in
            try repository.index.settle(entries, filtered: filtered)
          }
        }
      }
    } catch {
      throw error.refusal
    }
  }

  private func entry(of state: FileState, _ name: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    if case .link(let target) = state {
      let blob = try box.git { repository throws(GitError) in try repository.writeBlob(asStored: target) }
      return TreeEntry(path: name, id: blob, mode: TreeEntry.symbolicLink)
    }
    guard let bytes = state.bytes, let mode = state.mode else { return nil }
    let blob = try box.git { repository throws(GitError) in
      try repository.conversion.writeBlob(bytes, path: name)
    }
    return TreeEntry(path: name, id: blob, mode: mode)
  }

  private func changes(_ files: [StoppedNotes.File]) throws(SlipboxError) -> [FileChange] {
    let wanted = files.filter { $0.text == nil }.compactMap { file in file.wanted.map { (file.path, $0) } }
      .filter { $0.1.isRegular }
    let contents = try box.checkedOut(wanted.map(\.1))
    let bytes = Dictionary(zip(wanted.map(\.0), contents)) { $1 }
    var changes: [FileChange] = []
    for file in files {
      let to: FileState
      if let entry = file.wanted, entry.mode == TreeEntry.symbolicLink {
        to = .link(try box.stored(entry.id))
      } else if let entry = file.wanted, let bytes = file.text ?? bytes[file.path] {
        to = .file(bytes, isExecutable: entry.mode & 0o100 != 0)
      } else {
        to = .absent
      }
      if file.found != to { changes.append(FileChange(path: file.path, from: file.found, to: to)) }
    }
    return changes
  }
}

/// Tells for each file at which git stopped whether slip merges it, the user has settled it, or it is left to the user.
struct StoppedSorter {
  private(set) var files: [StoppedNotes.File] = []
  private(set) var edited: [StoppedNotes.File] = []
  private(set) var left: [[UInt8]] = []

  private let box: Box
  private let stopped: StoppedMerge
  /// The changes of slip's own merge against the tip, by paths of the repository.
  private let edits: [[UInt8]: TreeEdit]
  private let unmerged: Set<[UInt8]>
  /// The blobs of git's index, without those of conflicts.
  private let staged: [[UInt8]: ObjectID]
  private let names: Set<[UInt8]>
  private let tip: CommitLookup
  private let other: CommitLookup

  init(_ stopped: StoppedMerge, _ edits: [TreeEdit], _ box: Box) throws(SlipboxError) {
    (self.box, self.stopped) = (box, stopped)
    self.edits = Dictionary(edits.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    unmerged = Set(entries.lazy.filter { $0.stage > 0 }.map(\.path))
    let changed = Set(self.edits.keys).union(unmerged).union(stopped.written.keys)
    let pairs = entries.lazy.filter { $0.stage == 0 && changed.contains($0.path) }.map { ($0.path, $0.id) }
    staged = Dictionary(pairs, uniquingKeysWith: { $1 })
    names = changed
    tip = try CommitLookup(box, at: stopped.tip, count: names.count)
    other = try CommitLookup(box, at: stopped.other, count: names.count)
  }

  mutating func sortAll() throws(SlipboxError) {
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if box.isMerged(name) || isFollowingCanvas(name) {
        try sort(name)
      } else if try isCopy(name) {
        let path = Array(name.dropFirst(box.prefix.count))
        files.append(StoppedNotes.File(path: path, found: try box.workTreeFile(at: path).state, wanted: nil))
      } else if unmerged.contains(name) {
        left.append(name)
      }
    }
  }

  private mutating func sort(_ name: [UInt8]) throws(SlipboxError) {
    let path = Array(name.dropFirst(box.prefix.count))
    let head = try tip.file(path)
    let wanted: TreeEntry? =
      switch edits[name] {
      case .put(_, let blob, let mode): TreeEntry(path: name, id: blob, mode: mode)
      case .remove: nil
      case nil: head.map { TreeEntry(path: name, id: $0.id, mode: $0.mode) }
      }
    let written = stopped.written[name] ?? head.map { TreeEntry(path: name, id: $0.id, mode: $0.mode) }
    let found = try box.workTreeFile(at: path)
    var file = StoppedNotes.File(path: path, found: found.state, wanted: wanted)
    // Where a folder is now, a note that the merge removes is gone already.
    if found.isObstructed || wanted != nil && found.status == nil && box.isInNestedRepository(path) {
      if wanted == nil { files.append(file) } else { left.append(name) }
      return
    }
    let blob = try box.contentID(of: found.state, at: path)
    let isMarked = found.state.bytes.flatMap(MergeMarkers.firstLine) != nil
    if blob == wanted?.id {
      files.append(file)
    } else if stopped.ofUser.contains(name) {
      if isMarked { left.append(name) } else { edited.append(file) }
    } else if blob == written?.id {
      files.append(file)
    } else if CanvasFile.isOne(path) {
      // What the user made of it otherwise stays.
      if let text = try joined(written, found.state, wanted) {
        file.text = text
        files.append(file)
      }
    } else if try isSettled(name, found.state, written, wanted) {
      edited.append(file)
    } else if try isContent(found.state, of: written) {
      // A filter may store equal text in other bytes.
      files.append(file)
    } else if let text = try joined(written, found.state, wanted) {
      file.text = text
      files.append(file)
    } else if isMarked {
      left.append(name)
    } else {
      edited.append(file)
    }
  }

  /// Whether a file behind a filter holds what git checks out for an entry.
  private func isContent(_ state: FileState, of entry: TreeEntry?) throws(SlipboxError) -> Bool {
    guard let entry, entry.isRegular, let bytes = state.bytes,
      try box.git({ repository throws(GitError) in try repository.attributes.isFiltered(entry.path) })
    else { return false }
    return try box.checkedOut([entry])[0] == bytes
  }

  /// Whether a file is a canvas that git has merged and that shows notes which the merge moves.
  private func isFollowingCanvas(_ name: [UInt8]) -> Bool {
    guard name.starts(with: box.prefix), CanvasFile.isOne(name), !unmerged.contains(name),
      case .put? = edits[name]
    else { return false }
    return true
  }

  /// Whether a file is git's copy `NAME~SIDE` of a note that has the name of a folder on the other side, and nobody has
  /// edited it. Slip's merge has the note under another name.
  private func isCopy(_ name: [UInt8]) throws(SlipboxError) -> Bool {
    guard unmerged.contains(name), let mark = name.lastIndex(of: UInt8(ascii: "~")),
      box.isMerged(Array(name[..<mark]))
    else { return false }
    let path = Array(name.dropFirst(box.prefix.count))
    let note = Array(name[..<mark].dropFirst(box.prefix.count))
    let blob = try box.contentID(of: try box.workTreeFile(at: path).state, at: path)
    guard let blob else { return false }
    return try [tip.file(note), other.file(note)].contains { $0?.id == blob }
  }

  /// Whether the user has settled a conflict: named the file with `git add`, or taken the markers out of its text.
  private func isSettled(
    _ name: [UInt8], _ found: FileState, _ written: TreeEntry?, _ wanted: TreeEntry?
  ) throws(SlipboxError) -> Bool {
    guard unmerged.contains(name) else {
      guard let id = staged[name] else { return written != nil }
      return id != written?.id && id != wanted?.id
    }
    guard let bytes = found.bytes, MergeMarkers.firstLine(in: bytes) == nil else { return found == .absent }
    guard let written,
      let left = try box.git({ repository throws(GitError) in
        try repository.conversion.content(of: written.id, at: name)
      }) as [UInt8]?
    else { return false }
    return MergeMarkers.firstLine(in: left) != nil
  }

  /// The merged text with what somebody has edited in the file since git stopped; nil if the two can't be joined.
  private func joined(
    _ written: TreeEntry?, _ found: FileState, _ wanted: TreeEntry?
  ) throws(SlipboxError) -> [UInt8]? {
    guard case .file(let edited, _) = found, let written, let wanted,
      written.mode != TreeEntry.symbolicLink, wanted.mode != TreeEntry.symbolicLink
    else { return nil }
    let texts = try box.checkedOut([written, wanted])
    let (before, after) = (texts[0], texts[1])
    if edited.starts(with: before) {
      let isApart = after.isEmpty || after.last == 0x0A || before.last != 0x0A
      return after + (isApart ? [] : NoteText(after).lineEnd) + edited[before.count...]
    }
    if MergeMarkers.firstLine(in: before) != nil {
      // Where the user has begun to settle a conflict, only the user knows how.
      guard Self.conflicts(in: before) == Self.conflicts(in: edited) else { return nil }
      let merged = LineMerge.merge(base: before, one: edited, other: after)
      return merged.conflicts == 0 && MergeMarkers.firstLine(in: merged.bytes) == nil ? merged.bytes : nil
    }
    if written.path.suffix(5).elementsEqual(".yaml".utf8) {
      return SettingsMerge.merge(base: before, one: edited, other: after)?.bytes
    }
    if CanvasFile.isOne(written.path) {
      let merged = LineMerge.merge(base: before, one: edited, other: after)
      return merged.conflicts == 0 ? merged.bytes : nil
    }
    return NoteMerge.merge(base: NoteText(before), one: NoteText(edited), other: NoteText(after))?.text.bytes
  }

  /// The lines of each conflict, with git's markers.
  private static func conflicts(in bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    var (found, open): ([[ArraySlice<UInt8>]], [ArraySlice<UInt8>]?) = ([], nil)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "<<<<<<< ".utf8) { open = [] }
      open?.append(line)
      if line.starts(with: ">>>>>>> ".utf8), let lines = open { (found, open) = (found + [lines], nil) }
    }
    return found
  }
}

extension Box {
  /// The bytes of files as git checks them out.
  func checkedOut(_ entries: [TreeEntry]) throws(SlipboxError) -> [[UInt8]] {
    let files = entries.map { CheckoutFile(path: $0.path, blob: $0.id, mode: $0.mode) }
    return try git { repository throws(GitError) in try repository.conversion.checkedOut(files) }
  }
}
