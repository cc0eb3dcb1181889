import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Runs the commands of the server, each as the command line does.
struct ServerCommandRun {
  let params: ExecuteParams
  let request: Request

  /// The answer to `workspace/executeCommand`.
  static func answer(_ params: ExecuteParams, _ request: Request) throws -> JSONValue {
    guard let command = ServerCommand(rawValue: params.command) else {
      let known = ServerCommand.allCases.map(\.rawValue).joined(separator: ", ")
      throw ResponseError(
        .invalidParams, "\(Visible.escape(params.command)) is not a command; use one of \(known)")
    }
    let run = ServerCommandRun(params: params, request: request)
    return switch command {
    case .new: try run.new()
    case .list: try run.list()
    case .act: try run.act()
    case .undo: try run.undo()
    case .redo: try run.redo()
    case .daily: try run.daily()
    case .commit: try run.commit()
    case .extract: try run.extract()
    case .promote: try run.promote()
    case .resolve: try run.resolve()
    case .apply: try run.apply()
    }
  }

  func arguments(_ names: Set<String>) throws(ResponseError) -> CommandArguments {
    try CommandArguments(params, knowing: names)
  }

  func delivery(_ arguments: CommandArguments) throws -> ChangeDelivery {
    try ChangeDelivery(request, try arguments.box(request))
  }

  /// The answer of commands for a note.
  func answer(of note: Note, _ delivery: ChangeDelivery) -> JSONValue {
    .object([
      "uri": .string(delivery.view.uri(of: note.path)),
      "id": note.id.map { .string($0.description) } ?? .null,
      "path": .string(String(decoding: note.path, as: UTF8.self)),
    ])
  }

  /// The answer of commands for a change: the number of notes, and whether it is in files or only in an open text.
  func answer(of carried: CarriedOut) -> JSONValue {
    switch carried {
    case .nothing: .object(["changed": .integer(0)])
    case .text: .object(["changed": .integer(1), "saved": .boolean(false)])
    case .commit(let result):
      .object([
        "changed": .integer(result.changes.count), "saved": .boolean(true),
        "subject": result.subject.map { .string($0) } ?? .null,
      ])
    }
  }
}

/// Notes made and found.
extension ServerCommandRun {
  private func new() throws -> JSONValue {
    let arguments = try arguments(["title", "kind", "changes", "body", "box", "uri", "path", "open"])
    let title = try arguments.required("title", "A title")
    let changes = try arguments.changes()
    let delivery = try delivery(arguments)
    let snapshot = delivery.view.snapshot
    let kinds = snapshot.schema().kinds.map(\.name)
    if let kind = try arguments.text("kind"), snapshot.schema().kind(named: kind) == nil {
      throw arguments.refusal("\(kind) is not a kind; use one of \(kinds.joined(separator: ", "))")
    }
    var draft = Draft(
      kind: try arguments.text("kind"), title: title, changes: changes,
      body: Array((try arguments.text("body") ?? "").utf8))
    draft.start = try Templates(in: snapshot).template(ofKind: draft.kind ?? "note")
    let creation = CreateNote(in: snapshot)
    let id = try creation.freeID(delivery.box.context().ids)
    let text = try creation.text(of: draft, id: id)
    let made =
      if let path = try arguments.text("path") {
        try creation.plan(text, at: Array(path.utf8), command: "new", reason: nil)
      } else {
        try creation.plan(text, id: id)
      }
    delivery.note(try delivery.write(made.plan))
    try show(made.note, arguments, delivery)
    return answer(of: made.note, delivery)
  }

  private func list() throws -> JSONValue {
    let arguments = try arguments(["query", "box", "uri"])
    let words = try arguments.texts("query")
    // It has a note of a moment ago, even if the watch has not reported it yet.
    let snapshot = try delivery(arguments).view.snapshot
    let query: Query
    do throws(QueryError) {
      query = try snapshot.query(words)
    } catch {
      throw arguments.refusal(([error.message] + [error.hint].compactMap { $0 }).joined(separator: "\n"))
    }
    var json: [UInt8] = []
    let list = NoteList(NotePresenter(snapshot), .json, display: Display(style: .plain, width: nil))
    try list.write(try snapshot.matches(query), kind: nil) { json += $0 }
    return try Message.read(json)
  }

  private func daily() throws -> JSONValue {
    let arguments = try arguments(["day", "text", "box", "uri", "open"])
    let delivery = try delivery(arguments)
    let snapshot = delivery.view.snapshot
    let day = try arguments.text("day").map { (day) throws(SlipboxError) in
      try PastDay.only(day, clock: snapshot.clock)
    }
    let notes = StandingNotes(in: snapshot)
    let standing = try notes.daily(day ?? snapshot.clock.today)
    var note = try notes.entry(of: standing)?.note
    if let text = try arguments.text("text") {
      let added = try notes.plan(adding: Array(text.utf8), to: standing)
      try delivery.carryOut(added.plan)
      note = added.note
    } else if note == nil {
      let made = try notes.plan(creating: standing, try notes.text(of: standing))
      delivery.note(try delivery.write(made.plan))
      note = made.note
    }
    guard let note else { return .null }
    try show(note, arguments, delivery)
    return answer(of: note, delivery)
  }

  private struct ShowParams: Encodable {
    let uri: String
    let takeFocus = true
  }

  /// Opens a note in the editor, if the caller requests it and the client can.
  private func show(_ note: Note, _ arguments: CommandArguments, _ delivery: ChangeDelivery) throws {
    guard try arguments.flag("open"), request.client.capabilities.canShowDocuments else { return }
    request.client.request("window/showDocument", ShowParams(uri: delivery.view.uri(of: note.path)))
  }
}

/// Notes changed.
extension ServerCommandRun {
  func act() throws -> JSONValue {
    let arguments = try arguments(["action", "ref", "uri", "changes", "box"])
    let action = try arguments.required("action", "finish")
    let changes = try arguments.changes()
    let delivery = try delivery(arguments)
    let snapshot = delivery.view.snapshot
    try RunAction(in: snapshot).refuseUnknown(action)
    let plan = try RunAction(in: snapshot).plan(action, on: try arguments.entries(delivery), with: changes)
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

  /// Shows the undone or redone change: in an editor, the user does not see the answer of a command.
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
    let made = try ExtractedPart(document, range, delivery).extraction()
    try delivery.carryOut(made.plan)
    return answer(of: made.note, delivery)
  }

  func promote() throws -> JSONValue {
    let arguments = try arguments(["uri", "line", "kind"])
    let uri = try arguments.required("uri", "file:///notes/a.md")
    let delivery = try delivery(arguments)
    guard let document = request.documents[uri] else { throw arguments.refusal("\(uri) is not open") }
    guard let line = arguments["line"].integer, line > 0 else {
      throw arguments.refusal("line is the number of the line with the box, from 1")
    }
    let start = Position(line: line - 1, character: 0)
    let part = try ExtractedPart(document, PositionRange(start: start, end: start), delivery)
    let made = try part.promotion(to: try arguments.text("kind"))
    try delivery.carryOut(made.plan)
    return answer(of: made.note, delivery)
  }

  func resolve() throws -> JSONValue {
    let arguments = try arguments(["uri", "field", "version", "box"])
    let delivery = try delivery(arguments)
    guard let entry = try arguments.entries(delivery).first, let version = arguments["version"].integer else {
      throw arguments.refusal("version must be the number of the version to keep, from 1")
    }
    let field = try arguments.text("field").map { [$0] } ?? []
    let plan = try ResolveConflicts(in: delivery.view.snapshot).plan(
      entry, .version(version), fields: field, reason: nil)
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

/// Takes operations back from the editor, and does them again.
struct Undoing {
  private let delivery: ChangeDelivery
  private let snapshot: BoxSnapshot
  private let operations: PastOperations

  init(_ delivery: ChangeDelivery) {
    self.delivery = delivery
    snapshot = delivery.view.snapshot
    operations = PastOperations(in: snapshot, on: snapshot.box.device(delivery.box.context()))
  }

  /// Takes back an operation, by default the last one of this device that changes something.
  ///
  /// - Throws: if later work is in the way, and if there is none.
  func undo(_ name: String?) throws -> CarriedOut {
    if let name { return try reverse(try operations.operation(named: name), isNamed: true) }
    let next = try operations.undoNext { past -> CarriedOut? in
      let carried = try reverse(past, isNamed: false)
      if case .nothing = carried { return nil }
      return carried
    }
    guard let next else {
      throw SlipboxError(.notFound, "nothing to undo: this device has no operation left in this history")
    }
    return next
  }

  /// Redoes the last undone operation.
  func redo() throws -> CarriedOut {
    guard let past = try operations.nextRedo() else {
      throw SlipboxError(
        .notFound, "nothing to redo: no undo since the last change of this device")
    }
    return try reverse(past, isNamed: false)
  }

  private func reverse(_ past: PastOperation, isNamed: Bool) throws -> CarriedOut {
    let undo = try UndoOperation(in: snapshot).plan(past, reason: nil)
    guard undo.conflicts.isEmpty else {
      throw try UndoRefusal(past, undo, isNamed: isNamed, snapshot).error()
    }
    guard !undo.plan.edits.isEmpty else { return .nothing }
    // An undo restores the content of files, not of unsaved texts.
    if let edit = undo.plan.edits.first(where: { delivery.view.unsaved.contains($0.path) }) {
      throw delivery.unsaved(edit.path)
    }
    // The change that is meant may not be the last one: many files are not changed without a word.
    try delivery.confirm(undo.plan.edits.count)
    return try delivery.carryOut(undo.plan)
  }
}
