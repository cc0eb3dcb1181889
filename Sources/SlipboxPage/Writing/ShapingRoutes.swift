import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// Changes of where notes are and of how they are cut, and the exchange with a remote.
enum ShapingRoutes {
  static let all: [PageRoute] = [
    .post("/api/move", PageWrite.route(["notes", "where", "expect", "to"], move)),
    .post("/api/split", PageWrite.route(["notes", "heading"], split)),
    .post("/api/merge", PageWrite.route(["notes"], merge)),
    .post("/api/sync", in: .network, sync),
  ]

  /// Moves notes into a folder, with every link to them and in them.
  private static func move(_ write: PageWrite) throws -> PageWrite.Work {
    let targets = try write.targets()
    let folder = try write.body.text("to") ?? ""
    let plan = try MoveNotes(in: write.snapshot).plan(
      targets.map(\.entry), to: Array("\(folder.isEmpty ? "." : folder)/".utf8))
    return PageWrite.Work(plan: plan, entries: targets.map(\.entry))
  }

  /// Makes a note of a section, and leaves a link in its place.
  private static func split(_ write: PageWrite) throws -> PageWrite.Work {
    let entries = try write.targets().map(\.entry)
    guard let entry = entries.first, entries.count == 1 else {
      throw PageError(.badRequest, "notes must have one note")
    }
    let heading = try write.body.required("heading")
    let result = try SplitNote(entry, heading: heading, in: write.snapshot).result(
      titled: nil, ids: write.context.ids)
    return PageWrite.Work(
      plan: result.plan, entries: [entry], expected: [entry.note.path: try entry.note.text.bytes])
  }

  /// Merges the second of two notes into the first.
  private static func merge(_ write: PageWrite) throws -> PageWrite.Work {
    let entries = try write.targets().map(\.entry)
    guard entries.count == 2 else {
      throw PageError(.badRequest, "notes must have two notes: the one to keep comes first")
    }
    let plan = try JoinNotes(entries[0], entries[1], in: write.snapshot).plan()
    return PageWrite.Work(plan: plan, entries: entries)
  }

  /// Pulls, merges and pushes. Saves go on meanwhile, as they do beside a sync of the command.
  private static func sync(_ call: PageCall) throws -> PageResponse {
    _ = try WriteBody(call.request.body, ["idempotencyKey"])
    let context = call.box.circumstances.context()
    let box = try call.box.lookedAt(context).box
    // What was committed before a fault is shown too.
    defer { _ = try? call.box.advance(by: WatchedChanges(everything: true)) }
    let result = try BoxSync(box, context, SyncRequest()).run()
    return .json(result.json(under: box.prefix))
  }
}
