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
}

extension Slipbox {
  /// Writes blobs, trees and commits for an operation on top of HEAD: first, apart, what other programs changed in its
  /// targets, then the operation itself.
  ///
  /// Many become one pack, which git leaves alone until the branch has moved there: see `publish(_:)`.
  func prepare(_ operation: Operation) throws(SlipboxError) -> PreparedCommit {
    try repository.writingTogether(failing: { SlipboxError($0) }) { () throws(SlipboxError) in
      try writeObjects(of: operation)
    }
  }

  private func writeObjects(of operation: Operation) throws(SlipboxError) -> PreparedCommit {
    let tip = try tip()
    let committed = try CommittedFiles(of: self, at: tip, count: operation.changes.count)
    var paths: [PreparedCommit.Path] = []
    var outside: [Repository.TreeEdit] = []
    var own: [Repository.TreeEdit] = []
    for change in operation.changes {
      Progress.report(.storing, paths.count, of: operation.changes.count)
      let name = repositoryPath(change.path)
      let head = try committed.entry(name)
      let before = operation.isAsFound ? head?.id : try blob(change.before, name)
      let after = try blob(change.after, name)
      let mode = head?.mode ?? newMode(change.path)
      if before != head?.id { outside.append(treeEdit(name, before, mode)) }
      own.append(treeEdit(name, after, mode))
      paths.append(.init(path: change.path, before: before, after: after, mode: mode))
    }
    var parent = tip
    if !outside.isEmpty {
      let subject = "Outside edits: " + outsideSubject(operation.changes, count: outside.count)
      parent = try writeCommit(outside, on: tip, message: outsideMessage(subject))
    }
    let message = operation.message(id: newOperationID(), device: surroundings.device, paths: paths)
    let commit = try writeCommit(own, on: parent, message: message)
    return PreparedCommit(commit: commit, parent: tip, paths: paths, subject: operation.subject)
  }

  private func blob(_ bytes: [UInt8]?, _ name: [UInt8]) throws(SlipboxError) -> ObjectID? {
    guard let bytes else { return nil }
    return try git { () throws(GitError) in try repository.writeBlob(bytes, path: name) }
  }

  private func treeEdit(_ name: [UInt8], _ blob: ObjectID?, _ mode: UInt32) -> Repository.TreeEdit {
    blob.map { .put(path: name, blob: $0, mode: mode) } ?? .remove(path: name)
  }

  /// The mode in git of a file that HEAD does not have.
  private func newMode(_ path: [UInt8]) -> UInt32 {
    let status = try? Files.status(absolutePath(path), followLinks: false)
    return (status?.mode ?? 0) & 0o100 == 0 ? 0o100644 : 0o100755
  }

  /// Writes a commit of our paths alone on top of a commit.
  func writeCommit(
    _ edits: [Repository.TreeEdit], on parent: ObjectID?, message: String
  ) throws(SlipboxError) -> ObjectID {
    let now = surroundings.clock.now
    return try git { () throws(GitError) in
      let identity = try repository.identity(at: (now.seconds, now.offsetSeconds / 60))
      let tree = try repository.writeTree(base: parent, edits)
      return try repository.writeCommit(
        tree: tree, parents: parent.map { [$0] } ?? [], message: message, author: identity.author,
        committer: identity.committer)
    }
  }

  private func outsideSubject(_ changes: [FileChange], count: Int) -> String {
    count == 1 && changes.count == 1 ? Plan.described(changes) : "\(count) notes"
  }

  private func outsideMessage(_ subject: String) -> String {
    Operation(command: "commit", subject: subject, changes: [])
      .message(id: newOperationID(), device: surroundings.device)
  }

  /// A name for an operation: unique enough to be found again in history.
  private func newOperationID() -> String {
    surroundings.newID().description + surroundings.newID().description
  }
}
