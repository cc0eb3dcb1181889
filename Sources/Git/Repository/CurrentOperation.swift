import Bytes
import Platform

/// A merge, rebase, cherry-pick, revert or `git stash pop` at which git stopped for conflicts.
package struct StoppedMerge: Sendable {
  package let operation: Repository.Operation
  /// The commit of HEAD: the one side.
  package let tip: ObjectID
  /// The other side: the commit that is merged or picked; for a revert the parent of the one that is reverted.
  package let other: ObjectID
  /// The base that git took; nil for a merge, whose base is that of the histories, and for a commit without a parent.
  package let base: ObjectID?
  /// Whether slip leaves the operation to the user: the user wanted to edit this commit of a rebase, or may have begun a
  /// revert that makes no commit.
  package var stopsForUser = false
  /// The files that git wrote to the work tree and that differ from those of the tip, by paths of the repository; nil for
  /// a file that git removed.
  package let written: [[UInt8]: TreeEntry?]
  /// The files whose content git did not write, as far as this is known without the tree that git wrote. Their
  /// conflicts were resolved by the user, or are left to the user.
  package var ofUser: Set<[UInt8]> = []
}

extension Repository {
  /// An operation that git has begun and not ended.
  package enum Operation: String, Sendable {
    case merge, rebase, cherryPick, revert, bisect, applyMailbox
    /// `git stash pop` or `git stash apply` that stopped for conflicts. Git does not note it: commits go on.
    case stash
  }
}

/// The operation that git is in the middle of in this work tree, if there is one.
package struct CurrentOperation {
  let repository: Repository
  private var gitDirectory: [UInt8] { repository.gitDirectory }

  /// The operation under way; nil without one.
  package var kind: Repository.Operation? {
    let exists: (String) -> Bool = { name in RawFile.status(gitDirectory / name) != nil }
    if exists("rebase-merge") { return .rebase }
    if exists("rebase-apply") { return exists("rebase-apply/applying") ? .applyMailbox : .rebase }
    if exists("MERGE_HEAD") { return .merge }
    if exists("CHERRY_PICK_HEAD") { return .cherryPick }
    if exists("REVERT_HEAD") { return .revert }
    if let todo = try? RawFile.read(gitDirectory / "sequencer/todo")?.bytes.trimmed, !todo.isEmpty {
      return todo.starts(with: "revert".utf8) ? .revert : .cherryPick
    }
    return exists("BISECT_LOG") ? .bisect : nil
  }

  /// The operation under way, else a stash whose changes are in conflict; nil without one.
  package func stopped() throws(GitError) -> Repository.Operation? {
    if let kind { return kind }
    return try repository.stashes.sidesInConflict() == nil ? nil : .stash
  }

  /// The commit of HEAD when the merge in progress began, and the first one that is merged into it; nil without a
  /// merge, or if git did not record both.
  package var mergeUnderWay: (start: ObjectID, merged: ObjectID)? {
    guard kind == .merge, let start = try? RawFile.read(gitDirectory / "ORIG_HEAD")?.bytes,
      let merged = try? RawFile.read(gitDirectory / "MERGE_HEAD")?.bytes,
      let start = ObjectID(hex: start.prefix(40)), let merged = ObjectID(hex: merged.prefix(40))
    else { return nil }
    return (start, merged)
  }

  /// The merge at which git stopped. Nil without one, and for those that only git can continue: an octopus merge; a merge,
  /// cherry-pick or revert without a conflict; a merge that is picked or reverted and whose conflicts don't show over which
  /// parent; one that put the files of the other side into another folder; a rebase that stopped without a conflict to let
  /// the user edit; one whose last step was interrupted; and a merge whose HEAD has moved since.
  ///
  /// A rebase that was killed between two commits counts, without files to merge, and so does one whose next commit git
  /// could not begin to apply. A revert with `--no-commit` does not count: finishing it would commit.
  ///
  /// Source: `AUTO_MERGE` of git-merge(1), which names the tree that git wrote, and `rebase-merge/done` of git-rebase(1).
  /// Git writes that tree with the strategy `ort` only; after others, the files are compared with a merge made here.
  package func stoppedMerge() throws(GitError) -> StoppedMerge? {
    guard let operation = try stopped(), let tip = try repository.head().tip, try interruptedStep() == nil,
      !repository.sequencer.commitsNothing
    else { return nil }
    if operation == .rebase, try repeatedCommit() != nil {
      // `--continue` would commit the staged changes as the commit that git has still to apply.
      if try hasStagedChanges() { return nil }
      return StoppedMerge(operation: operation, tip: tip, other: tip, base: tip, written: [:])
    }
    let isEdit = operation == .rebase ? try step() == .edit : false
    if operation == .rebase, !isEdit, try isStepCommitted() {
      return StoppedMerge(operation: operation, tip: tip, other: tip, base: tip, written: [:])
    }
    guard let sides = try sides(of: operation, tip) else {
      // A rebase that was killed between two commits has nothing to merge.
      guard operation == .rebase, try step() == .pick, try repository.index.unmergedPaths().isEmpty else {
        return nil
      }
      return StoppedMerge(operation: operation, tip: tip, other: tip, base: tip, written: [:])
    }
    let files = try StoppedFiles(
      repository, tip, sides.other, base: sides.base, isPicked: operation != .merge)
    // After `git merge --no-commit` the user wants to look at it first.
    if operation != .rebase, try !files.hadConflicts() {
      let isStaged = try hasStagedChanges()
      if operation == .merge || isStaged { return nil }
    }
    if operation != .stash, try files.isShifted() { return nil }
    let isLeft = isEdit || repository.sequencer.mayCommitNothing
    guard let tree = try hash(in: "AUTO_MERGE") else {
      let left = try files.leftByGit()
      return StoppedMerge(
        operation: operation, tip: tip, other: sides.other, base: sides.base, stopsForUser: isLeft,
        written: left.written, ofUser: left.ofUser)
    }
    return StoppedMerge(
      operation: operation, tip: tip, other: sides.other, base: sides.base, stopsForUser: isLeft,
      written: Dictionary(
        try repository.changedFiles(from: tip, toTree: tree).map { ($0.path, $0.new) },
        uniquingKeysWith: { $1 }))
  }

  /// Whether git put the files of the other side into another folder, as `git merge -X subtree=FOLDER` does.
  package func isShifted() throws(GitError) -> Bool {
    guard let operation = kind, let tip = try repository.head().tip, let sides = try sides(of: operation, tip)
    else { return false }
    return try StoppedFiles(
      repository, tip, sides.other, base: sides.base, isPicked: operation != .merge
    ).isShifted()
  }

  /// The step of a rebase that git began and did not commit, because it was killed, as `rebase-merge/done` has it; nil if
  /// there is none. Git would go on without that commit.
  ///
  /// - Returns: the line, such as `pick COMMIT # SUBJECT`.
  package func interruptedStep() throws(GitError) -> String? {
    guard let line = try lines(of: "rebase-merge/done").last else { return nil }
    let words = line.split(separator: UInt8(ascii: " "))
    // `fixup -C COMMIT` names it too.
    guard words.count > 1, Self.steps[String(decoding: words[0], as: UTF8.self)] != nil,
      let commit = words.dropFirst().lazy.compactMap({ ObjectID(hex: $0) }).first,
      let tip = try repository.head().tip
    else { return nil }
    let isNamed = { (line: ArraySlice<UInt8>) in line.starts(with: commit.hex.utf8) }
    let stopped = try lines(of: "rebase-merge/stopped-sha").first.map { commit.hex.utf8.starts(with: $0) }
    if tip == commit || stopped == true { return nil }
    if try hash(in: "REBASE_HEAD") == commit { return nil }
    for file in ["rebase-merge/rewritten-list", "rebase-merge/rewritten-pending"] {
      if try lines(of: file).contains(where: isNamed) { return nil }
    }
    // Git may have been killed after the commit and before it noted that.
    let (made, picked) = (try repository.read(tip), try repository.read(commit))
    if made.author == picked.author, made.message == picked.message { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  /// The commit of a rebase that git could not begin to apply, because files were in its way; nil without one. Git makes its
  /// step the next one again.
  private func repeatedCommit() throws(GitError) -> ObjectID? {
    // Files in conflict don't matter: they are of a stash that slip or the user popped meanwhile.
    guard let commit = try hash(in: "REBASE_HEAD"), try nextCommit() == commit else { return nil }
    return commit
  }

  /// Whether the user has committed the step at which a rebase stopped: git only has to go on.
  private func isStepCommitted() throws(GitError) -> Bool {
    let message = try lines(of: "logs/HEAD").last?.drop { $0 != 0x09 }.dropFirst()
    guard let message, message.starts(with: "commit".utf8) else { return false }
    guard try repository.index.unmergedPaths().isEmpty else { return false }
    return try !hasStagedChanges()
  }

  /// The commit of the next step of a rebase; nil if that step has none.
  private func nextCommit() throws(GitError) -> ObjectID? {
    // `fixup -C COMMIT` names it too.
    let step = try lines(of: "rebase-merge/git-rebase-todo").first
    let words = step?.split(separator: UInt8(ascii: " ")) ?? []
    return words.dropFirst().lazy.compactMap { ObjectID(hex: $0) }.first
  }

  /// Whether a rebase stopped at a commit that git could not begin to apply, and the next commit would have staged changes.
  package func hasStagedBeforeStep() throws(GitError) -> Bool {
    guard try repeatedCommit() != nil else { return false }
    return try hasStagedChanges()
  }

  /// The untracked files because of which git can't begin the next step of a rebase, from the root of the repository.
  package func filesInTheWay() throws(GitError) -> [[UInt8]] {
    guard kind == .rebase, let workTree = repository.workTree else { return [] }
    var commit = try repeatedCommit()
    // Git 2.42 and later does not note it in `REBASE_HEAD`.
    if commit == nil, try hash(in: "REBASE_HEAD") == nil { commit = try nextCommit() }
    guard let commit else { return [] }
    let entries = try repository.index.entries()
    return try repository.changedFiles(from: repository.read(commit).parents.first, to: commit, under: [])
      .filter { file in
        file.new != nil && entries.entry(at: file.path) == nil
          && RawFile.status(workTree / file.path, followLinks: false) != nil
      }.map(\.path)
  }

  /// The step at which a rebase stopped, such as `break` or `exec make`; nil if no rebase is under way.
  package func lastStep() throws(GitError) -> String? {
    try lines(of: "rebase-merge/done").last.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether files of the work tree differ from the index.
  ///
  /// Wraps git-diff(1).
  package func hasEdits() throws(GitError) -> Bool {
    try repository.runGit(["diff", "--quiet", "--ignore-submodules"]).status == 1
  }

  /// Whether git's index differs from HEAD, so that the next commit would have its changes.
  package func hasStagedChanges() throws(GitError) -> Bool {
    try repository.runGit(["diff-index", "--cached", "--quiet", "HEAD"]).status != 0
  }

  private func sides(
    of operation: Repository.Operation, _ tip: ObjectID
  ) throws(GitError) -> (base: ObjectID?, other: ObjectID)? {
    switch operation {
    case .merge:
      guard let merge = mergeUnderWay, merge.start == tip,
        try lines(of: "MERGE_HEAD").count == 1
      else { return nil }
      return (nil, merge.merged)
    case .rebase:
      guard let picked = try hash(in: "REBASE_HEAD"), let step = try step() else { return nil }
      // Without a conflict there is nothing to merge before the user edits.
      if step == .edit, try repository.index.unmergedPaths().isEmpty { return nil }
      return (try repository.read(picked).parents.first, picked)
    case .cherryPick:
      guard let picked = try hash(in: "CHERRY_PICK_HEAD") else { return nil }
      let parents = try repository.read(picked).parents
      if parents.count < 2 { return (parents.first, picked) }
      return try mainline(of: parents, stage: 1).map { ($0, picked) }
    case .revert:
      guard let reverted = try hash(in: "REVERT_HEAD") else { return nil }
      let parents = try repository.read(reverted).parents
      if parents.count == 1 { return (reverted, parents[0]) }
      return try mainline(of: parents, stage: 3).map { (reverted, $0) }
    case .stash: return try repository.stashes.sidesInConflict()
    case .applyMailbox, .bisect: return nil
    }
  }

  /// The parent over which git picks or reverts a merge, which it does not note: the only one whose files are the versions of
  /// all conflicts in a stage of the index. Nil without an entry, and without a conflict.
  private func mainline(of parents: [ObjectID], stage: Int) throws(GitError) -> ObjectID? {
    let versions = try repository.index.entries().filter { $0.stage == stage }
    var fitting: [ObjectID] = []
    for parent in parents where !versions.isEmpty {
      var fits = true
      for version in versions where fits {
        fits = try repository.file(version.path, at: parent)?.id == version.id
      }
      if fits { fitting.append(parent) }
    }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// A step of a rebase.
  private enum RebaseStep { case pick, edit }

  private static let steps: [String: RebaseStep] = [
    "pick": .pick, "p": .pick, "fixup": .pick, "f": .pick, "squash": .pick, "s": .pick, "edit": .edit,
    "e": .edit, "reword": .edit, "r": .edit,
  ]

  /// The step at which a rebase stopped: a commit that it picks without the user, or one that the user wants to edit; nil
  /// for any other.
  private func step() throws(GitError) -> RebaseStep? {
    // `git rebase --apply` knows no other.
    if RawFile.status(gitDirectory / "rebase-apply") != nil { return .pick }
    guard let line = try lines(of: "rebase-merge/done").last else { return nil }
    let command = String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    // Of `fixup` and `squash`, git notes a commit to amend at conflicts too.
    let isAmended = RawFile.status(gitDirectory / "rebase-merge/amend") != nil
    let isJoined = ["fixup", "f", "squash", "s"].contains(command)
    return isAmended && !isJoined ? nil : Self.steps[command]
  }

  func lines(of file: String) throws(GitError) -> [ArraySlice<UInt8>] {
    try RawFile.read(gitDirectory / file)?.bytes.split(separator: 0x0A) ?? []
  }

  func hash(in file: String) throws(GitError) -> ObjectID? {
    guard let bytes = try RawFile.read(gitDirectory / file)?.bytes else { return nil }
    return ObjectID(hex: bytes.prefix(40))
  }

  /// Runs git to finish an operation whose conflicts are all resolved, with the message that it prepared.
  ///
  /// A merge is committed with the hooks of `git commit`.
  /// - Parameter hookVariables: variables for the hooks, beside those of git.
  /// - Returns: git's output if it stopped again, and the hook that refused the commit of a merge.
  /// - Throws: `other` with git's reason.
  package func conclude(
    _ operation: Repository.Operation, hookVariables: [String: String] = [:]
  ) throws(GitError) -> (words: String, refusal: CommitHook?)? {
    let isEmpty = try !hasStagedChanges()
    let words: [String]
    switch operation {
    case .merge:
      words = ["commit", "--no-edit", "--cleanup=strip", "--quiet"]
    case .rebase:
      let isRepeated = try repeatedCommit() != nil
      words = ["rebase", isEmpty && !isRepeated ? "--skip" : "--continue"]
    case .cherryPick: words = ["cherry-pick", isEmpty ? "--skip" : "--continue"]
    case .revert: words = ["revert", isEmpty ? "--skip" : "--continue"]
    case .applyMailbox, .bisect, .stash: return nil
    }
    var settings = ["commit.gpgSign=false"]
    if operation != .merge {
      // The resolutions of this step are recorded, as by `git commit`. Recorded ones must not settle a later step.
      settings.append("rerere.enabled=false")
      if RawFile.status(gitDirectory / "MERGE_RR") != nil { _ = try repository.runGit(["rerere"]) }
    }
    let runsHooks = operation == .merge && !repository.hooks.areSkipped
    let hooks = runsHooks ? try CommitHookFolder(of: repository.hooks) : nil
    defer { hooks?.remove() }
    if let hooks { settings.append("core.hooksPath=\(GitError.text(hooks.path))") }
    if operation == .rebase { try stopBeforeMessage() }
    let variables = hookVariables.merging(["GIT_EDITOR": "true"]) { $1 }
    let run = { [settings] () throws(GitError) -> GitProgram.Answer in
      try GitProgram.capture(
        settings.flatMap { ["-c", $0] } + words,
        in: repository.workTree ?? gitDirectory, environment: repository.environment,
        adding: variables, startsSession: operation != .merge)
    }
    // Interrupted, git would leave a commit half checked out: in a session of its own it gets no key of the terminal. The
    // commit of a merge can be interrupted, with its hooks.
    let answer = try operation == .merge ? run() : Signals.deferring(run)
    repository.indexCache.known = nil
    if answer.status == 0 { return nil }
    return (Self.plainLines(answer.errors + answer.output).joined(separator: "\n"), hooks?.refusal)
  }

  /// Has a rebase stop before the next step for whose message git opens the editor, such as `reword`, unless it stops for the
  /// user before.
  private func stopBeforeMessage() throws(GitError) {
    let file = gitDirectory / "rebase-merge/git-rebase-todo"
    guard let bytes = try RawFile.read(file)?.bytes else { return }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let stops = ["edit", "e", "break", "b"]
    let next = lines.firstIndex { Self.asksForMessage($0) || stops.contains(Self.command(of: $0)) }
    guard let next, Self.asksForMessage(lines[next]) else { return }
    lines.insert(ArraySlice("break".utf8), at: next)
    let text = Array(lines.joined(separator: [0x0A]))
    try GitError.wrapping("write", file) { () throws(SystemError) in try Files.write(text, to: file) }
  }

  /// The next step of a rebase that stopped at `break`, if git opens the editor for the message of that step; else nil.
  package func stepWithMessage() throws(GitError) -> String? {
    guard let last = try lines(of: "rebase-merge/done").last,
      ["break", "b"].contains(Self.command(of: last)),
      let next = try lines(of: "rebase-merge/git-rebase-todo").first, Self.asksForMessage(next)
    else { return nil }
    return String(decoding: next, as: UTF8.self)
  }

  private static func command(of step: ArraySlice<UInt8>) -> String {
    String(decoding: step.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// Whether git opens the editor for the message of a step of a rebase.
  private static func asksForMessage(_ step: ArraySlice<UInt8>) -> Bool {
    let words = step.split(separator: UInt8(ascii: " "))
    switch command(of: step) {
    case "reword", "r", "squash", "s": return true
    case "fixup", "f", "merge", "m": return words.count > 1 && words[1].elementsEqual("-c".utf8)
    default: return false
    }
  }

  /// The lines of git's report without those of its progress, which a terminal overwrites.
  static func plainLines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      // A line of progress ends with a return.
      let text = line.split(separator: "\r").last { !$0.hasPrefix("Rebasing (") } ?? ""
      let plain = String(text).replacing("\u{1B}[K", with: "")
      return plain.isEmpty ? nil : plain
    }
  }
}
