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

/// The parameters of `workspace/willRenameFiles`.
struct RenameFilesParams: Decodable, Sendable {
  struct File: Decodable, Sendable {
    let oldUri: String
    let newUri: String
  }

  let files: [File]
}

/// Keeps links where the client is about to move files and folders.
enum FileRenaming {
  /// The change to make before the move; nil where no link changes.
  static func edit(_ params: RenameFilesParams, _ request: Request) throws -> WorkspaceEdit? {
    var moves: [[UInt8]: (box: OpenBox, paths: [[UInt8]: [UInt8]])] = [:]
    for file in params.files {
      guard let old = DocumentURI.path(file.oldUri), let new = DocumentURI.path(file.newUri),
        let (box, oldPath) = request.boxes.box(of: old, includesExcluded: true),
        let (other, newPath) = request.boxes.box(of: new, includesExcluded: true),
        box === other, oldPath != newPath
      else { continue }
      moves[box.root, default: (box, [:])].paths[oldPath] = newPath
    }
    var changes: [WorkspaceEdit.Change] = []
    for (_, move) in moves.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      do {
        changes += try edits(move.paths, move.box, request)
      } catch let error as SlipboxError {
        // The client moves the file all the same.
        request.client.show(.warning, "links were not updated: \(ResponseError(error).message)")
      }
    }
    return changes.isEmpty ? nil : WorkspaceEdit(changes, for: request.client.capabilities)
  }

  private static func edits(
    _ paths: [[UInt8]: [UInt8]], _ box: OpenBox, _ request: Request
  ) throws -> [WorkspaceEdit.Change] {
    let delivery = try ChangeDelivery(request, box)
    let planned = try PlannedFiles(try delivery.view.snapshot.following(paths), in: delivery.view)
    return try delivery.changesOfMany(planned).compactMap { change in
      // The client itself moves the files.
      if case .rename = change { nil } else { change }
    }
  }
}
