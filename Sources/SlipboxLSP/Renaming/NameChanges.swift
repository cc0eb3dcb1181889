import NoteIndex
import Notes
import SlipboxCore

/// The parameters of `textDocument/rename`.
struct RenameParams: Decodable, Sendable {
  let textDocument: DocumentIdentifier
  let position: Position
  let newName: String
}

/// The answer to `textDocument/prepareRename`.
struct RenameRange: Encodable, Sendable {
  let range: PositionRange
  let placeholder: String
}

/// Gives notes, headings and tags other names, with all that calls them by these.
enum NameChanges {
  /// What can be renamed at a place; nil where nothing can.
  static func prepare(_ params: PlaceParams, _ request: Request) throws -> RenameRange? {
    let place = try request.place(params.textDocument.uri)
    guard let box = place.box else { return nil }
    let offset = place.document.lines.offset(of: params.position)
    return try RenameFinder(place.note, at: offset, in: box).find().map {
      RenameRange(range: place.document.lines.range(of: $0.range), placeholder: $0.name)
    }
  }

  /// The change that gives what is at a place another name; nil where all of it is done.
  ///
  /// - Throws: the refusals of `slip retitle` and `slip tags rename`.
  static func rename(_ params: RenameParams, _ request: Request) throws -> WorkspaceEdit? {
    guard let document = request.documents[params.textDocument.uri] else {
      throw ResponseError(.invalidParams, "\(params.textDocument.uri) is not open")
    }
    guard let path = document.path, let (box, relative) = request.boxes.box(of: path) else {
      throw ResponseError(.requestFailed, "the file is not in a box: no links to update")
    }
    let delivery = try ChangeDelivery(request, box)
    let finder = RenameFinder(
      document.note(at: relative), at: document.lines.offset(of: params.position), in: delivery.view)
    guard let place = try finder.find() else {
      throw ResponseError(
        .requestFailed,
        "rename works on a title, a heading, a link to a note or a tag")
    }
    return try delivery.answer(try plan(place.target, to: params.newName, delivery))
  }

  private static func plan(
    _ target: RenamePlace.Target, to name: String, _ delivery: ChangeDelivery
  ) throws(SlipboxError) -> Plan {
    let snapshot = delivery.view.snapshot
    // Its id or title tells a note: where the client moves no files, this one stays where it is.
    let retitling = Retitling(
      snapshot, keepsPath: !delivery.request.client.capabilities.canRenameFiles)
    return switch target {
    case .note(let entry): try retitling.plan(entry, to: name)
    case .heading(let entry, let number): try retitling.plan(entry, heading: number, to: name)
    case .tag(let tag): try snapshot.renamingTag(tag, to: name).plan
    }
  }
}
