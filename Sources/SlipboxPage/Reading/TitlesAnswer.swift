import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The notes whose names fit what is typed, for references and links.
enum TitlesAnswer {
  private static let most = 200

  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let kind = try call.argument("kind").flatMap { $0.isEmpty ? nil : $0 }
    let limit = try call.number("limit", else: 20, most: most)
    let found = try moment.names().matches(try call.argument("q") ?? "", ofKind: kind, most: max(1, limit))
    let catalogue = try moment.snapshot.catalogue()
    // The names by which references call the records of the kind, where that is not their id.
    let keys = RecordKeys(moment.snapshot.schema())
    let isNamedByKey = kind.map { keys.field(of: $0) != nil } ?? false
    return .json(
      JSONDocument.list("notes", found.prefix(limit)) { match, writer in
        writer.object { writer in
          let path = String(decoding: match.note.path, as: UTF8.self)
          writer.member("ref", match.note.id ?? path)
          writer.member("title", match.note.title)
          writer.member("kind", match.note.kind)
          writer.member("path", path)
          if isNamedByKey, let entry = catalogue.entry(path: match.note.path), let key = keys.key(of: entry) {
            writer.member("name", key)
          }
        }
      })
  }
}
