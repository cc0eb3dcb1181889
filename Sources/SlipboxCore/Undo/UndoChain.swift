import Git

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
    /// It was taken back and done again by the operation of a commit, which stands for it.
    case doneAgain(by: ObjectID)
    /// It is neither: another device's, a merge, or itself taken back or done again.
    case passed
  }

  private enum Fate {
    case takenBack(ObjectID)
    case doneAgain(ObjectID)
  }

  /// What the newest operation that is about another did to that.
  private var fates: [OperationID: Fate] = [:]
  private var seen: Set<OperationID> = []
  private var isEnded = false

  /// Looks at the next older operation.
  mutating func visit(_ link: Link) -> Role {
    // A copy of a commit, such as a cherry-picked one, is the same operation.
    guard seen.insert(link.id).inserted else { return .passed }
    switch link.reversal {
    case .undo(let id):
      guard fates[id] == nil else { return .passed }
      fates[id] = .takenBack(link.commit)
      return link.isOwn && !isEnded ? .redoable(id) : .passed
    case .redo(let id):
      guard fates[id] == nil else { return .passed }
      fates[id] = .doneAgain(link.commit)
      return link.isOwn ? .stands : .passed
    case nil: break
    }
    let isStep = link.isOwn && link.isUndoable
    // What was taken back before an operation was made is not done again after it.
    if isStep { isEnded = true }
    switch fates[link.id] {
    case .takenBack(let commit): return .takenBack(by: commit)
    case .doneAgain(let commit): return .doneAgain(by: commit)
    case nil: break
    }
    return isStep ? .stands : .passed
  }
}
