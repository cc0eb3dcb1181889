import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// A note whose file differs from HEAD.
package struct OutsideChange: Sendable {
  package let path: [UInt8]
  package let difference: CommittedFiles.Difference

  /// Returns the title of the note as its file is now, for a list of changes; nil if the file can't be read.
  package func title(in box: Box) -> String? {
    // The change is listed anyway.
    guard let bytes = try? box.bytes(at: path) else { return nil }
    return Note(path: path, text: NoteText(bytes)).title
  }

  /// Refuses changes of files for which git's index has the versions of a conflict.
  package static func refuseConflicted(_ changes: [OutsideChange]) throws(SlipboxError) {
    guard let conflicted = changes.first(where: { $0.difference == .conflicted }) else { return }
    throw SlipboxError(
      .busy, "\(conflicted.path) has conflicting versions in git's index",
      hints: ["edit it, then run: git add \(typed: conflicted.path)"])
  }
}

/// A file whose changes a flag of git's index hides.
package struct HiddenChange: Sendable, Equatable {
  package let path: [UInt8]
  /// The name of the flag in git-update-index(1).
  package let flag: String
}

/// The uncommitted changes of files of a box by other programs.
package struct OutsideChanges {
  let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the notes that other programs changed, the files that they link to, and the settings.
  ///
  /// - Parameter takesLinked: decides whether linked files above a size limit are included. It gets their total size in
  ///   bytes.
  /// - Throws: `.busy` during a merge.
  package func paths(
    takesLinked: (Int64) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) -> [[UInt8]] {
    let all = try notes()
    try OutsideChange.refuseConflicted(all)
    var linked = try linkedFiles()
    for held in HeldBackChanges.held(try ExposedText(in: snapshot).linkedFiles(among: linked.map(\.path))) {
      snapshot.reporter.warnOnce(held.reason)
      linked.removeAll { $0.path == held.path }
    }
    let size = linked.reduce(0) { $0 + $1.size }
    let takes = size <= LinkedFiles.limit ? true : try takesLinked(size)
    let paths = try all.map(\.path) + settings() + (takes ? linked.map(\.path) : [])
    let taken = try HeldBackChanges(in: snapshot).taken(of: paths, all)
    for reason in taken.reasons { snapshot.reporter.warnOnce(reason) }
    return taken.paths
  }

  /// Returns the uncommitted changes of notes by other programs, by path. Notes that are hidden from git or that only git
  /// commits are excluded.
  ///
  /// - Complexity: O(n) in the files of the box; only files that differ from HEAD by their content ids are read.
  package func notes() throws(SlipboxError) -> [OutsideChange] {
    try noteDifferences().filter { $0.difference != .hidden && $0.difference != .otherType }
  }

  /// Returns the files of the box whose changes a flag of git's index hides (`skip-worktree`, `assume-unchanged`), by
  /// path.
  ///
  /// They are never committed.
  /// - Complexity: O(n) in the entries of the index; only flagged files are read.
  package func hidden() throws(SlipboxError) -> [HiddenChange] {
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    var hidden: [HiddenChange] = []
    for entry in entries.flagged where entry.stage == 0 && entry.path.starts(with: box.prefix) {
      guard let flag = entry.hidingFlag else { continue }
      let path = Array(entry.path.dropFirst(box.prefix.count))
      let committed = TreeEntry(path: entry.path, id: entry.id, mode: entry.mode)
      if try box.holds(committed, try box.workTreeFile(at: path), entry) { continue }
      hidden.append(HiddenChange(path: path, flag: flag))
    }
    return hidden
  }

  private func noteDifferences() throws(SlipboxError) -> [OutsideChange] {
    guard let notes = try snapshot.contents().workTree else { return [] }
    let unreadable = Set(notes.unreadable.map(\.path))
    var cursor = try CommittedFiles.Cursor(try snapshot.committedFiles())
    var changes: [OutsideChange] = []
    var folders: [[UInt8]] = []
    let passing = { (file: TreeEntry, entry: IndexEntry?) throws(SlipboxError) in
      let path = Array(file.path.dropFirst(box.prefix.count))
      guard FileName.isNote(path), !box.excluded.covers(path), !unreadable.contains(path),
        entry?.skipWorktree != true
      else { return }
      guard try isGone(path) else {
        if entry?.hidingFlag == nil, LinkedFiles(in: snapshot).isFolder(path) { folders.append(path) }
        return
      }
      changes.append(OutsideChange(path: path, difference: entry?.hidingFlag == nil ? .deleted : .hidden))
    }
    try notes.visitFiles { (file) throws(SlipboxError) in
      let (committed, entry) = try cursor.seek(file.path, passing: passing)
      let difference = try difference(of: file, committed, entry)
      if difference != .unchanged { changes.append(OutsideChange(path: file.path, difference: difference)) }
    }
    try cursor.finish(passing)
    // A commit of notes in a folder at the path of a note deletes the note.
    for folder in folders {
      let prefix = folder + [UInt8(ascii: "/")]
      guard changes.contains(where: { $0.difference == .new && $0.path.starts(with: prefix) }) else {
        continue
      }
      changes.append(OutsideChange(path: folder, difference: .deleted))
    }
    return changes.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  private func difference(
    of file: WorkTreeNotes.File, _ committed: TreeEntry?, _ entry: IndexEntry?
  ) throws(SlipboxError) -> CommittedFiles.Difference {
    if let entry, entry.stage > 0 { return .conflicted }
    guard let committed else { return .new }
    if ContentID(committed.id.bytes) == file.content { return .unchanged }
    // Git's filters, such as the conversion of line ends, may produce the same blob from other bytes.
    let found = try box.workTreeFile(at: file.path)
    if try box.holds(committed, found, entry) { return .unchanged }
    if entry?.hidingFlag != nil { return .hidden }
    if found.status == nil { return .deleted }
    if case .link = found.state { return committed.mode == TreeEntry.symbolicLink ? .changed : .otherType }
    return committed.isRegular ? .changed : .otherType
  }

  /// Returns whether a file of the last commit is gone, with nothing at its path.
  ///
  /// If another file or a nested repository replaced its folder, only git commits the change of the folder, unless the
  /// replacement is a note.
  func isGone(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    if let obstacle = try box.obstacle(above: path) {
      return obstacle.kind == .file && FileName.isNote(obstacle.path)
    }
    let status = try system { () throws(SystemError) in
      try Files.status(box.absolutePath(path), followLinks: false)
    }
    return status == nil && !box.isInNestedRepository(path)
  }
}

extension OutsideChanges {
  private static let settingsFolders = [".slipbox", ".slipbox/kinds", ".slipbox/templates"].map {
    Array($0.utf8)
  }

  /// Returns the box's own files with uncommitted changes by an editor: settings, kinds and templates, by path.
  package func settings() throws(SlipboxError) -> [[UInt8]] {
    let committed = try snapshot.committedFiles()
    var paths: Set<[UInt8]> = []
    // Git commits nothing behind a symbolic link.
    for folder in Self.settingsFolders where !box.isLink(folder) {
      for name in try snapshot.names(in: folder) where name.first != UInt8(ascii: ".") {
        let path = BytePath.join(folder, name)
        guard FileName.problem(in: path) == nil, let status = try plainFile(path) else { continue }
        let difference = try committed.difference(path, status: status) { () throws(SlipboxError) in
          try box.bytes(at: path) ?? []
        }
        if difference == .unchanged || difference == .hidden { continue }
        if try !committed.isTracked(path), try box.isIgnored(path) { continue }
        paths.insert(path)
      }
    }
    for path in try committed.paths(under: Array(".slipbox/".utf8))
    where committed.hidingFlag(path) == nil {
      if try isGone(path) { paths.insert(path) }
    }
    return paths.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the files that notes link to and that differ from HEAD, canvases, and the former paths of such files, with
  /// their sizes in bytes.
  package func linkedFiles() throws(SlipboxError) -> [(path: [UInt8], size: Int64)] {
    let committed = try snapshot.committedFiles()
    var changed: [(path: [UInt8], size: Int64)] = []
    var new: [[UInt8]] = []
    let linked = try LinkedFiles(in: snapshot).all()
    for path in linked {
      guard let status = try plainFile(path) else { continue }
      if try !committed.isTracked(path), try box.isIgnored(path) { continue }
      let difference = try committed.difference(path, status: status) { () throws(SlipboxError) in
        try box.bytes(at: path) ?? []
      }
      if difference == .new { new.append(path) }
      if difference != .unchanged, difference != .hidden { changed.append((path, status.size)) }
    }
    let gone = try FilesMovedAway(snapshot, linked: linked, new: new, changed: changed.map(\.path)).paths
    return changed + gone.map { ($0, 0) }
  }

  /// Returns the state of a plain file; nil if there is no file, or something else.
  private func plainFile(_ path: [UInt8]) throws(SlipboxError) -> FileStatus? {
    let status = try system { () throws(SystemError) in
      try Files.status(box.absolutePath(path), followLinks: false)
    }
    return status?.kind == .file ? status : nil
  }

  /// Returns the unreadable notes, such as those over the size limit, whose files git has to commit: according to git's
  /// index they differ from the last commit.
  ///
  /// No file is read.
  package func unread() throws(SlipboxError) -> [UnreadableNote] {
    let committed = try snapshot.committedFiles()
    var changes: [UnreadableNote] = []
    for note in try snapshot.unreadableNotes() {
      // A file without a status is reported as unreadable.
      guard let status = try? Files.status(box.absolutePath(note.path), followLinks: false),
        status.kind == .file
      else { continue }
      if let entry = committed.staged(note.path), entry.stage == 0, entry.describes(status),
        try committed.file(note.path)?.id == entry.id
      {
        continue
      }
      changes.append(note)
    }
    return changes
  }
}

extension BoxWriter {
  /// Commits the files at some paths as they are on disk when git writes none of them.
  ///
  /// - Parameters:
  ///   - savesAlways: whether the operation is recorded if it can't be committed now.
  ///   - preparing: runs before each read of the files.
  /// - Throws: as `record(_:)`.
  package func commitAsFound(
    _ paths: [[UInt8]], command: String = "commit", subject: String? = nil, reason: String? = nil,
    savesAlways: Bool = false, preparing: () throws(SlipboxError) -> Void = {}
  ) throws(SlipboxError) -> CommitResult {
    func settling() throws(SlipboxError) {
      try preparing()
      try settleBodies(of: paths)
    }
    let result = try recordAsFound(paths, savesAlways: savesAlways, preparing: settling) { changes in
      let subject = subject ?? Self.subject(of: changes)
      return CommitDraft(
        command: command, subject: subject, reason: reason, changes: changes, files: .asFound,
        face: context.face)
    }
    for change in result.changes where Self.bringsMarkers(change) {
      context.reporter.warnOnce(box.markersWarning(change))
    }
    for change in result.changes where change.before == nil {
      ConflictCopy.warningOfOtherID(change, in: box).map { context.reporter.warnOnce($0) }
    }
    if case .committed = result.outcome {
      // A message that git prepared for these changes must not become that of a later commit.
      try box.git { repository throws(GitError) in try repository.sequencer.dropMessageWithoutChanges() }
    }
    return result
  }

  /// Removes the conflict of a text from the front matter of notes in which the user has chosen a version by hand.
  private func settleBodies(of paths: [[UInt8]]) throws(SlipboxError) {
    let committed = try CommitLookup(box, at: try box.tip(), count: paths.count)
    for path in paths where FileName.isNote(path) {
      guard let bytes = (try? box.bytes(at: path)) ?? nil,
        let settled = try? NoteText(bytes).droppingSettledBody(),
        settled.bytes != bytes,
        let head = try committed.file(path), head.isRegular,
        let before = try? box.content(of: head.id, at: path),
        NoteConflict.all(in: NoteText(before)).contains(where: { $0.name == MergePart.body.name })
      else { continue }
      // A file that another program changes meanwhile keeps the entry; the next command removes it.
      _ = try? box.folder.replace(path, with: settled.bytes, expecting: bytes)
    }
  }

  /// Returns whether a change adds git's conflict markers to a file without them.
  static func bringsMarkers(_ change: FileChange) -> Bool {
    guard let after = change.after, MergeMarkers.firstLine(in: after) != nil else { return false }
    return change.before.flatMap(MergeMarkers.firstLine) == nil
  }

  private static func subject(of changes: [FileChange]) -> String {
    guard changes.count == 1, let change = changes.first else {
      return "Commit outside edits: \(changes.count) files"
    }
    let verb = change.before == nil ? "Add" : change.after == nil ? "Delete" : "Edit"
    for (folder, what) in [(".slipbox/templates/", "template"), (".slipbox/kinds/", "kind")]
    where change.path.starts(with: folder.utf8) {
      let name = change.path.dropFirst(folder.utf8.count)
      return "\(verb) \(what) \(Phrase(name.prefix { $0 != UInt8(ascii: ".") }))"
    }
    let isNote = FileName.isNote(change.path)
    return "\(verb): \(isNote ? Plan.described(changes) : Phrase(change.path).description)"
  }
}

/// Files other than notes that another program moved or deleted, and whose removal belongs to the changes of the notes.
///
/// A removal is committed in three cases: the file's content is that of a linked file, the links to it are gone from the
/// notes that had them, or the file is a canvas. All other removals are left to git.
struct FilesMovedAway {
  /// The former paths, in order.
  private(set) var paths: [[UInt8]] = []

  /// - Parameters:
  ///   - linked: the files that notes link to, and canvases.
  ///   - new: the files that the last commit does not have.
  ///   - changed: the files that differ from the last commit.
  /// - Complexity: O(n) in the files of the commit; links are read only if a file is gone.
  init(
    _ snapshot: BoxSnapshot, linked: [[UInt8]], new: [[UInt8]], changed: [[UInt8]]
  ) throws(SlipboxError) {
    guard snapshot.source == .workTree else { return }
    let (box, committed) = (snapshot.box, try snapshot.committedFiles())
    let others = try snapshot.otherFiles()
    let changes = OutsideChanges(in: snapshot)
    var gone: [[UInt8]: TreeEntry] = [:]
    var kept: Set<ObjectID> = []
    let linked = Set(linked)
    for file in try committed.files() where file.isRegular && !FileName.isNote(file.path) {
      let path = Array(file.path.dropFirst(box.prefix.count))
      if others.contains(path) {
        if linked.contains(path) { kept.insert(file.id) }
        continue
      }
      let isHidden = path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
      if isHidden || committed.hidingFlag(path) != nil { continue }
      if try changes.isGone(path) { gone[path] = file }
    }
    guard !gone.isEmpty else { return }
    var found = Set(gone.filter { kept.contains($0.value.id) || CanvasFile.isOne($0.key) }.keys)
    for path in new {
      let file = try box.workTreeFile(at: path)
      for (old, entry) in gone where !found.contains(old) {
        let moved = TreeEntry(path: box.repositoryPath(path), id: entry.id, mode: entry.mode)
        if try box.holds(moved, file, nil) { found.insert(old) }
      }
    }
    let rest = Set(gone.keys).subtracting(found)
    if !rest.isEmpty { found.formUnion(try Self.unlinked(rest, snapshot, others, changed)) }
    paths = found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the files among those gone to which changed notes or canvases linked, and to which no note or canvas links
  /// any more.
  private static func unlinked(
    _ gone: Set<[UInt8]>, _ snapshot: BoxSnapshot, _ others: OtherFiles, _ changed: [[UInt8]]
  ) throws(SlipboxError) -> Set<[UInt8]> {
    let (box, committed) = (snapshot.box, try snapshot.committedFiles())
    let paths = (others.paths + gone).sorted { $0.lexicographicallyPrecedes($1) }
    let before = OtherFiles(paths, links: [], leftovers: [], sameNames: others.sameNames)
    var linked: Set<[UInt8]> = []
    let notes = try OutsideChanges(in: snapshot).notes().filter {
      $0.difference == .changed || $0.difference == .deleted
    }
    for path in notes.map(\.path) + changed.filter({ CanvasFile.isOne($0) }) {
      guard let file = try committed.file(path), file.isRegular else { continue }
      let bytes = try box.content(of: file.id, at: path)
      if CanvasFile.isOne(path) {
        linked.formUnion(CanvasFile(bytes).places.map(\.path))
      } else {
        linked.formUnion(
          LinkEditor.links(of: NoteText(bytes)).compactMap {
            before.file(of: $0, from: path)
          })
      }
    }
    linked.formIntersection(gone)
    guard !linked.isEmpty else { return [] }
    let entries = try snapshot.catalogue().entries
    for place in entries.indices where entries.mayLink(at: place) {
      let path = entries.path(at: place)
      for link in entries.links(at: place) {
        if let file = before.file(of: link, from: path) { linked.remove(file) }
      }
    }
    for (_, canvas) in try Canvases(in: snapshot).all(linked: []) {
      linked.subtract(canvas.places.map(\.path))
    }
    return linked
  }
}
