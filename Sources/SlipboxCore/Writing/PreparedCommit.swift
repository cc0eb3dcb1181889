import Bytes
import Git
import Notes
import Platform
import Text

/// The objects of an operation, written, but with no references to them yet.
struct PreparedCommit {
  let commit: ObjectID
  /// The commit that the branch pointed to.
  let parent: ObjectID?
  /// The files of the operation as git has them before and after, in the order of its changes, by paths in the box.
  let files: [FileDifference]
  /// The files that are left out of the work tree, so that git's index only names their blobs.
  var leftOut: Set<[UInt8]> = []
  let subject: String
  /// The blobs that the parent has for the files, in their order; empty if the commit was prepared by an earlier
  /// command.
  var committed: [ObjectID?] = []
}

extension FileDifference {
  var isRemoval: Bool { new == nil }

  /// Whether the bytes differ; the modes may.
  var changesBytes: Bool { old?.id != new?.id }
}

extension BoxWriter {
  /// Writes blobs, trees and commits for an operation on top of HEAD. The changes of its targets by other programs get a
  /// separate commit before it.
  ///
  /// Many objects become one pack, which git leaves alone until the branch has moved there: see `publish(_:)`.
  ///
  /// - Throws: `.notPermitted` for a path that git refuses, such as one in `.git`: no file of it may be written;
  ///   `.configuration` for a new file outside a sparse checkout; `.badData` for a note above the size limit for reading.
  func prepare(_ operation: CommitDraft) throws(SlipboxError) -> PreparedCommit {
    for change in operation.changes where change.to != .absent {
      do throws(GitError) {
        try PathCheck.validate(box.repositoryPath(change.path))
      } catch {
        throw SlipboxError(.notPermitted, Phrase(error.message))
      }
    }
    if operation.joining == nil {
      try refuseOutsideCheckout(operation)
      try refuseTooLarge(operation)
    }
    return try box.withRepository { repository throws(SlipboxError) in
      try repository.writingTogether(failing: { SlipboxError($0) }) { () throws(SlipboxError) in
        let operation = try silenced(operation)
        if let joining = operation.joining { return try join(joining, operation) }
        return try writeObjects(of: operation)
      }
    }
  }

  /// Returns a draft whose message contains only the ids of notes behind a filter.
  private func silenced(_ draft: CommitDraft) throws(SlipboxError) -> CommitDraft {
    box.withRepository { $0.attributes.forget() }
    var isFiltered = false
    for path in draft.changes.map(\.path) + draft.moves.keys where try box.isFiltered(path) {
      isFiltered = true
    }
    guard isFiltered else { return draft }
    var silent = draft
    silent.isSilent = true
    if draft.joining == nil { silent.subject = Self.silentSubject(of: draft) }
    return silent
  }

  private static func silentSubject(of draft: CommitDraft) -> String {
    let done: String =
      switch draft.reversal {
      case .undo: "Undo: "
      case .redo: "Redo: "
      case nil: ""
      }
    let notes = draft.changes.filter { FileName.isNote($0.path) }
    guard let note = notes.first, notes.count == 1 else {
      let count = draft.changes.count
      if notes.isEmpty { return "\(done)Change \(count == 1 ? "1 file" : "\(count) files")" }
      return "\(done)Change \(notes.count) notes"
    }
    // The name of an undo is that of the change that it reverses.
    let isUndo = if case .undo = draft.reversal { true } else { false }
    let (old, new) = isUndo ? (note.to, note.from) : (note.from, note.to)
    let verb = old == .absent ? "New note" : new == .absent ? "Delete note" : "Change note"
    let bytes = note.after ?? note.before ?? []
    let id = Note(path: note.path, text: NoteText(bytes)).id
    return "\(done)\(verb): \(id?.description ?? ByteText.text(of: note.path))"
  }

  /// Refuses new files that sparse checkout would leave out of the work tree.
  private func refuseOutsideCheckout(_ operation: CommitDraft) throws(SlipboxError) {
    let changes = operation.changes.filter { $0.to != .absent }
    let leftOut = try box.git { repository throws(GitError) in
      try repository.sparseCheckout.leftOut(of: changes.map { box.repositoryPath($0.path) })
    }
    guard !leftOut.isEmpty else { return }
    let committed = try CommitLookup(box, at: try box.tip(), count: leftOut.count)
    for change in changes where leftOut.contains(box.repositoryPath(change.path)) {
      if try committed.file(change.path) == nil {
        throw Box.outsideCheckout(change.path, isThere: change.from != .absent)
      }
    }
  }

  /// Refuses notes above the size limit: no command could read them again.
  private func refuseTooLarge(_ operation: CommitDraft) throws(SlipboxError) {
    for change in operation.changes where box.isNoteFile(box.repositoryPath(change.path)) {
      guard let size = change.to.bytes?.count, size > NoteReader.sizeLimit else { continue }
      throw SlipboxError(
        .badData, "\(change.path) would have \(NoteReader.tooLarge(Int64(size)))",
        hints: ["nothing was written; split the text into several notes"])
    }
  }

  private func writeObjects(of operation: CommitDraft) throws(SlipboxError) -> PreparedCommit {
    let tip = try box.tip()
    let committed = try CommitLookup(box, at: tip, count: operation.changes.count)
    var files: [FileDifference] = []
    var heads: [ObjectID?] = []
    var outside: [TreeEdit] = []
    var own: [TreeEdit] = []
    for change in operation.changes {
      context.reporter.report(.storing, files.count, of: operation.changes.count)
      let name = box.repositoryPath(change.path)
      let head = try committed.file(change.path)
      let old = operation.files == .asFound ? head : try treeEntry(change.from, name, head)
      heads.append(head?.id)
      let new = try treeEntry(change.to, name, head)
      if old?.id != head?.id || old?.mode != head?.mode {
        outside.append(treeEdit(name, old))
      }
      own.append(treeEdit(name, new))
      files.append(FileDifference(path: change.path, old: old, new: new))
    }
    for origin in try origins(of: operation, files, heads) {
      let edit = TreeEdit.remove(path: box.repositoryPath(origin.path))
      if operation.files == .asFound { own.append(edit) } else { outside.append(edit) }
      files.append(origin)
      heads.append(origin.old?.id)
    }
    var parent = tip
    if !outside.isEmpty {
      let subject =
        "Outside edits: " + outsideSubject(operation.changes, count: outside.count, operation.isSilent)
      let draft = CommitDraft(command: "commit", subject: subject, changes: [])
      parent = try writeCommit(outside, on: tip.map { [$0] } ?? [], message: message(of: draft, files: []))
    }
    let message = try message(of: operation, files: files)
    let commit = try writeCommit(own, on: parent.map { [$0] } ?? [], message: message)
    return PreparedCommit(
      commit: commit, parent: tip, files: files, subject: operation.subject, committed: heads)
  }

  /// Merges with the commit of another branch, or fast-forwards to that commit.
  private func join(
    _ joining: CommitDraft.Joining, _ draft: CommitDraft
  ) throws(SlipboxError) -> PreparedCommit {
    let tip = try box.tip()
    let committed = try CommitLookup(box, at: tip, count: draft.changes.count)
    var files: [FileDifference] = []
    var leftOut: Set<[UInt8]> = []
    var heads: [ObjectID?] = []
    for (change, edit) in zip(draft.changes, joining.edits) {
      let head = try committed.file(change.path)
      heads.append(head?.id)
      var new: TreeEntry?
      if case .put(let name, let blob, let mode) = edit { new = TreeEntry(path: name, id: blob, mode: mode) }
      files.append(FileDifference(path: change.path, old: head, new: new))
      if case .leftOut = change.to { leftOut.insert(change.path) }
    }
    let commit =
      joining.isForward
      ? joining.commit
      : try writeCommit(
        joining.edits, on: (tip.map { [$0] } ?? []) + [joining.commit],
        message: try message(of: draft, files: files))
    return PreparedCommit(
      commit: commit, parent: tip, files: files, leftOut: leftOut, subject: draft.subject, committed: heads)
  }

  /// Returns the entry that git-add(1) would create for a state, and writes its blob; nil if there is no file.
  /// - Parameter head: the entry of the last commit. Its mode counts if `core.fileMode` is false.
  private func treeEntry(
    _ state: FileState, _ name: [UInt8], _ head: TreeEntry?
  ) throws(SlipboxError) -> TreeEntry? {
    guard var mode = state.mode else { return nil }
    let blob = try box.git { repository throws(GitError) in
      switch state {
      case .file(let bytes, _): try repository.conversion.writeBlob(bytes, path: name)
      case .link(let target): try repository.writeBlob(asStored: target)
      case .absent, .leftOut: ObjectID.zero
      }
    }
    if case .leftOut(let known, _) = state { return TreeEntry(path: name, id: known, mode: mode) }
    if case .file = state, let head, head.isRegular, head.mode != mode,
      !box.withRepository({ $0.settings.usesFileModes })
    {
      mode = head.mode
    }
    return TreeEntry(path: name, id: blob, mode: mode)
  }

  private func treeEdit(_ name: [UInt8], _ entry: TreeEntry?) -> TreeEdit {
    entry.map { .put(path: name, blob: $0.id, mode: $0.mode) } ?? .remove(path: name)
  }

  /// Writes a commit of our paths alone on top of the first parent's tree.
  /// - Parameter author: the author of a commit that is rewritten; nil for the user, now.
  func writeCommit(
    _ edits: [TreeEdit], on parents: [ObjectID], message: String, author: Signature? = nil
  ) throws(SlipboxError) -> ObjectID {
    let identity = try identity()
    return try box.git { repository throws(GitError) in
      let tree = try repository.writeTree(base: parents.first, edits)
      return try repository.writeCommit(
        tree: tree, parents: parents, message: message, author: author ?? identity.author,
        committer: identity.committer)
    }
  }

  /// Returns the message of a draft's commit, with the trailers of its operation.
  func message(of draft: CommitDraft, files: [FileDifference]) throws(SlipboxError) -> String {
    let author = try identity().author
    var operation = draft.operation(
      id: draft.operation ?? context.ids.operationID(), device: box.device(context), author: author,
      files: files)
    if draft.joining == nil {
      operation.filesDigest = FilesDigest.of(
        files.map { FilesDigest.File(path: $0.path, old: $0.old?.id, new: $0.new?.id) })
    }
    return OperationTrailers.message(of: operation)
  }

  /// Returns the author and committer of a commit made now.
  private func identity() throws(SlipboxError) -> (
    author: Signature, committer: Signature
  ) {
    let now = context.clock.now
    return try box.git { repository throws(GitError) in
      try repository.identity(at: (now.seconds, now.offsetSeconds / 60))
    }
  }

  private func outsideSubject(_ changes: [FileChange], count: Int, _ isSilent: Bool) -> String {
    if count == 1, changes.count == 1, !isSilent { return Plan.described(changes) }
    return count == 1 ? "1 note" : "\(count) notes"
  }
}
