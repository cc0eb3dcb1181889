import Bytes
import Git
import Notes
import Platform
import Text

/// Commits with the hooks of git-commit(1), unless git's configuration of the user or the clone sets `slipbox.hooks` to
/// `skip`.
///
/// Hooks read files, so the writer writes the files before they run. A record of the saved operation lets the next
/// command finish an interrupted one after a crash. If a hook refuses the commit, the record is removed: the text stays
/// in its file, and no later command retries by itself.
extension BoxWriter {
  /// The running time above which a warning names a hook, in milliseconds.
  private static let slowMilliseconds: Int64 = 2_000

  /// Commits a draft as the next commit of the branch, with the hooks.
  func commitRunningHooks(_ draft: CommitDraft) throws(WriteConflict) -> ObjectID {
    try postponing { () throws(SlipboxError) in try refuseWhereNoCommitIsPossible() }
    guard draft.files == .before else { return try commitWritten(draft, isNew: false) }
    let prepared = try refusing { () throws(SlipboxError) in try prepare(draft) }
    try refuseForStagedState(prepared, draft)
    let operation = SavedOperation(
      command: draft.command, subject: draft.subject, reason: draft.reason, changes: draft.changes,
      committed: prepared.committed)
    waitForCheckout()
    let record = try Signals.deferring { () throws(WriteConflict) -> [UInt8] in
      let record = try refusing { () throws(SlipboxError) in try operation.keep(in: box.savedFolder) }
      do throws(WriteConflict) {
        _ = try writeFiles(draft.changes)
      } catch {
        SavedOperation.remove(record)
        throw error
      }
      return record
    }
    var written = draft
    written.files = .saved(draft.changes.map(\.to))
    do throws(WriteConflict) {
      let commit = try commitWritten(written, isNew: true)
      SavedOperation.remove(record)
      return commit
    } catch {
      switch error {
      case .hook(let refusal):
        SavedOperation.remove(record)
        throw .hook(keepingReplacedTexts(draft, prepared, refusal))
      case .begun: throw error
      // The files are written: the next command commits them by the record.
      default: throw .begun(error.refusal)
      }
    }
  }

  /// Saves the previous texts of files in the state folder if git does not have them: their commit was refused too.
  private func keepingReplacedTexts(
    _ draft: CommitDraft, _ prepared: PreparedCommit, _ refusal: SlipboxError
  ) -> SlipboxError {
    var hints = refusal.hints
    for (change, head) in zip(draft.changes, prepared.committed) {
      guard let text = change.from.bytes, change.to.bytes?.starts(with: text) != true,
        (try? box.contentID(of: change.from, at: change.path)) != .some(head)
      else { continue }
      let name = BytePath.name(of: change.path)
      let folder = box.folderBehindFilter(of: change.path)
      let file = try? box.keepApart(text, name: name, in: folder, at: context.clock.now)
      let path = Phrase(change.path)
      hints.append(
        file.map { "the uncommitted text that \(path) had is kept at \($0)" }
          ?? "the uncommitted text that \(path) had could not be kept")
    }
    return SlipboxError(
      refusal.kind, refusal.message, hints: hints, unsavedText: refusal.unsavedText)
  }

  /// Commits files that already have the change.
  ///
  /// - Parameter isNew: whether this command wrote them.
  private func commitWritten(_ draft: CommitDraft, isNew: Bool) throws(WriteConflict) -> ObjectID {
    var (draft, prepared) = (draft, try refusing { () throws(SlipboxError) in try prepare(draft) })
    sayWhatIsSkipped()
    let index = try refusing { () throws(SlipboxError) in
      try box.git { repository throws(GitError) in
        try repository.hooks.makeTemporaryIndex(of: prepared.commit)
      }
    }
    defer { index.remove() }
    try run(.preCommit, index, isNew: isNew)
    if let staged = try staged(in: index, draft, isNew: isNew) {
      draft = staged
      prepared = try refusing { () throws(SlipboxError) in try prepare(staged) }
    } else if case .saved = draft.files {
      // A hook may have changed the files without staging them.
      draft.files = .saved(
        try refusing { () throws(SlipboxError) in
          try draft.changes.map { (change) throws(SlipboxError) in try box.workTreeFile(at: change.path).state
          }
        })
    }
    let commit = try withMessageOfHooks(prepared, index, isNew: isNew)
    prepared = PreparedCommit(
      commit: commit, parent: prepared.parent, files: prepared.files, leftOut: prepared.leftOut,
      subject: prepared.subject, committed: prepared.committed)
    waitForNewerIndex(prepared.files)
    try holdingGitsLocks { held throws(WriteConflict) in try makeReal(prepared, draft, held) }
    // The commit exists: the exit status of this hook does not change that.
    _ = try? answer(of: .postCommit, [], nil)
    return commit
  }

  /// Returns the draft with the content that a hook has staged of its files; nil if the hook has staged nothing.
  ///
  /// - Throws: `hook` if the hook has staged another file, or content that differs from its file.
  private func staged(
    in index: TemporaryIndex, _ draft: CommitDraft, isNew: Bool
  ) throws(WriteConflict) -> CommitDraft? {
    let staged = try refusing { () throws(SlipboxError) in
      try box.git { repository throws(GitError) in try repository.hooks.staged(in: index) }
    }
    guard !staged.isEmpty else { return nil }
    var changes = draft.changes
    for (name, blob) in staged {
      let place = changes.firstIndex { box.repositoryPath($0.path) == name }
      let state = try place.map { (place) throws(WriteConflict) in
        try refusing { () throws(SlipboxError) in try box.workTreeFile(at: changes[place].path).state }
      }
      guard let place, let state, try id(of: state, at: changes[place].path) == blob else {
        throw .hook(
          refusal(
            "the pre-commit hook staged \(name), which slip can't commit",
            ["commit it with: git commit"], isNew: isNew))
      }
      changes[place] = FileChange(path: changes[place].path, from: changes[place].from, to: state)
    }
    var result = draft.with(changes)
    if case .saved = draft.files { result.files = .saved(changes.map(\.to)) }
    return result
  }

  private func id(of state: FileState, at path: [UInt8]) throws(WriteConflict) -> ObjectID? {
    try refusing { () throws(SlipboxError) in try box.contentID(of: state, at: path) }
  }

  /// Runs the hooks of the message, and returns the commit with the message as they left it.
  private func withMessageOfHooks(
    _ prepared: PreparedCommit, _ index: TemporaryIndex, isNew: Bool
  ) throws(WriteConflict) -> ObjectID {
    let hooks = box.withRepository { $0.hooks.ofCommits }
    guard hooks.contains(.prepareMessage) || hooks.contains(.message) else { return prepared.commit }
    let file = box.withRepository { $0.gitDirectory } / "COMMIT_EDITMSG"
    let commit = try refusing { () throws(SlipboxError) in
      try box.git { repository throws(GitError) in try repository.read(prepared.commit) }
    }
    let message = Array(commit.message.utf8)
    try refusing { () throws(SlipboxError) in
      try system { () throws(SystemError) in try Files.write(message, to: file) }
    }
    try run(.prepareMessage, index, [file, Array("message".utf8)], isNew: isNew)
    try run(.message, index, [file], isNew: isNew)
    let left = try refusing { () throws(SlipboxError) in
      try system { () throws(SystemError) in try Files.read(file, limit: 1 << 20) }
    }
    if left == message { return prepared.commit }
    guard left.contains(where: { $0 > 0x20 }) else {
      throw .hook(refusal("a hook left the message of the commit empty", [], isNew: isNew))
    }
    return try refusing { () throws(SlipboxError) in
      try box.git { repository throws(GitError) in
        try repository.writeCommit(
          tree: commit.tree, parents: commit.parents, message: String(decoding: left, as: UTF8.self),
          author: commit.author, committer: commit.committer)
      }
    }
  }

  /// Returns the error for a hook that refuses the commit of a merge of git, whose notes are merged.
  /// - Parameter words: the output of the hook.
  static func refusal(of hook: CommitHook, _ words: String) -> SlipboxError {
    let lines = words.split(separator: "\n").prefix(20).map { Phrase(String($0)) }
    return SlipboxError(
      .notPermitted, "the \(hook.rawValue) hook refused the commit of the merge",
      hints: lines + [
        "the notes are merged; correct that, then run: git commit", "or drop it with: git merge --abort",
      ])
  }

  private func run(
    _ hook: CommitHook, _ index: TemporaryIndex, _ arguments: [[UInt8]] = [], isNew: Bool
  ) throws(WriteConflict) {
    let answer: CommitHook.Answer?
    do throws(SlipboxError) {
      answer = try self.answer(of: hook, arguments, index)
    } catch {
      throw .hook(refusal("the \(hook.rawValue) hook can't be run", [error.message], isNew: isNew))
    }
    guard let answer, !answer.hasAgreed else { return }
    let lines = answer.lines.prefix(20).map { Phrase($0) }
    throw .hook(refusal("the \(hook.rawValue) hook refused the commit", lines, isNew: isNew))
  }

  /// Runs a hook. If the hook agrees, its output is shown as warnings.
  private func answer(
    of hook: CommitHook, _ arguments: [[UInt8]], _ index: TemporaryIndex?
  ) throws(SlipboxError) -> CommitHook.Answer? {
    let mark = [CommandContext.hookVariable: box.hookMark]
    let answer = try box.git { repository throws(GitError) in
      try repository.hooks.run(hook, arguments, index: index, adding: mark)
    }
    guard let answer else { return nil }
    if answer.hasAgreed { for line in answer.lines { context.reporter.warn(Phrase(line)) } }
    if answer.milliseconds > Self.slowMilliseconds {
      context.reporter.warn(
        "the \(hook.rawValue) hook took more than 2 s; git config slipbox.hooks skip turns hooks off here")
    }
    return answer
  }

  private func refusal(_ message: Phrase, _ lines: [Phrase], isNew: Bool) -> SlipboxError {
    SlipboxError(
      .notPermitted, isNew ? "saved, not committed: \(message)" : "not committed: \(message)",
      hints: lines + ["no later command retries it; to commit the files: \(slip: "commit")"])
  }

  /// Refuses a command of slip in a hook that another command of slip runs in this box: a deadlock.
  func refuseInOwnHook() throws(SlipboxError) {
    guard context.isInHook(of: box) else { return }
    throw SlipboxError(
      .busy, "slip can't change the box in a hook that slip runs: that command has not ended",
      hints: ["commands that read the box work in hooks"])
  }
}

extension Box {
  /// Whether commits of slip run the hooks of git-commit(1): some hook exists, and git's configuration does not forbid
  /// it.
  var runsCommitHooks: Bool {
    withRepository { !$0.hooks.areSkipped && !$0.hooks.ofCommits.isEmpty }
  }

  /// The value that identifies the box of a hook to the commands in the hook.
  var hookMark: String { Hexadecimal.text(withRepository { $0.commonDirectory }) }
}

extension CommandContext {
  /// The environment variable by which commands in a hook detect that slip runs the hook.
  package static let hookVariable = "SLIPBOX_HOOK"

  /// Returns whether the command runs in a hook of a commit that slip makes in a box.
  func isInHook(of box: Box) -> Bool { hookMark.map { $0 == box.hookMark } ?? false }
}
