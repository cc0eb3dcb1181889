import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The order in which undo and redo go, against a device that keeps two stacks.
@Suite struct UndoChainTests {
  /// A history and the two stacks of a device that would keep them in memory.
  private struct Model {
    var links: [UndoChain.Link] = []
    var done: [OperationID] = []
    /// What was undone, with what each undo passed.
    var undone: [(id: OperationID, passed: [OperationID])] = []
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func add(_ reversal: Operation.Reversal?, isOwn: Bool = true, isUndoable: Bool = true)
      -> OperationID
    {
      let id = OperationID.random(using: &random)
      let commit = ObjectID(bytes: (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }) ?? .zero
      links.append(
        UndoChain.Link(id: id, commit: commit, reversal: reversal, isOwn: isOwn, isUndoable: isUndoable))
      return id
    }

    /// What undo would take back, and redo do again, by the chain.
    func next() -> (undo: OperationID?, redo: OperationID?) {
      var chain = UndoChain()
      var (undo, redo): (OperationID?, OperationID?) = (nil, nil)
      for link in links.reversed() {
        switch chain.visit(link) {
        case .stands:
          if case .redo(let id) = link.reversal { undo = undo ?? id } else { undo = undo ?? link.id }
        case .redoable(let id): redo = redo ?? id
        case .takenBack, .doneAgain, .passed: break
        }
      }
      return (undo, redo)
    }

    mutating func step() {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        done.append(add(nil))
        undone = []
      case 4..<7:
        var passed: [OperationID] = []
        while done.count > 1, Int.random(in: 0..<4, using: &random) == 0 { passed.append(done.removeLast()) }
        guard let id = done.popLast() else { return }
        undone.append((id, passed))
        _ = add(.undo(id, passing: passed))
      case 7..<9:
        guard let (id, passed) = undone.popLast() else { return }
        // What was passed is as it was before the undo.
        done += passed.reversed() + [id]
        _ = add(.redo(id))
      default:
        // Another device's work, and commits of what other programs did, change nothing.
        _ = add(nil, isOwn: Bool.random(using: &random), isUndoable: false)
        _ = add(nil, isOwn: false)
      }
    }
  }

  @Test(arguments: 0..<200) func itIsThatOfTwoStacks(_ seed: UInt64) {
    var model = Model(seed: seed)
    for _ in 0..<30 {
      model.step()
      let next = model.next()
      #expect(next.undo == model.done.last)
      #expect(next.redo == model.undone.last?.id)
    }
  }

  @Test func anOperationThatAnotherDeviceTookBackIsPassed() {
    var model = Model(seed: 1)
    let (first, second) = (model.add(nil), model.add(nil))
    _ = model.add(.undo(second), isOwn: false)
    #expect(model.next().undo == first)
    #expect(model.next().redo == nil)
  }

  @Test func aCopyOfACommitIsTheSameOperation() {
    var model = Model(seed: 1)
    let first = model.add(nil)
    model.links.append(model.links[0])
    #expect(model.next().undo == first)
    _ = model.add(.undo(first))
    #expect(model.next().undo == nil)
    #expect(model.next().redo == first)
  }
}
