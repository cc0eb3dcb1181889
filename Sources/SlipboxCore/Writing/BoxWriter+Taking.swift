import Bytes
package import Git
import Notes
import Platform
import Text

/// The changes that the box received when it took the commits of another branch.
package struct TakenCommits: Sendable {
  package enum Way: Sendable {
    /// The branch contained the commit already.
    case nothing
    /// The branch was fast-forwarded to the commit.
    case forward
    /// A merge commit contains both.
    case merged
  }

  package let way: Way
  /// The commit that the branch points to now.
  package let tip: ObjectID
  /// The files that changed here.
  package let changes: [FileChange]
  package let conflicts: [MergeConflict]
}

extension BoxWriter {
  /// Makes the branch contain another commit too: by a fast-forward if there are no commits here since, otherwise by a
  /// merge.
  ///
  /// Git checks nothing out: the writer writes the files as for any command, and only if they have no uncommitted
  /// changes.
  /// - Parameters:
  ///   - name: the common name of the other branch.
  ///   - allowsLosses: whether more than half of the notes may be deleted, and unrelated histories be merged.
  /// - Throws: `.busy` if a file has uncommitted changes, `.badData` for losses that are not allowed.
  package func take(
    _ other: ObjectID, named name: String, allowsLosses: Bool
  ) throws(SlipboxError) -> TakenCommits {
    try IncomingSettings(of: other, on: name, in: box).refuseUnusable()
    var taking: Taking?
    let result = try record(beside: [], savesAlways: false) { () throws(SlipboxError) in
      let made = try Taking(self, other, name, allowsLosses: allowsLosses)
      taking = made
      return made.draft
    }
    let now = try box.tip()
    guard let taking, let tip = taking.tip ?? now else {
      throw SlipboxError(.notFound, "there is no commit to merge")
    }
    var reached = tip
    if case .committed(let commit) = result.outcome { reached = commit }
    return TakenCommits(
      way: taking.way, tip: reached, changes: result.changes.filter(\.isChange), conflicts: taking.conflicts)
  }
}

extension BoxWriter {
  /// Reports the notes that a merge gives another id.
  func report(_ renumbered: [SharedIDs.Renumbering]) {
    let shown = { (path: [UInt8]) in Phrase(Array(path.dropFirst(self.box.prefix.count))) }
    for note in renumbered {
      context.reporter.warnOnce(
        "both sides created a note with the id \(note.old): \(shown(note.keeper)) keeps it, "
          + "\(shown(note.path)) gets the id \(note.new)")
    }
  }

  /// Returns the fields that transitions of the kinds change together, for the kinds of both sides.
  func mergeRules(_ one: ObjectID, _ other: ObjectID) throws(SlipboxError) -> MergeRules {
    try MergeRules(of: [one, other], box, context)
  }
}

/// The edits after which the branch contains another commit too.
struct Taking {
  private let box: Box
  let way: TakenCommits.Way
  let tip: ObjectID?
  private(set) var conflicts: [MergeConflict] = []
  private(set) var draft: CommitDraft
  /// Folders without files of their own at the paths of incoming files.
  private var emptyFolders: [[UInt8]] = []

  init(
    _ writer: BoxWriter, _ other: ObjectID, _ name: String, allowsLosses: Bool
  ) throws(SlipboxError) {
    box = writer.box
    tip = try box.tip()
    draft = CommitDraft(command: "sync", subject: "", changes: [])
    let store = RepositoryMergeStore(box)
    let bases = try tip.map { (tip) throws(SlipboxError) in try store.bases(of: tip, and: other) } ?? []
    guard tip.map({ $0 != other && !bases.contains(other) }) ?? true else {
      way = .nothing
      return
    }
    if let tip, !bases.isEmpty, !bases.contains(tip), try !MergeNews(store).isAny(between: tip, other) {
      way = .nothing
      return
    }
    try Self.refuseForbiddenPaths(try store.differences(from: bases.first, to: other), name)
    let submodules = try box.git { repository throws(GitError) in
      try repository.changedSubmodules(from: bases.first, to: other)
    }
    if let submodule = submodules.first { throw Self.special(submodule) }
    let edits: [TreeEdit]
    if let tip, !bases.contains(tip) {
      way = .merged
      if bases.isEmpty, box.isShallow { throw Self.shallow(name) }
      if bases.isEmpty, !allowsLosses { throw Self.unrelated(name) }
      let merge = try CommitMerge(store, rules: try MergeRules(of: [tip, other], box, writer.context)).merge(
        tip, other)
      edits = try merge.edits(of: tip)
      conflicts = merge.conflicts
      writer.report(merge.renumbered)
    } else {
      way = .forward
      edits = try store.differences(from: tip, to: other).map { file in
        file.new.map { .put(path: $0.path, blob: $0.id, mode: $0.mode) } ?? .remove(path: file.path)
      }
    }
    try refuseChangedFilters(edits, name)
    if !allowsLosses { try refuseLosses(edits, name) }
    let changes = try changes(edits, writer.context)
    let subject = (way == .merged ? "Merge \(name)" : "forward to \(name)" as Phrase).description
    draft = CommitDraft(
      command: "sync", subject: subject, changes: changes,
      joining: .init(
        commit: other, edits: edits, emptyFolders: emptyFolders, isForward: way == .forward))
  }

  /// Refuses a commit with a path that git would not check out, because a file in `.git` could be a hook. Also refuses a
  /// tree that has one path twice, as a faulty program writes it.
  private static func refuseForbiddenPaths(_ files: [FileDifference], _ name: String) throws(SlipboxError) {
    var paths: Set<[UInt8]> = []
    for file in files where file.new != nil {
      guard paths.insert(file.path).inserted else {
        throw SlipboxError(
          .badData, "\(name) has a damaged tree: it has \(file.path) twice",
          hints: [
            "nothing was merged; git log \(typed: name) shows the commit, and git fsck the tree",
            "on the device that made it, make a new commit, then run: git push --force-with-lease",
          ])
      }
      do throws(GitError) {
        try PathCheck.validate(file.path)
      } catch {
        throw SlipboxError(
          .notPermitted,
          "\(name) has a file with a path that git refuses: \(file.path)",
          hints: [
            "nothing was merged; it may be an attack: check git log \(typed: name) before you continue"
          ])
      }
    }
  }

  /// Returns the edits as changes of the work tree, whose files must be committed: otherwise content would be lost.
  private mutating func changes(_ edits: [TreeEdit], _ context: CommandContext) throws(SlipboxError)
    -> [FileChange]
  {
    let committed = try CommitLookup(box, at: tip, count: edits.count)
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    let coming = try IncomingFiles(edits, box, entries)
    let removed = Set(
      edits.compactMap {
        if case .remove(let path) = $0 { Array(path.dropFirst(box.prefix.count)) } else { nil }
      })
    var changes: [FileChange] = []
    var removedLinks: Set<[UInt8]> = []
    var openFolders: Set<[UInt8]> = []
    for edit in edits {
      guard edit.path.starts(with: box.prefix) else { throw Self.outside(edit.path) }
      let path = Array(edit.path.dropFirst(box.prefix.count))
      let (head, entry) = (try committed.file(path), entries.entry(at: edit.path))
      // The edits are sorted: a link precedes the files of the folder that replaces it.
      if head?.mode == TreeEntry.symbolicLink { removedLinks.insert(path) }
      if let link = Self.folders(of: path).first(where: removedLinks.contains) { throw Self.special(link) }
      if let obstacle = try box.obstacle(above: path, &openFolders), !removed.contains(obstacle) {
        throw Self.obstructed(obstacle)
      }
      let found = try box.workTreeFile(at: path)
      if found.isObstructed {
        guard box.isEmptied(path, by: removed) else { throw Self.obstructed(path) }
        emptyFolders.append(path)
      }
      if case .put = edit, found.status == nil, let repository = box.nestedRepository(above: path) {
        throw Self.obstructed(repository)
      }
      let to = try coming.state(of: edit, replacing: found, head)
      // Like git, write a deleted file again if slip would not commit the deletion.
      let isOwn = FileName.isNote(path) || path.starts(with: ".slipbox/".utf8)
      let isMissing = head != nil && found.status == nil
      // A filter may have failed to write it: see `OutsideChanges.unwritten(among:)`.
      let isUnwritten = try isMissing && entry?.id == head?.id ? box.isFiltered(path) : false
      let isFree = found.isObstructed || isMissing && (!isOwn || isUnwritten)
      let isHeld = try isFree ? true : box.holds(head, found, entry)
      guard isHeld || found.state == to else {
        let isOtherType =
          head.map { $0.isRegular != (found.state.bytes != nil) && found.status != nil } ?? false
        throw Self.uncommitted(
          path, isNew: head == nil, isStaged: entry != nil, isOtherType: isOtherType, flag: entry?.hidingFlag)
      }
      let from: FileState =
        if let head, found.status == nil, entry?.skipWorktree == true || to == .absent {
          .leftOut(head.id, mode: head.mode)
        } else {
          found.state
        }
      changes.append(FileChange(path: path, from: from, to: to))
    }
    coming.warnOfMissingFilters(context.reporter)
    return changes
  }
}

extension Box {
  /// Returns whether a folder contains nothing but files that are removed.
  fileprivate func isEmptied(_ folder: [UInt8], by removed: Set<[UInt8]>) -> Bool {
    // A folder that can't be listed does not count as empty.
    guard (try? Files.status(absolutePath(folder), followLinks: false))??.kind == .directory,
      let names = try? Files.list(absolutePath(folder))
    else { return false }
    return names.allSatisfy { name in
      let path = BytePath.join(folder, name)
      return removed.contains(path) || isEmptied(path, by: removed)
    }
  }

  /// Returns the ancestor of a path that is a file or a symbolic link instead of a folder; nil if there is none.
  ///
  /// - Parameter openFolders: the ancestors that are known to be folders.
  fileprivate func obstacle(
    above path: [UInt8], _ openFolders: inout Set<[UInt8]>
  ) throws(SlipboxError) -> [UInt8]? {
    for end in path.indices where path[end] == UInt8(ascii: "/") {
      let folder = Array(path[..<end])
      if openFolders.contains(folder) { continue }
      let status = try system { () throws(SystemError) in
        try Files.status(absolutePath(folder), followLinks: false)
      }
      guard let status else { return nil }
      if status.kind != .directory { return folder }
      openFolders.insert(folder)
    }
    return nil
  }
}

extension Taking {
  /// The maximum number of notes that commits may delete without permission.
  private static let fewest = 5

  /// Refuses commits that change which files a git filter converts.
  ///
  /// The attributes of the work tree, which are still the old ones, control the conversion of files. So an encrypted note
  /// would count as a text, and its title would enter the message of the merge.
  private func refuseChangedFilters(_ edits: [TreeEdit], _ name: String) throws(SlipboxError) {
    for edit in edits where BytePath.name(of: edit.path).elementsEqual(".gitattributes".utf8) {
      let path = Array(edit.path.dropFirst(box.prefix.count))
      let old = try CommitLookup(box, at: tip, count: 1).file(path)?.id
      var new: ObjectID?
      if case .put(_, let blob, _) = edit { new = blob }
      // In a fast-forward, git's rules for a new attributes file apply to the files beside it.
      if old == nil, way == .forward { continue }
      if try filterLines(of: old) == filterLines(of: new) { continue }
      throw SlipboxError(
        .configuration, "\(name) changes the git filters of files, in \(path)",
        hints: ["run git pull, which applies them and merges the notes; then run: \(slip: "sync")"])
    }
  }

  /// Returns the lines of an attributes file that may name a filter or an encoding.
  private func filterLines(of blob: ObjectID?) throws(SlipboxError) -> [ArraySlice<UInt8>] {
    guard let blob else { return [] }
    let words = ["filter", "encoding", "[attr]"].map { Array($0.utf8) }
    return try box.stored(blob).split { $0 == 0x0A || $0 == 0x0D }.filter { line in
      line.first != UInt8(ascii: "#") && words.contains { line.firstRange(of: $0) != nil }
    }
  }

  private func refuseLosses(_ edits: [TreeEdit], _ name: String) throws(SlipboxError) {
    let gone = edits.count { edit in
      if case .remove(let path) = edit { box.isNoteFile(path) } else { false }
    }
    let made = edits.count { edit in
      if case .put(let path, _, _) = edit { box.isNoteFile(path) } else { false }
    }
    guard gone > Self.fewest, gone > made, let tip else { return }
    let files = try CommittedFiles(box, at: tip, withIndex: false).files()
    var count = 0
    for file in files where box.isNoteFile(file.path) { count += 1 }
    guard gone > count / 2 else { return }
    throw SlipboxError(
      .badData, "\(name) would delete \(gone) of \(count) notes; nothing was changed",
      hints: [
        "git log \(typed: name) shows the remote history",
        "\(slip: "sync", "--yes") accepts it",
      ])
  }

  static func shallow(_ name: String) -> SlipboxError {
    SlipboxError(
      .unavailable,
      "this clone is shallow: the merge base with \(name) is missing; nothing was changed",
      hints: ["git fetch --unshallow fetches the whole history; then run: \(slip: "sync")"])
  }

  private static func unrelated(_ name: String) -> SlipboxError {
    SlipboxError(
      .badData, "\(name) has no commit in common with this box; nothing was changed",
      hints: [
        "check the remote with: \(slip: "remote list")", "\(slip: "sync", "--yes") merges the two boxes",
      ])
  }

  private static func uncommitted(
    _ path: [UInt8], isNew: Bool, isStaged: Bool, isOtherType: Bool, flag: String?
  ) -> SlipboxError {
    let (shown, typed) = (Phrase(path), Phrase(typed: path))
    if let flag {
      return SlipboxError(
        .busy, "can't update \(shown): it has changes that are hidden from git (\(flag))",
        hints: ["unhide them with: git update-index --no-\(flag) \(typed: path)"])
    }
    return SlipboxError(
      .busy,
      isNew ? "\(shown) blocks an incoming file" : "\(shown) has uncommitted changes",
      hints: isNew
        ? ["move it away, or commit it with: \(isStaged ? "" : "git add -f \(typed) && ")git commit \(typed)"]
        : [
          !isOtherType && (FileName.isNote(path) || path.starts(with: ".slipbox/".utf8))
            ? "\(slip: "commit")" : "git commit \(typed)"
        ])
  }

  private static func obstructed(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .busy, "\(path) blocks an incoming file",
      hints: ["move it away, then run: \(slip: "sync")"])
  }

  /// Returns the folders above a path, the nearest first.
  private static func folders(of path: [UInt8]) -> [[UInt8]] {
    path.indices.reversed().filter { path[$0] == UInt8(ascii: "/") }.map { Array(path[..<$0]) }
  }

  private static func outside(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .configuration, "the other side changed files outside the box, such as \(path)",
      hints: ["run git pull, which merges these files and the notes"])
  }

  static func special(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .configuration,
      "\(path) is a submodule, or a symbolic link that was replaced by a folder",
      hints: ["run git pull, which handles it and merges the notes"])
  }
}
