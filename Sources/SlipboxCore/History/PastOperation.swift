package import Git
import Notes
import Text

/// An operation of history with what undo and redo make of it.
package struct PastOperation: Sendable {
  package let commit: Commit
  package let operation: Operation
  let role: UndoChain.Role
  /// Newer operations that undo passed on its way to this one.
  fileprivate(set) var passedOver: [OperationID] = []

  /// Whether undo comes to it.
  package var stands: Bool { role == .stands }

  /// Whether redo comes to it.
  package var isRedoable: Bool {
    if case .redoable = role { return true }
    return false
  }

  /// Whether it was taken back and not done again.
  package var isTakenBack: Bool {
    if case .takenBack = role { return true }
    return false
  }
}

/// The operations of a box's history, as a device sees them.
package struct PastOperations {
  /// Commands whose operations `slip undo` skips without `--op`: what other programs and devices did, the beginning of a
  /// box, and lists that were written into notes.
  private static let passedCommands: Set<String> = ["commit", "init", "sync", "bake"]
  /// So many letters name an operation, if no other begins with them.
  private static let leastLetters = 4

  private let snapshot: BoxSnapshot
  /// The name of this device.
  private let device: String
  private var box: Box { snapshot.box }

  package init(in snapshot: BoxSnapshot, on device: String) {
    self.snapshot = snapshot
    self.device = device
  }

  /// Visits slip's operations, newest first, until `visit` says stop.
  /// - Complexity: linear in the commits that are visited.
  package func visit(_ visit: (PastOperation) throws(SlipboxError) -> Bool) throws(SlipboxError) {
    var chain = UndoChain()
    var reverts = GitReverts()
    try BoxHistory(of: snapshot).visitCommits { commit throws(SlipboxError) in
      guard commit.mayBeOperation else {
        reverts.visit(commit)
        return true
      }
      let operation = OperationTrailers.operation(of: commit)
      guard let id = operation.id, let command = operation.command else { return true }
      let link = UndoChain.Link(
        id: id, commit: commit.id, reversal: operation.reversal, isOwn: operation.device == device,
        isUndoable: commit.parents.count < 2 && !Self.passedCommands.contains(command))
      // After git revert of an undo, the operation that it undid stands again.
      let isReverted = operation.reversal != nil && reverts.contains(commit.id)
      let role = isReverted ? .passed : chain.visit(link)
      return try visit(PastOperation(commit: commit, operation: operation, role: role))
    }
  }

  /// The operation that undo takes back next; nil if none is left.
  package func nextUndo() throws(SlipboxError) -> PastOperation? { try nextUndo(besides: []) }

  /// The latest operation of the device, if it committed edits of another program: undo passes it over.
  package func passedEdit() throws(SlipboxError) -> PastOperation? {
    var latest: PastOperation?
    try visit { past in
      if past.operation.device == device { latest = past }
      return latest == nil
    }
    return latest.flatMap { $0.operation.command == "commit" ? $0 : nil }
  }

  /// The latest commit, if another program joined several operations in it: undo passes it over.
  package func squashedCommit() throws(SlipboxError) -> Commit? {
    guard let tip = try box.tip() else { return nil }
    let commit = try box.git { repository throws(GitError) in try repository.read(tip) }
    return commit.mayBeOperation && OperationTrailers.operation(of: commit).id == nil ? commit : nil
  }

  /// Takes back the next operation that has something left to take back.
  ///
  /// Later work may have taken an operation back by the way: undo goes on to the one before it. The operation that undoes
  /// that one records what was passed, so that the next undo does not come to it again.
  /// - Parameter takeBack: takes an operation back, or works out how; nil if all is as it was before the operation.
  /// - Returns: what came of it; nil if no operation is left.
  /// - Complexity: a visit of the commits for each operation that is passed over.
  package func undoNext<Outcome>(_ takeBack: (PastOperation) throws -> Outcome?) throws -> Outcome? {
    var passed: Set<ObjectID> = []
    var ids: [OperationID] = []
    while var past = try nextUndo(besides: passed) {
      past.passedOver = ids
      if let outcome = try takeBack(past) { return outcome }
      passed.insert(past.commit.id)
      past.operation.id.map { ids.append($0) }
    }
    return nil
  }

  /// - Parameter passed: the commits of operations that are passed over.
  private func nextUndo(besides passed: Set<ObjectID>) throws(SlipboxError) -> PastOperation? {
    var found: PastOperation?
    try visit { past in
      if past.stands, !passed.contains(past.commit.id) { found = past }
      return found == nil
    }
    return found
  }

  /// The operation that took back what redo does again next; nil if there is none.
  package func nextRedo() throws(SlipboxError) -> PastOperation? {
    var found: PastOperation?
    try visit { past in
      if past.isRedoable { found = past }
      // What stands came after all that was taken back before it.
      return found == nil && (!past.stands || past.operation.reversal != nil)
    }
    return found
  }

  /// The operation of an id, of the letters that its id begins with, or of a commit, whoever made it.
  /// - Throws: `.notFound` if history has none, `.usage` if several begin so, or these are too few letters.
  package func operation(named name: String) throws(SlipboxError) -> PastOperation {
    let shown = Phrase(name)
    guard name.utf8.count >= Self.leastLetters else {
      throw SlipboxError(
        .usage, "\(shown) is too short for the id of an operation",
        hints: [
          "\(Self.leastLetters) letters or more; \(slip: "log") and \(slip: "undo", "--list") show them"
        ])
    }
    let whole = OperationID(name)
    var found: [PastOperation] = []
    try visit { past in
      guard let id = past.operation.id, id.description.hasPrefix(name) else { return true }
      if !found.contains(where: { $0.operation.id == id }) { found.append(past) }
      return whole == nil
    }
    guard let first = found.first else {
      if let id = try operationID(ofCommit: name) { return try operation(named: id.description) }
      throw SlipboxError(
        .notFound, "no operation \(shown) in this history",
        hints: [
          "\(slip: "log") shows the ids of operations",
          "a commit of another program has none: git revert COMMIT undoes it",
        ])
    }
    guard found.count == 1 else {
      throw SlipboxError(
        .usage, "\(shown) matches \(found.count) operations",
        hints: found.prefix(5).map {
          "\($0.operation.id?.description ?? "")  \($0.operation.subject)"
        } + SlipboxError.more(found.count - 5))
    }
    return first
  }

  /// The id of the operation that a commit is; nil if the text names no commit of slip's in this history.
  private func operationID(ofCommit name: String) throws(SlipboxError) -> OperationID? {
    // What can't be read as a revision names none.
    guard OperationID(name) == nil, let tip = try box.tip(),
      let commit = try? box.withRepository({ try $0.commit(revision: name) }),
      try box.git({ repository throws(GitError) in try repository.history.mergeBases(of: commit, and: tip) })
        == [commit]
    else { return nil }
    return OperationTrailers.operation(
      of: try box.git { repository throws(GitError) in try repository.read(commit) }
    ).id
  }

  /// The commits that other programs made since the last operation of the device, newest first. Undo does not reverse
  /// them.
  ///
  /// Merges are left out. Empty if the device has no operation in this history.
  /// - Parameter limit: the largest number of commits.
  package func commitsByGit(limit: Int) throws(SlipboxError) -> [Commit] {
    var commits: [Commit] = []
    var hasOperation = false
    try BoxHistory(of: snapshot).visitCommits { commit in
      if commit.mayBeOperation {
        let operation = OperationTrailers.operation(of: commit)
        hasOperation = operation.id != nil && operation.device == device
      } else if commit.parents.count < 2, commits.count < limit {
        commits.append(commit)
      }
      return !hasOperation
    }
    return hasOperation ? commits : []
  }
}

/// Tells, from the newest operation to the oldest, which of them this device can take back or do again.
///
/// Undo takes back the newest operation of this device that stands, again and again further back. Redo does again what was
/// taken back last, the other way; an operation that came after ends that. An operation goes by its id, wherever history
/// holds it.
struct UndoChain {
  /// What is known of one commit's operation.
  struct Link {
    let id: OperationID
    let commit: ObjectID
    let reversal: Operation.Reversal?
    /// Whether this device made it.
    let isOwn: Bool
    /// Whether it is one that undo may come to by the way: no merge, and no commit of what other programs changed.
    let isUndoable: Bool
  }

  /// What undo and redo make of an operation.
  enum Role: Equatable {
    /// It stands: undo comes to it.
    case stands
    /// It was taken back: redo comes to it. The operation that undo took back is the one given.
    case redoable(OperationID)
    /// It was taken back by the operation of a commit.
    case takenBack(by: ObjectID)
    /// It was undone, and redone by the operation of a commit, which takes its place.
    case doneAgain(by: ObjectID)
    /// It is neither: another device's, a merge, itself taken back or done again, or passed by an undo.
    case passed
  }

  private enum Fate {
    case takenBack(ObjectID)
    case doneAgain(ObjectID)
    case passed
  }

  /// What the newest operation that is about another did to that.
  private var fates: [OperationID: Fate] = [:]
  private var seen: Set<OperationID> = []
  private var isEnded = false

  /// Looks at the next older operation.
  mutating func visit(_ link: Link) -> Role {
    // A copy of a commit, such as a cherry-picked one, is the same operation.
    guard seen.insert(link.id).inserted else { return .passed }
    let fate = fates[link.id]
    switch link.reversal {
    case .undo(let id, let passed):
      guard fates[id] == nil else { return .passed }
      fates[id] = .takenBack(link.commit)
      for id in passed where fates[id] == nil { fates[id] = .passed }
      return link.isOwn && !isEnded ? .redoable(id) : .passed
    case .redo(let id):
      guard fates[id] == nil else { return .passed }
      fates[id] = .doneAgain(link.commit)
      return link.isOwn && fate == nil ? .stands : .passed
    case nil: break
    }
    let isStep = link.isOwn && link.isUndoable
    // What was taken back before an operation was made is not done again after it.
    if isStep { isEnded = true }
    switch fate {
    case .takenBack(let commit): return .takenBack(by: commit)
    case .doneAgain(let commit): return .doneAgain(by: commit)
    case .passed: return .passed
    case nil: break
    }
    return isStep ? .stands : .passed
  }
}

/// The commits that later commits of `git revert` reversed, collected from the newest commit to the oldest.
struct GitReverts {
  private static let mark = "This reverts commit "
  /// Git abbreviates ids to this length or more.
  private static let leastDigits = 4

  /// The ids as the messages spell them, possibly abbreviated.
  private var ids: [String] = []

  /// Reads the message of a commit by git. A revert that was itself reverted counts for nothing.
  mutating func visit(_ commit: Commit) {
    guard commit.messageHolds(Array(Self.mark.utf8)), !contains(commit.id) else { return }
    for line in commit.message.split(whereSeparator: \.isNewline) where line.hasPrefix(Self.mark) {
      let id = line.dropFirst(Self.mark.count).prefix { $0.isASCII && $0.isHexDigit }
      if id.count >= Self.leastDigits { ids.append(id.lowercased()) }
    }
  }

  func contains(_ commit: ObjectID) -> Bool {
    guard !ids.isEmpty else { return false }
    let hex = commit.hex
    return ids.contains { hex.hasPrefix($0) }
  }
}
