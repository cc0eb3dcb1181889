import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// Changes of where notes are and of how they are cut, and the exchange with a remote.
enum ShapingRoutes {
  static let all: [PageRoute] = [
    .post("/api/move", PageWrite.route(["notes", "where", "expect", "to"], move)),
    .post("/api/folder", PageWrite.route(["folder", "to"], moveFolder)),
    .post("/api/tag", PageWrite.route(["tag", "to", "merge"], renameTag)),
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

  /// Moves a folder with everything in it to a new path, or into a folder.
  private static func moveFolder(_ write: PageWrite) throws -> PageWrite.Work {
    let (folder, target) = (try write.body.required("folder"), try write.body.required("to"))
    guard let contents = try MoveFolders(in: write.snapshot).folder(named: Array("\(folder)/".utf8)) else {
      throw PageError(.notFound, "there is no folder \(folder)")
    }
    let plan = try MoveNotes(in: write.snapshot).plan([], [contents], to: Array(target.utf8))
    return PageWrite.Work(plan: plan, entries: contents.entries)
  }

  /// Renames a tag and the tags below it in the whole box, or merges it into another tag.
  private static func renameTag(_ write: PageWrite) throws -> PageWrite.Work {
    let (tag, new) = (try write.body.required("tag"), try write.body.required("to"))
    let tags = ChangeTags(in: write.snapshot)
    let work = try write.body.flag("merge") ? tags.merge([tag], into: new) : tags.rename(tag, to: new)
    return PageWrite.Work(plan: work.plan, entries: work.entries)
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
    // Changes committed before an error are shown too.
    defer { _ = try? call.box.advance(by: WatchedChanges(everything: true)) }
    let result = try BoxSync(box, context, SyncRequest()).run()
    return .json(result.json(under: box.prefix))
  }
}
