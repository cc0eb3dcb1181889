package import Git
import Notes
package import Text

/// One command's effect on the box: what changes, and the sentence that history keeps of it.
struct CommitDraft: Sendable {
  /// The command as it was typed, without its arguments.
  let command: String
  /// The face of slip that the command comes from; nil for the command line.
  let face: String?
  /// The id of the operation; nil for a random one.
  var operation: OperationID?
  /// What a person would say was done, in one line.
  var subject: String
  /// Whether the message tells nothing of the texts of the notes, because a filter hides one of them from history.
  var isSilent = false
  /// Why, as the user put it with `-m`.
  let reason: String?
  let changes: [FileChange]
  /// The new paths of notes that move, by the old ones.
  let moves: [[UInt8]: [UInt8]]
  /// Where the new bytes are.
  var files: Files
  /// The operation that is taken back or done again; nil for any other command.
  let reversal: Operation.Reversal?
  /// The commit of another branch that is taken in; nil for any other command.
  let joining: Joining?

  /// A commit of another branch, with what it makes of the files.
  struct Joining: Sendable {
    let commit: ObjectID
    /// One for each change, in their order.
    let edits: [TreeEdit]
    /// Folders of the work tree that hold no file, or only files that go, where files come.
    var emptyFolders: [[UInt8]] = []
    /// Whether the branch only moves to the commit, which has all that is here.
    let isForward: Bool
  }

  /// What the files of a draft hold while it is committed.
  enum Files: Sendable, Equatable {
    /// The bytes before the change: they are still to be written.
    case before
    /// The bytes after it, because another program wrote them; the change is from what HEAD has.
    case asFound
    /// These states, in the order of the changes: an earlier command wrote those of the change, and others may have
    /// come after it.
    case saved([FileState])
  }

  init(
    command: String, subject: String, reason: String? = nil, changes: [FileChange],
    moves: [[UInt8]: [UInt8]] = [:], files: Files = .before, reversal: Operation.Reversal? = nil,
    joining: Joining? = nil, face: String? = nil
  ) {
    self.joining = joining
    self.command = command
    self.face = face
    self.subject = subject
    self.reason = reason
    self.changes = changes
    self.moves = moves
    self.files = files
    self.reversal = reversal
  }

  /// The same draft with other changes of the same files.
  func with(_ changes: [FileChange]) -> CommitDraft {
    var draft = CommitDraft(
      command: command, subject: subject, reason: reason, changes: changes, moves: moves, files: files,
      reversal: reversal, joining: joining, face: face)
    draft.operation = operation
    draft.isSilent = isSilent
    return draft
  }

  /// Whether it becomes a commit of its own; false if the branch only moves forward.
  var makesCommit: Bool { joining?.isForward != true }

  /// What the files have to hold when they are not written; nil if they are.
  var expected: [FileState]? {
    switch files {
    case .before: nil
    case .asFound: changes.map(\.to)
    case .saved(let states): states
    }
  }
}

extension CommitDraft {
  /// The operation that the draft's commit tells of.
  ///
  /// - Parameter files: the changes as git has them, in their order.
  func operation(
    id: OperationID, device: String, author: Signature, files: [FileDifference] = []
  ) -> Operation {
    // The changes of many notes are not written, so nothing is spent on them.
    let isListed = changes.count <= OperationTrailers.limit && !isSilent
    return Operation(
      id: id, command: command, face: face, device: device, author: author, subject: subject, reason: reason,
      changes: isListed ? noteChanges(files) : [], noteCount: isListed ? nil : changes.count,
      reversal: reversal)
  }

  private func noteChanges(_ differences: [FileDifference]) -> [NoteChange] {
    let files = zip(changes, differences).map { change, difference in
      (
        old: version(change.path, change.before, difference.old?.id),
        new: version(change.path, change.after, difference.new?.id)
      )
    }
    return NoteChange.between(NoteVersion.joined(files, moves))
  }

  private func version(_ path: [UInt8], _ bytes: [UInt8]?, _ blob: ObjectID?) -> NoteVersion? {
    guard let bytes, let blob else { return nil }
    return NoteVersion(path: path, bytes: bytes, blob: blob)
  }
}

/// The result of recording a change.
package struct CommitResult: Sendable {
  /// How far the recording came.
  package enum Outcome: Sendable, Equatable {
    /// Everything was in place already.
    case unchanged
    /// One commit holds it.
    case committed(ObjectID)
    /// The files are written; why they could not be committed, and the class of that condition.
    case saved(SlipboxError.Kind, reason: Phrase, hints: [Phrase])
    /// The files are written, and a hook of git's refused the commit; no later command tries again by itself.
    case refused(message: Phrase, hints: [Phrase])
  }

  package let outcome: Outcome
  package let changes: [FileChange]
  /// The sentence of the commit; nil if nothing changed.
  package let subject: String?
}

/// The files of a commit that a change is held against, looked up one by one or, if they are many, all at once.
struct CommitLookup {
  /// From so many on, one pass over the trees costs less than a way down for each.
  private static let many = 200

  private let box: Box
  private let commit: ObjectID?
  private let all: CommittedFiles?

  /// - Parameter count: how many files will be asked for.
  init(_ box: Box, at commit: ObjectID?, count: Int) throws(SlipboxError) {
    self.box = box
    self.commit = commit
    all = count > Self.many ? try CommittedFiles(box, at: commit, withIndex: false) : nil
  }

  /// The file at a path of the box; nil if the commit has none.
  func file(_ path: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    guard let commit else { return nil }
    if let all { return try all.file(path) }
    let name = box.repositoryPath(path)
    return try box.git { repository throws(GitError) in try repository.file(name, at: commit) }
  }
}
