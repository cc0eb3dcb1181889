import SlipboxCore

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
