import Presentation
import SlipboxCore

/// Takes operations back from the editor, and does them again.
struct Undoing {
  private let delivery: ChangeDelivery
  private let snapshot: BoxSnapshot
  private let device: String

  init(_ delivery: ChangeDelivery) {
    self.delivery = delivery
    snapshot = delivery.view.snapshot
    device = snapshot.box.device(delivery.box.context())
  }

  /// Takes back an operation, by default the last one of this device that changes something.
  ///
  /// - Throws: where later work is in the way, and where there is none.
  func undo(_ name: String?) throws -> CarriedOut {
    if let name { return try reverse(try snapshot.operation(named: name, on: device), isNamed: true) }
    let next = try snapshot.undoNext(on: device) { past -> CarriedOut? in
      let carried = try reverse(past, isNamed: false)
      if case .nothing = carried { return nil }
      return carried
    }
    guard let next else {
      throw SlipboxError(.notFound, "nothing to undo: this device has no operation left in this history")
    }
    return next
  }

  /// Does again what was taken back last.
  func redo() throws -> CarriedOut {
    guard let past = try snapshot.nextRedo(on: device) else {
      throw SlipboxError(
        .notFound, "nothing to redo: no undo since the last change of this device")
    }
    return try reverse(past, isNamed: false)
  }

  private func reverse(_ past: PastOperation, isNamed: Bool) throws -> CarriedOut {
    let undo = try snapshot.undoing(past, reason: nil)
    guard undo.conflicts.isEmpty else {
      throw try UndoRefusal(past, undo, isNamed: isNamed, snapshot).error()
    }
    guard !undo.plan.edits.isEmpty else { return .nothing }
    // What is taken back is what the files had.
    if let edit = undo.plan.edits.first(where: { delivery.view.unsaved.contains($0.path) }) {
      throw delivery.unsaved(edit.path)
    }
    // The change that is meant may not be the last one: many files are not changed without a word.
    try delivery.confirm(undo.plan.edits.count)
    return try delivery.carryOut(undo.plan)
  }
}
