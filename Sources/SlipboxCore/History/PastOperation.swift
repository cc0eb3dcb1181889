package import Git
import Notes
import Text

/// An operation of history with its role in undo and redo.
package struct PastOperation: Sendable {
  package let commit: Commit
  package let operation: Operation
  let role: UndoChain.Role
  /// Newer operations that undo skipped on its way to this one.
  fileprivate(set) var passedOver: [OperationID] = []

  /// Whether undo can reverse it.
  package var stands: Bool { role == .stands }

  /// Whether redo can reverse it.
  package var isRedoable: Bool {
    if case .redoable = role { return true }
    return false
  }

  /// Whether it was undone and not redone.
  package var isTakenBack: Bool {
    if case .takenBack = role { return true }
    return false
  }
}

/// The operations of a box's history, as a device sees them.
package struct PastOperations {
  /// Commands whose operations `slip undo` skips without `--op`: changes of other programs and devices, the creation of a
  /// box, and lists that were written into notes.
  private static let passedCommands: Set<String> = ["commit", "init", "sync", "bake"]
  /// The minimum number of letters of an id that name an operation, if no other id begins with them.
  private static let leastLetters = 4

  private let snapshot: BoxSnapshot
  /// The name of this device.
  private let device: String
  private var box: Box { snapshot.box }

  package init(in snapshot: BoxSnapshot, on device: String) {
    self.snapshot = snapshot
    self.device = device
  }

  /// Visits slip's operations, newest first, until `visit` returns false.
  /// - Complexity: linear in the visited commits.
  package func visit(_ visit: (PastOperation) throws(SlipboxError) -> Bool) throws(SlipboxError) {
    var chain = UndoChain()
    var reverts = GitReverts()
    try BoxHistory(of: snapshot).visitCommits(followsAncestry: true) { commit throws(SlipboxError) in
      guard commit.mayBeOperation else {
        reverts.visit(commit)
        return true
      }
      let operation = OperationTrailers.operation(of: commit)
      guard let id = operation.id, let command = operation.command else { return true }
      let link = UndoChain.Link(
        id: id, commit: commit.id, reversal: operation.reversal, isOwn: operation.device == device,
        isUndoable: commit.parents.count < 2 && !Self.passedCommands.contains(command))
      // After git revert of an undo, the operation that it undid is in effect again.
      let isReverted = operation.reversal != nil && reverts.contains(commit.id)
      let role = isReverted ? .passed : chain.visit(link)
      return try visit(PastOperation(commit: commit, operation: operation, role: role))
    }
  }

  /// Returns the next operation for undo; nil if none is left.
  package func nextUndo() throws(SlipboxError) -> PastOperation? { try nextUndo(besides: []) }

  /// Returns the latest operation of the device, if it committed edits of another program: undo skips it.
  package func passedEdit() throws(SlipboxError) -> PastOperation? {
    var latest: PastOperation?
    try visit { past in
      if past.operation.device == device { latest = past }
      return latest == nil
    }
    return latest.flatMap { $0.operation.command == "commit" ? $0 : nil }
  }

  /// Returns the latest commit, if another program squashed several operations into it: undo skips it.
  package func squashedCommit() throws(SlipboxError) -> Commit? {
    guard let tip = try box.tip() else { return nil }
    let commit = try box.git { repository throws(GitError) in try repository.read(tip) }
    return commit.mayBeOperation && OperationTrailers.operation(of: commit).id == nil ? commit : nil
  }

  /// Undoes the next operation that still has changes to undo.
  ///
  /// If later work has reverted an operation already, undo continues with the one before it. The operation that undoes
  /// that one records the skipped operations, so that the next undo does not try them again.
  /// - Parameter takeBack: undoes an operation, or plans that; nil if everything is as it was before the operation.
  /// - Returns: its result; nil if no operation is left.
  /// - Complexity: one visit of the commits for each skipped operation.
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

  /// - Parameter passed: the commits of skipped operations.
  private func nextUndo(besides passed: Set<ObjectID>) throws(SlipboxError) -> PastOperation? {
    var found: PastOperation?
    try visit { past in
      if past.stands, !passed.contains(past.commit.id) { found = past }
      return found == nil
    }
    return found
  }

  /// Returns the undo operation that redo reverses next; nil if there is none.
  package func nextRedo() throws(SlipboxError) -> PastOperation? {
    var found: PastOperation?
    try visit { past in
      if past.isRedoable { found = past }
      // An operation in effect is newer than everything that was undone before it.
      return found == nil && (!past.stands || past.operation.reversal != nil)
    }
    return found
  }

  /// Returns the operation of an id, of the first letters of an id, or of a commit, from any device.
  /// - Throws: `.notFound` if history has none, `.usage` if several ids begin with the letters, or there are too few
  ///   letters.
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

  /// Returns the id of the operation of a commit; nil if the text names no commit of slip's in this history.
  private func operationID(ofCommit name: String) throws(SlipboxError) -> OperationID? {
    // A text that is not a valid revision names none.
    guard OperationID(name) == nil, let tip = try box.tip(),
      let commit = try? box.withRepository({ try $0.commit(revision: name) }),
      try box.git({ repository throws(GitError) in try repository.history.mergeBases(of: commit, and: tip) })
        == [commit]
    else { return nil }
    return OperationTrailers.operation(
      of: try box.git { repository throws(GitError) in try repository.read(commit) }
    ).id
  }

  /// Returns the commits that other programs made since the last operation of the device, newest first. Undo does not
  /// reverse them.
  ///
  /// Merges are left out. Empty if the device has no operation in this history.
  /// - Parameter limit: the maximum number of commits.
  package func commitsByGit(limit: Int) throws(SlipboxError) -> [Commit] {
    var commits: [Commit] = []
    var hasOperation = false
    try BoxHistory(of: snapshot).visitCommits(followsAncestry: true) { commit in
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

/// Determines, from the newest operation to the oldest, which operations this device can undo or redo.
///
/// Undo reverses the newest operation of this device that is in effect, and continues further back when repeated. Redo
/// reverses the undos in the opposite order; a later operation ends that. Operations are identified by id, wherever they
/// are in history.
struct UndoChain {
  /// The facts about one commit's operation.
  struct Link {
    let id: OperationID
    let commit: ObjectID
    let reversal: Operation.Reversal?
    /// Whether this device made it.
    let isOwn: Bool
    /// Whether undo may reverse it without `--op`: it is not a merge, and not a commit of other programs' changes.
    let isUndoable: Bool
  }

  /// The role of an operation in undo and redo.
  enum Role: Equatable {
    /// It is in effect: undo can reverse it.
    case stands
    /// It is an undo: redo can reverse it. The associated value is the operation that it undid.
    case redoable(OperationID)
    /// It was undone by the operation of a commit.
    case takenBack(by: ObjectID)
    /// It was undone, and redone by the operation of a commit, which replaces it.
    case doneAgain(by: ObjectID)
    /// It is neither: another device's, a merge, itself undone or redone, or skipped by an undo.
    case passed
  }

  private enum Fate {
    case takenBack(ObjectID)
    case doneAgain(ObjectID)
    case passed
  }

  /// The effect of the newest operation that refers to another on that one.
  private var fates: [OperationID: Fate] = [:]
  private var seen: Set<OperationID> = []
  private var isEnded = false

  /// Adds the next older operation, and returns its role.
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
    // Undos that are older than an operation can't be redone after it.
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
  /// The minimum number of digits to which git abbreviates ids.
  private static let leastDigits = 4

  /// The ids as the messages spell them, possibly abbreviated.
  private var ids: [String] = []

  /// Reads the message of a commit by git. A revert that was itself reverted is ignored.
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
