import Bytes
package import Git
import Notes
import Platform
package import Text

/// The conditions of a commit.
extension BoxWriter {
  /// Refuses while git has an operation in progress or HEAD is detached. Also refuses if a commit is not possible:
  /// without an identity, or with a clock before 1970.
  /// - Parameter makesCommit: false if the branch only moves to an existing commit.
  func refuseWhereNoCommitIsPossible(makesCommit: Bool = true) throws(SlipboxError) {
    try refuseOperationUnderWay()
    if case .detached(let commit) = try box.git({ repository throws(GitError) in try repository.head() }) {
      throw SlipboxError(
        .configuration, "HEAD is detached at \(commit.hex.prefix(8)), so a commit would be on no branch",
        hints: ["git switch BRANCH switches to a branch, git switch -c NAME makes one here"])
    }
    try refuseReplacedTip()
    guard makesCommit else { return }
    let now = context.clock.now
    guard now.seconds >= 0 else {
      throw SlipboxError(
        .configuration,
        "can't commit: the clock shows \(now.rfc3339), and git servers reject dates before 1970",
        hints: [
          "set the clock, for example with: sudo date -s 'YYYY-MM-DD HH:MM'", "then: \(slip: "commit")",
        ])
    }
    _ = try box.git { repository throws(GitError) in
      try repository.identity(at: (now.seconds, now.offsetSeconds / 60))
    }
  }

  /// Refuses if `git replace` gives HEAD's commit other files. slip ignores replacements, so its commit would have the
  /// original files again.
  private func refuseReplacedTip() throws(SlipboxError) {
    let replaced = try box.git { repository throws(GitError) -> ObjectID? in
      guard let tip = try repository.head().tip,
        let replacement = try repository.references["refs/replace/\(tip.hex)"]
      else { return nil }
      let setting = "core.useReplaceRefs"
      guard repository.settings[setting] == nil || repository.settings.isTrue(setting) else { return nil }
      return try repository.read(replacement).tree != repository.read(tip).tree ? tip : nil
    }
    guard let replaced else { return }
    throw SlipboxError(
      .configuration,
      "git replace gives HEAD's commit \(replaced.hex.prefix(8)) other files, which slip does not read",
      hints: [
        "to commit these files, run: git commit --allow-empty -m 'Take the replaced files'",
        "or drop the replacement with: git replace -d \(replaced.hex.prefix(8))",
      ])
  }

  /// Refuses while git has a merge, a rebase or another operation in progress.
  package func refuseOperationUnderWay() throws(SlipboxError) {
    guard let operation = box.withRepository({ $0.operation.kind }) else { return }
    if let overtaken = OvertakenMerge(box) { throw overtaken.refusal }
    throw SlipboxError(
      .busy, "a \(operation.name) is in progress in this repository",
      hints: box.wayOut(of: operation))
  }

  /// Refuses if the user has staged content of a target that differs from its file: a commit would discard one of the
  /// two.
  func refuseOtherStagedContent(
    _ prepared: PreparedCommit, _ draft: CommitDraft, _ staged: StagedState
  ) throws(WriteConflict) {
    guard staged.status != nil else { return }
    for (number, file) in prepared.files.enumerated() {
      let name = box.repositoryPath(file.path)
      let entry = staged.entries[name]
      if let entry, entry.stage > 0 {
        throw .notNow(
          SlipboxError(
            .busy, "\(file.path) has conflicting versions in git's index",
            hints: ["edit it, then run: git add \(typed: name)"]))
      }
      let isAnnounced = entry?.intentToAdd ?? false
      if isAnnounced || entry?.id == prepared.committed[number] || entry?.id == file.old?.id
        || entry?.id == file.new?.id
      {
        continue
      }
      if case .saved(let found) = draft.files, let entry, number < found.count {
        let id = try refusing { () throws(SlipboxError) in
          try box.contentID(of: found[number], at: file.path)
        }
        if id == entry.id { continue }
      }
      if let entry, try refusing({ () throws(SlipboxError) in try box.isCommitted(entry.id, at: file.path) })
      {
        continue
      }
      let shown = Phrase(file.path)
      throw .refused(
        SlipboxError(
          .busy,
          entry == nil
            ? "\(shown) was removed from git's index"
            : "\(shown) has staged content that differs from the file",
          hints: ["commit that with git commit, or unstage it with: git restore --staged \(typed: file.path)"]
        ))
    }
  }

  /// Refuses to change a file that a flag of git's index hides from git: edits of it by other programs are kept out of
  /// history. A merge may update such a file if it has no hidden changes.
  func refuseHidden(
    _ prepared: PreparedCommit, _ draft: CommitDraft, _ staged: StagedState
  ) throws(WriteConflict) {
    guard draft.joining == nil else { return }
    for file in prepared.files {
      guard let flag = staged.entries[box.repositoryPath(file.path)]?.hidingFlag else { continue }
      throw .refused(
        SlipboxError(
          .configuration, "can't change \(file.path): it is hidden from git (\(flag))",
          hints: ["unhide it with: git update-index --no-\(flag) \(typed: file.path)"]))
    }
  }

  /// Reports, once per clone, the hooks and the signing that `git commit` would run and slip does not.
  func sayWhatIsSkipped() {
    guard !hasSaidWhatIsSkipped else { return }
    hasSaidWhatIsSkipped = true
    guard let skipped = box.skippedByCommit else { return }
    let file = BytePath.join(box.stateFolder, Array("skipped".utf8))
    let said = Array(skipped.description.utf8)
    if let known = try? Files.read(file, limit: 4096), known == said { return }
    // If the state file can't be written, the warning appears again.
    try? box.makeStateFolder()
    try? Files.write(said, to: file, permissions: .ofUser)
    context.reporter.warn("\(skipped); \(slip: "doctor") shows this again; see \(slip: "help config")")
  }

  /// Starts git's automatic garbage collection in another process, which packs the objects if there are many.
  func startGarbageCollection() { _ = box.withRepository { GitProgram.startAutoGC($0) } }
}

extension Box {
  /// The maximum number of commits of a file in which a content is searched for.
  private static let mostVersions = 1_000

  /// Returns whether the last commit has a blob at any path, or an earlier commit has it at a path of the box. Nothing is
  /// lost then if git's index names another blob instead, as after `git mv` and an edit.
  fileprivate func isCommitted(_ blob: ObjectID, at path: [UInt8]) throws(SlipboxError) -> Bool {
    guard let tip = try tip() else { return false }
    for file in try CommittedFiles(self, at: tip, withIndex: false).files() where file.id == blob {
      return true
    }
    let name = repositoryPath(path)
    return try git { repository throws(GitError) in
      var commits: [ObjectID] = []
      try repository.history.visit(from: tip, touching: [name], limit: Self.mostVersions) { commit in
        commits.append(commit.id)
        return true
      }
      for commit in commits where try repository.file(name, at: commit)?.id == blob { return true }
      return false
    }
  }

  /// The files with conflicting versions in git's index, from the root of the repository, in order; empty if the index
  /// can't be read.
  package var unmergedPaths: [[UInt8]] {
    withRepository { try? $0.index.unmergedPaths() } ?? []
  }

  /// The common name of the merge, rebase or other operation that git has in progress; nil if there is none.
  package var operationUnderWay: String? { withRepository { $0.operation.kind }?.name }

  /// Whether git stopped at conflicts that a sync can merge.
  package var hasStoppedMerge: Bool { withRepository { (try? $0.operation.stoppedMerge()) ?? nil } != nil }

  /// The hooks and the signing that `git commit` would run here and slip does not, in a sentence; nil if there are none.
  ///
  /// An unknown value of `slipbox.hooks` is named too: hooks run then.
  package var skippedByCommit: Phrase? {
    let (skipped, isSkip, unknown) = withRepository {
      ($0.hooks.skippedByCommit, $0.hooks.areSkipped, $0.hooks.unknownSetting)
    }
    let hasHooks = skipped.contains { $0.hasSuffix(" hook") }
    let reason = isSkip && hasHooks ? " (git config slipbox.hooks is skip)" : ""
    let parts: [Phrase] = [
      skipped.isEmpty ? nil : "not run: \(skipped.joined(separator: ", "))\(reason)",
      unknown.map { "git config slipbox.hooks is \($0), which is neither run nor skip" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension Box {
  /// The maximum number of commits of a cherry-pick or revert that a hint names.
  private static let mostCommits = 5

  private static func named(_ commits: some Collection<String>) -> String {
    commits.count > mostCommits ? "COMMIT..." : commits.joined(separator: " ")
  }

  /// Returns the command that applies the commits after the first; empty if there is only one.
  private static func rest(of commits: [String], with command: String) -> String {
    commits.count < 2 ? "" : " && \(command) --no-commit \(named(commits.dropFirst()))"
  }

  /// Returns the commands that end an operation of git that is in progress.
  package func wayOut(of operation: Repository.Operation) -> [Phrase] {
    let unapplied = withRepository { (try? $0.sequencer.unappliedCommits()) ?? [] }
    if let first = unapplied.first {
      let command = "git \(operation.command)"
      if withRepository({ $0.sequencer.commitsNothing }), let conflict = unmergedPaths.first {
        return [
          "it was begun with --no-commit, and \(command) --continue would refuse the changes",
          "edit the files in conflict, such as \(Phrase(conflict)), and run: git add FILE...",
          "then run: \(command) --quit\(Self.rest(of: unapplied, with: command))",
          "or drop the \(operation.name) with: \(command) --abort",
        ]
      }
      let commits = Self.named(unapplied)
      return [
        "git did not apply the commit \(first), and \(command) --continue would leave it out",
        "drop the \(operation.name) with: \(command) --abort",
        "or commit your changes, then run: \(command) --quit && \(command) \(commits)",
      ]
    }
    if let way = wayOutWithoutFilter(of: operation) { return way }
    let step = operation == .rebase ? withRepository { (try? $0.operation.interruptedStep()) ?? nil } : nil
    guard let step else {
      if operation == .rebase, let way = wayOutOfStepNotBegun { return way }
      let (unmerged, isMergeable) = (unmergedPaths, hasStoppedMerge)
      if !isMergeable, withRepository({ (try? $0.operation.isShifted()) ?? false }) {
        let left: Phrase =
          "git put the files of the other side into another folder, as with -X subtree; this is left to you"
        return [left] + operation.wayOut(settling: unmerged, isMergeable: false)
      }
      if isMergeable, unmerged.allSatisfy(isMerged),
        let way = wayOutOfSingleRevert(hasConflicts: !unmerged.isEmpty)
      {
        return way
      }
      if unmerged.isEmpty, !isMergeable, let way = wayOutWithoutConflicts(of: operation) { return way }
      return operation.wayOut(
        settling: isMergeable ? unmerged.filter { !isMerged($0) && noteOfCopy($0) == nil } : unmerged,
        isMergeable: isMergeable)
    }
    return [
      "git was killed in this step, and git rebase --continue would leave its commit out: \(step)",
      "drop the rebase with: git rebase --abort",
      "or enter the step again as the first line of: git rebase --edit-todo; then run git rebase --continue",
    ]
  }

  /// Why slip does not commit the revert of one commit.
  package static let unknownOption: Phrase = "git does not record whether it was begun with --no-commit"

  /// The commands that end the revert of one commit whose conflicts are settled.
  package static let wayOutOfRevert: [Phrase] = [
    "commit it with: git revert --continue", "or drop it with: git revert --abort",
  ]

  /// The commands for the revert of one commit; nil for another operation, and if the revert changes nothing.
  private func wayOutOfSingleRevert(hasConflicts: Bool) -> [Phrase]? {
    guard withRepository({ $0.sequencer.mayCommitNothing }) else { return nil }
    if hasConflicts {
      return [
        "\(slip: "resolve", "--yes") merges the notes; \(option: "--dry-run") shows how",
        "then \(Self.wayOutOfRevert[0])",
      ] + Self.wayOutOfRevert.dropFirst()
    }
    guard withRepository({ (try? $0.operation.hasStagedChanges()) ?? true }) else { return nil }
    return ["slip does not commit it: \(Self.unknownOption)"] + Self.wayOutOfRevert
  }

  /// The commands for a rebase that stopped because git could not begin a step; nil if git can begin it.
  private var wayOutOfStepNotBegun: [Phrase]? {
    let drop: Phrase = "or drop it with: git rebase --abort"
    if withRepository({ (try? $0.operation.hasStagedBeforeStep()) ?? false }) {
      return [
        "git did not apply the next commit, and git rebase --continue would put your staged changes into it",
        "unstage them with: git restore --staged :/ && \(slip: "resolve", "--yes")", drop,
      ]
    }
    let files = withRepository { (try? $0.operation.filesInTheWay()) ?? [] }
    guard !files.isEmpty else { return nil }
    let names = files.prefix(Self.mostCommits).map { Phrase($0) }.joined(separator: ", ")
    let more = files.count > Self.mostCommits ? " and \(files.count - Self.mostCommits) more" : ""
    return [
      "git can't apply the next commit: it would overwrite untracked files: \(names)\(more)",
      "move \(files.count == 1 ? "it" : "them") away, then run: \(slip: "resolve", "--yes")", drop,
    ]
  }
}

extension Box {
  /// Returns whether slip merges a file: a note, a kind or the settings of the box. The path is from the root of the
  /// repository.
  func isMerged(_ name: [UInt8]) -> Bool {
    guard name.starts(with: prefix) else { return false }
    let path = name.dropFirst(prefix.count)
    return isNoteFile(name)
      || path.starts(with: ".slipbox/".utf8) && path.suffix(5).elementsEqual(".yaml".utf8)
  }

  /// Whether git keeps the message for the commit of a squash.
  package var hasPreparedMessage: Bool {
    (try? Files.status(gitDirectory / "SQUASH_MSG"))??.kind == .file
  }

  /// Whether notes or settings are staged for which git has prepared a message, as `git merge --squash` does. The user
  /// commits them.
  package var hasPreparedChanges: Bool {
    let paths = withRepository { (try? $0.sequencer.preparedPaths()) ?? [] }
    return paths.contains(where: isMerged)
  }

  /// Returns the commands that end an operation of git which stopped without a conflict and can't continue as it is; nil
  /// if it can.
  private func wayOutWithoutConflicts(of operation: Repository.Operation) -> [Phrase]? {
    let drop: Phrase = "or drop it with: git \(operation.command) --abort"
    switch operation {
    case .applyMailbox:
      return [
        "the patch does not apply; git am --show-current-patch=diff shows it",
        "edit the files, run git add FILE..., then: git am --continue",
        "or skip the patch with: git am --skip",
        drop,
      ]
    case .rebase:
      guard withRepository({ (try? $0.operation.hasEdits()) ?? false }) else { return nil }
      // A stash would remove the staged content of the commit of this step.
      if withRepository({ (try? $0.operation.hasStagedChanges()) ?? true }) {
        return [
          "your edits are not staged, and git rebase --continue would refuse",
          "put them into this commit with: git add -u && git rebase --continue", drop,
        ]
      }
      return [
        "your edits are not committed, and git rebase --continue would refuse",
        "finish it with: git stash && git rebase --continue && git stash pop", drop,
      ]
    default: return nil
    }
  }
}

extension Repository.Operation {
  /// The common name of the operation.
  package var name: String {
    switch self {
    case .cherryPick: "cherry-pick"
    case .applyMailbox: "git am"
    case .stash: "git stash pop"
    default: rawValue
    }
  }

  /// Returns the commands that end the operation, if no step of it was interrupted.
  /// - Parameters:
  ///   - unmerged: the files in conflict that are left to the user, from the root of the repository.
  ///   - isMergeable: whether a sync can merge the notes and finish it.
  fileprivate func wayOut(settling unmerged: [[UInt8]], isMergeable: Bool) -> [Phrase] {
    if self == .bisect { return ["end it with: git bisect reset"] }
    let goOn: Phrase = "git \(command) --continue"
    let drop: Phrase =
      self == .stash
      ? "or drop it with: git reset --merge; the stash is kept" : "or drop it with: git \(command) --abort"
    if isMergeable, unmerged.isEmpty {
      return [
        "\(slip: "resolve", "--yes") merges the notes and finishes it; \(option: "--dry-run") shows how",
        drop,
      ]
    }
    guard let first = unmerged.first else { return ["finish it with: \(goOn)", drop] }
    // The path starts at the root of the repository, whatever the current folder is.
    let file = unmerged.count == 1 ? Phrase(typed: Array(":/".utf8) + first) : "FILE..."
    let names = unmerged.prefix(Self.mostNamed).map { Phrase($0) }.joined(separator: ", ")
    let more = unmerged.count > Self.mostNamed ? " and \(unmerged.count - Self.mostNamed) more" : ""
    return [
      "in conflict: \(names)\(more); edit \(unmerged.count == 1 ? "it" : "them"), then run: git add \(file) && \(isMergeable ? Phrase.slip("resolve", "--yes") : goOn)",
      drop,
    ]
  }

  /// The maximum number of files in conflict that a hint names.
  private static let mostNamed = 3

  /// The git command of the operation.
  var command: String {
    switch self {
    case .cherryPick: "cherry-pick"
    case .applyMailbox: "am"
    default: rawValue
    }
  }
}
