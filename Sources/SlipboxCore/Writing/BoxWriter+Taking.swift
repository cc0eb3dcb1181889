import Bytes
package import Git
import Notes
import Platform
import Text

/// What came into the box when it took the commits of another branch.
package struct TakenCommits: Sendable {
  package enum Way: Sendable {
    /// The branch held the commit already.
    case nothing
    /// The branch moved forward to the commit.
    case forward
    /// A merge has both.
    case merged
  }

  package let way: Way
  /// Where the branch stands now.
  package let tip: ObjectID
  /// The files that changed here.
  package let changes: [FileChange]
  package let conflicts: [MergeConflict]
}

extension BoxWriter {
  /// Brings the branch to where it holds another commit too: forward where nothing was made here since, else by a merge.
  ///
  /// Nothing is checked out by git: the files are written as those of any command, and only where they are committed.
  /// - Parameters:
  ///   - name: what people call the other branch.
  ///   - allowsLosses: whether more than half of the notes may go, and histories without a common commit be joined.
  /// - Throws: `.busy` where a file has changes that are not committed, `.badData` for losses that are not allowed.
  package func take(
    _ other: ObjectID, named name: String, allowsLosses: Bool
  ) throws(SlipboxError) -> TakenCommits {
    var taking: Taking?
    let result = try record(beside: [], savesAlways: false) { () throws(SlipboxError) in
      let made = try Taking(self, other, name, allowsLosses: allowsLosses)
      taking = made
      return made.draft
    }
    let now = try box.tip()
    guard let taking, let tip = taking.tip ?? now else {
      throw SlipboxError(.notFound, "there is no commit to take")
    }
    var reached = tip
    if case .committed(let commit) = result.outcome { reached = commit }
    return TakenCommits(
      way: taking.way, tip: reached, changes: result.changes.filter(\.isChange), conflicts: taking.conflicts)
  }
}

extension BoxWriter {
  /// The fields that transitions of the kinds change together, of either side's kinds.
  func mergeRules(_ one: ObjectID, _ other: ObjectID) throws(SlipboxError) -> MergeRules {
    try MergeRules(of: [one, other], box, context)
  }
}

/// What is to be done so that the branch holds another commit too.
private struct Taking {
  private let box: Box
  let way: TakenCommits.Way
  let tip: ObjectID?
  private(set) var conflicts: [MergeConflict] = []
  private(set) var draft: CommitDraft

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
    let edits: [TreeEdit]
    if let tip, !bases.contains(tip) {
      way = .merged
      if bases.isEmpty, !allowsLosses { throw Self.unrelated(name) }
      let merge = try CommitMerge(store, rules: try MergeRules(of: [tip, other], box, writer.context)).merge(
        tip, other)
      edits = try merge.edits(of: tip)
      conflicts = merge.conflicts
    } else {
      way = .forward
      edits = try store.differences(from: tip, to: other).map { file in
        file.new.map { .put(path: $0.path, blob: $0.id, mode: $0.mode) } ?? .remove(path: file.path)
      }
    }
    if !allowsLosses { try refuseLosses(edits, name) }
    let changes = try changes(edits)
    let subject = way == .merged ? "Merge \(Visible.escape(name))" : "forward to \(Visible.escape(name))"
    draft = CommitDraft(
      command: "sync", subject: subject, changes: changes,
      joining: .init(commit: other, edits: edits, isForward: way == .forward))
  }

  /// The edits as changes of the files, which have to hold what is committed.
  private func changes(_ edits: [TreeEdit]) throws(SlipboxError) -> [FileChange] {
    let committed = try CommitLookup(box, at: tip, count: edits.count)
    var changes: [FileChange] = []
    for edit in edits {
      guard edit.path.starts(with: box.prefix) else { throw Self.outside(edit.path) }
      let path = Array(edit.path.dropFirst(box.prefix.count))
      let head = try committed.file(path)
      guard edit.isRegular, head?.isRegular ?? true else { throw Self.special(path) }
      let found = try box.bytes(at: path)
      let isCommitted =
        if let found, let head { try box.stores(found, at: path, as: head.id) } else {
          found == nil && head == nil
        }
      var after: [UInt8]?
      var permissions = FilePermissions.plain
      if case .put(_, let blob, let mode) = edit {
        after = try box.blob(blob)
        if mode & 0o100 != 0 { permissions = .executable }
      }
      guard isCommitted || found == after else { throw Self.uncommitted(path, isNew: head == nil) }
      changes.append(FileChange(path: path, before: found, after: after, permissions: permissions))
    }
    return changes
  }
}

extension Taking {
  /// Fewer notes than these are no box that can be lost.
  private static let fewest = 5

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
      .badData, "\(Visible.escape(name)) would take away \(gone) of \(count) notes; nothing was changed",
      hints: [
        "git log \(ShellWord.quoted(Array(name.utf8))) shows what happened there", "slip sync --yes takes it",
      ])
  }

  private static func unrelated(_ name: String) -> SlipboxError {
    SlipboxError(
      .badData, "\(Visible.escape(name)) has no commit in common with this box; nothing was changed",
      hints: ["is it the right remote? slip remote list", "slip sync --yes joins the two boxes"])
  }

  private static func uncommitted(_ path: [UInt8], isNew: Bool) -> SlipboxError {
    let shown = Visible.escape(path)
    return SlipboxError(
      .busy,
      isNew ? "\(shown) is in the way of a file that came" : "\(shown) has changes that are not committed",
      hints: isNew ? ["move it away, or commit it with: git add \(shown)"] : ["slip commit"])
  }

  private static func outside(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .configuration, "the other side changed files outside the box, such as \(Visible.escape(path))",
      hints: ["git pull merges these, and the notes too"])
  }

  private static func special(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .configuration, "\(Visible.escape(path)) is a symbolic link or a submodule that the other side changed",
      hints: ["git pull takes it, and merges the notes too"])
  }
}

extension TreeEdit {
  /// Whether it makes a file of bytes, or takes one away.
  fileprivate var isRegular: Bool {
    if case .put(_, _, let mode) = self { mode & 0o170000 == 0o100000 } else { true }
  }
}
