import Presentation
import SlipboxCore

/// Operations taken back, and done again.
extension WriteRoutes {
  /// The work that takes back an operation, by default the last of this device that changes something; or does again what was
  /// taken back last.
  static func reversal(_ write: PageWrite, isRedo: Bool) throws -> PageWrite.Work {
    let (snapshot, device) = (write.snapshot, write.snapshot.box.device(write.context))
    if isRedo {
      guard let past = try snapshot.nextRedo(on: device) else {
        throw PageError(
          .refused, "nothing to redo: no undo since the last change of this device")
      }
      return try work(past, isNamed: false, write)
    }
    if let name = try write.body.text("operation") {
      return try work(try snapshot.operation(named: name, on: device), isNamed: true, write)
    }
    let next = try snapshot.undoNext(on: device) { past -> PageWrite.Work? in
      let work = try work(past, isNamed: false, write)
      return try snapshot.box.changed(by: work.plan, snapshot.reporter).isEmpty ? nil : work
    }
    guard let next else {
      throw PageError(.refused, "nothing to undo: this device has no operation left in this history")
    }
    return next
  }

  private static func work(
    _ past: PastOperation, isNamed: Bool, _ write: PageWrite
  ) throws -> PageWrite.Work {
    let undo = try write.snapshot.undoing(past, reason: nil)
    guard undo.conflicts.isEmpty else {
      throw try UndoRefusal(past, undo, isNamed: isNamed, write.snapshot).error()
    }
    return PageWrite.Work(plan: undo.plan, inPlace: "already in place: \(past.operation.subject)")
  }
}
