import Notes
import SlipboxCore

/// Notes changed.
extension CommandRun {
  func act() throws -> JSONValue {
    let arguments = try arguments(["action", "ref", "uri", "changes", "box"])
    let action = try arguments.required("action", "finish")
    let changes = try arguments.changes()
    let delivery = try delivery(arguments)
    let snapshot = delivery.view.snapshot
    try snapshot.refuseUnknownAction(action)
    let plan = try snapshot.acting(action, on: try arguments.entries(delivery), with: changes)
    return answer(of: try delivery.carryOut(plan))
  }

  func undo() throws -> JSONValue {
    let arguments = try arguments(["op", "box", "uri"])
    let delivery = try delivery(arguments)
    let undoing = Undoing(delivery)
    return told(try undoing.undo(try arguments.text("op")))
  }

  func redo() throws -> JSONValue {
    let arguments = try arguments(["box", "uri"])
    return told(try Undoing(try delivery(arguments)).redo())
  }

  /// Shows what was taken back or done again: who asks in an editor sees no answer of a command.
  private func told(_ carried: CarriedOut) -> JSONValue {
    if let subject = carried.commit?.subject { request.client.show(.info, subject) }
    return answer(of: carried)
  }

  func commit() throws -> JSONValue {
    let arguments = try arguments(["uri", "box"])
    let delivery = try delivery(arguments)
    var paths: [[UInt8]]?
    if let path = try arguments.text("uri").flatMap(DocumentURI.path) {
      paths = request.boxes.box(of: path).map { [$0.path] }
    }
    let result = try delivery.commitSaved(paths)
    if result == nil { request.client.show(.info, "nothing to commit: save the text first") }
    return answer(of: result.map { .commit($0) } ?? .nothing)
  }

  func extract() throws -> JSONValue {
    let arguments = try arguments(["uri", "range"])
    let uri = try arguments.required("uri", "file:///notes/a.md")
    let delivery = try delivery(arguments)
    guard let document = request.documents[uri] else { throw arguments.refusal("\(uri) is not open") }
    guard let range = arguments["range"].decoded(PositionRange.self) else {
      throw arguments.refusal("range is missing: the start and end of the text")
    }
    let made = try Extraction(document, range, delivery).result()
    try delivery.carryOut(made.plan)
    return answer(of: made.note, delivery)
  }

  func resolve() throws -> JSONValue {
    let arguments = try arguments(["uri", "field", "version", "box"])
    let delivery = try delivery(arguments)
    guard let entry = try arguments.entries(delivery).first, let version = arguments["version"].integer else {
      throw arguments.refusal("version is the number of the version to keep, from 1")
    }
    let field = try arguments.text("field").map { [$0] } ?? []
    let plan = try delivery.view.snapshot.resolving(entry, .version(version), fields: field, reason: nil)
    return answer(of: try delivery.carryOut(plan))
  }

  /// Has the client make a change that it was offered as a command.
  func apply() throws -> JSONValue {
    let arguments = try arguments(["edit"])
    guard !arguments["edit"].isNull else { throw arguments.refusal("edit is missing") }
    try ChangeDelivery.apply(arguments["edit"], request.client)
    return .null
  }
}
