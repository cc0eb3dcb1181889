package import Git
import Notes
package import Text

/// The effect of one command on the box: its changes, and the sentence that history stores about them.
struct CommitDraft: Sendable {
  /// The command as it was typed, without its arguments.
  let command: String
  /// The face of slip that the command comes from; nil for the command line.
  let face: String?
  /// The id of the operation; nil for a random one.
  var operation: OperationID?
  /// The description of the change in one line, as a person would say it.
  var subject: String
  /// Whether the message contains nothing from the texts of the notes, because a filter hides one of them from history.
  var isSilent = false
  /// The user's reason, given with `-m`.
  let reason: String?
  let changes: [FileChange]
  /// The new paths of notes that move, by the old ones.
  let moves: [[UInt8]: [UInt8]]
  /// The location of the new bytes.
  var files: Files
  /// The operation that is undone or redone; nil for any other command.
  let reversal: Operation.Reversal?
  /// The commit of another branch that is taken; nil for any other command.
  let joining: Joining?

  /// A commit of another branch, with its edits of the files.
  struct Joining: Sendable {
    let commit: ObjectID
    /// The edits, one for each change, in the same order.
    let edits: [TreeEdit]
    /// Folders of the work tree at the paths of incoming files. They contain no file, or only files that are removed.
    var emptyFolders: [[UInt8]] = []
    /// Whether this is a fast-forward: the commit contains all that is here.
    let isForward: Bool
  }

  /// The content of a draft's files while it is committed.
  enum Files: Sendable, Equatable {
    /// The bytes before the change: the new ones are still to be written.
    case before
    /// The bytes after the change, because another program wrote them. The change is from HEAD's content.
    case asFound
    /// These states, in the order of the changes. An earlier command wrote the states of the change, and other programs
    /// may have written later.
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

  /// Returns the same draft with other changes of the same files.
  func with(_ changes: [FileChange]) -> CommitDraft {
    var draft = CommitDraft(
      command: command, subject: subject, reason: reason, changes: changes, moves: moves, files: files,
      reversal: reversal, joining: joining, face: face)
    draft.operation = operation
    draft.isSilent = isSilent
    return draft
  }

  /// Whether the draft becomes a commit of its own; false for a fast-forward.
  var makesCommit: Bool { joining?.isForward != true }

  /// The states that the files must have if they are not written; nil if they are written.
  var expected: [FileState]? {
    switch files {
    case .before: nil
    case .asFound: changes.map(\.to)
    case .saved(let states): states
    }
  }
}

extension CommitDraft {
  /// Returns the operation that the draft's commit records.
  ///
  /// - Parameter files: the changes as git has them, in their order.
  func operation(
    id: OperationID, device: String, author: Signature, files: [FileDifference] = []
  ) -> Operation {
    // The message does not list the changes of many notes, so they are not computed.
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
  /// The stage that the recording reached.
  package enum Outcome: Sendable, Equatable {
    /// The files and history had the change already.
    case unchanged
    /// The change is in one commit.
    case committed(ObjectID)
    /// The files are written but not committed, with the reason and its error class.
    case saved(SlipboxError.Kind, reason: Phrase, hints: [Phrase])
    /// The files are written, but a git hook refused the commit; no later command retries by itself.
    case refused(message: Phrase, hints: [Phrase])
  }

  package let outcome: Outcome
  package let changes: [FileChange]
  /// The sentence of the commit; nil if nothing changed.
  package let subject: String?
}

/// The files of a commit with which a change is compared, looked up one by one or, if they are many, all at once.
struct CommitLookup {
  /// The number of files from which one pass over the trees costs less than a lookup for each file.
  private static let many = 200

  private let box: Box
  private let commit: ObjectID?
  private let all: CommittedFiles?

  /// - Parameter count: the number of files that will be looked up.
  init(_ box: Box, at commit: ObjectID?, count: Int) throws(SlipboxError) {
    self.box = box
    self.commit = commit
    all = count > Self.many ? try CommittedFiles(box, at: commit, withIndex: false) : nil
  }

  /// Returns the file at a path of the box; nil if the commit has none.
  func file(_ path: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    guard let commit else { return nil }
    if let all { return try all.file(path) }
    let name = box.repositoryPath(path)
    return try box.git { repository throws(GitError) in try repository.file(name, at: commit) }
  }
}
