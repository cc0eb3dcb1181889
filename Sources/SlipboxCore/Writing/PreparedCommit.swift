import Git
import Notes
import Platform
import Text

/// The objects of an operation, written but not yet referred to by anything.
struct PreparedCommit {
  /// A file of the operation as blobs; nil where there is no file.
  struct Path: Equatable {
    let path: [UInt8]
    let before: ObjectID?
    let after: ObjectID?
    let mode: UInt32
  }

  let commit: ObjectID
  /// What the branch pointed at.
  let parent: ObjectID?
  let paths: [Path]
  let subject: String
  /// The blobs that the parent has for the paths, in their order; empty where the commit was prepared by an earlier
  /// command.
  var committed: [ObjectID?] = []
}

extension BoxWriter {
  /// Writes blobs, trees and commits for an operation on top of HEAD: first, apart, what other programs changed in its
  /// targets, then the operation itself.
  ///
  /// Many become one pack, which git leaves alone until the branch has moved there: see `publish(_:)`.
  func prepare(_ operation: CommitDraft) throws(SlipboxError) -> PreparedCommit {
    try box.withRepository { repository throws(SlipboxError) in
      try repository.writingTogether(failing: { SlipboxError($0) }) { () throws(SlipboxError) in
        if let joining = operation.joining { return try join(joining, operation) }
        return try writeObjects(of: operation)
      }
    }
  }

  private func writeObjects(of operation: CommitDraft) throws(SlipboxError) -> PreparedCommit {
    let tip = try box.tip()
    let committed = try CommitLookup(box, at: tip, count: operation.changes.count)
    var paths: [PreparedCommit.Path] = []
    var heads: [ObjectID?] = []
    var outside: [Repository.TreeEdit] = []
    var own: [Repository.TreeEdit] = []
    for change in operation.changes {
      context.reporter.report(.storing, paths.count, of: operation.changes.count)
      let name = box.repositoryPath(change.path)
      let head = try committed.file(change.path)
      let before = operation.files == .asFound ? head?.id : try blob(change.before, name)
      heads.append(head?.id)
      let after = try blob(change.after, name)
      let mode = head?.mode ?? newMode(change)
      if before != head?.id { outside.append(treeEdit(name, before, mode)) }
      own.append(treeEdit(name, after, mode))
      paths.append(.init(path: change.path, before: before, after: after, mode: mode))
    }
    var parent = tip
    if !outside.isEmpty {
      let subject = "Outside edits: " + outsideSubject(operation.changes, count: outside.count)
      let draft = CommitDraft(command: "commit", subject: subject, changes: [])
      parent = try writeCommit(outside, on: tip.map { [$0] } ?? [], message: message(of: draft, paths: []))
    }
    let message = try message(of: operation, paths: paths)
    let commit = try writeCommit(own, on: parent.map { [$0] } ?? [], message: message)
    return PreparedCommit(
      commit: commit, parent: tip, paths: paths, subject: operation.subject, committed: heads)
  }

  /// Makes a merge with the commit of another branch, or takes that commit itself.
  private func join(
    _ joining: CommitDraft.Joining, _ draft: CommitDraft
  ) throws(SlipboxError) -> PreparedCommit {
    let tip = try box.tip()
    let committed = try CommitLookup(box, at: tip, count: draft.changes.count)
    var paths: [PreparedCommit.Path] = []
    var heads: [ObjectID?] = []
    for (change, edit) in zip(draft.changes, joining.edits) {
      let head = try committed.file(change.path)
      heads.append(head?.id)
      if case .put(_, let blob, let mode) = edit {
        paths.append(.init(path: change.path, before: head?.id, after: blob, mode: mode))
      } else {
        paths.append(.init(path: change.path, before: head?.id, after: nil, mode: head?.mode ?? 0o100644))
      }
    }
    let commit =
      joining.isForward
      ? joining.commit
      : try writeCommit(
        joining.edits, on: (tip.map { [$0] } ?? []) + [joining.commit],
        message: try message(of: draft, paths: paths))
    return PreparedCommit(commit: commit, parent: tip, paths: paths, subject: draft.subject, committed: heads)
  }

  private func blob(_ bytes: [UInt8]?, _ name: [UInt8]) throws(SlipboxError) -> ObjectID? {
    guard let bytes else { return nil }
    return try box.git { repository throws(GitError) in try repository.writeBlob(bytes, path: name) }
  }

  private func treeEdit(_ name: [UInt8], _ blob: ObjectID?, _ mode: UInt32) -> Repository.TreeEdit {
    blob.map { .put(path: name, blob: $0, mode: mode) } ?? .remove(path: name)
  }

  /// The mode in git of a file that HEAD does not have.
  private func newMode(_ change: FileChange) -> UInt32 {
    let status = (try? Files.status(box.absolutePath(change.path), followLinks: false)) ?? nil
    let isExecutable = status.map { $0.mode & 0o100 != 0 } ?? change.permissions.isExecutable
    return isExecutable ? 0o100755 : 0o100644
  }

  /// Writes a commit of our paths alone on top of the first parent's tree.
  func writeCommit(
    _ edits: [Repository.TreeEdit], on parents: [ObjectID], message: String
  ) throws(SlipboxError) -> ObjectID {
    let identity = try identity()
    return try box.git { repository throws(GitError) in
      let tree = try repository.writeTree(base: parents.first, edits)
      return try repository.writeCommit(
        tree: tree, parents: parents, message: message, author: identity.author,
        committer: identity.committer)
    }
  }

  /// The message of a draft's commit, with the trailers of its operation.
  func message(of draft: CommitDraft, paths: [PreparedCommit.Path]) throws(SlipboxError) -> String {
    let author = try identity().author
    let operation = draft.operation(
      id: context.ids.operationID(), device: context.device, author: author, paths: paths)
    return OperationTrailers.message(of: operation)
  }

  /// The author and committer of a commit made now.
  private func identity() throws(SlipboxError) -> (
    author: Repository.Signature, committer: Repository.Signature
  ) {
    let now = context.clock.now
    return try box.git { repository throws(GitError) in
      try repository.identity(at: (now.seconds, now.offsetSeconds / 60))
    }
  }

  private func outsideSubject(_ changes: [FileChange], count: Int) -> String {
    if count == 1, changes.count == 1 { return Plan.described(changes) }
    return count == 1 ? "1 note" : "\(count) notes"
  }
}
