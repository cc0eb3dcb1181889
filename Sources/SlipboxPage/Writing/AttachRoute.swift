import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// A picture that a page sends as it is, to be added to the box and linked in a note: one commit.
///
/// Only formats in which nothing can run are taken, by their first bytes. The name of the file is made here.
enum AttachRoute {
  static let route = PageRoute(
    method: "POST", path: RequestGuard.attachPath, arguments: ["ref", "etag", "place", "idempotencyKey"],
    queue: .changes,
    answer: PageWrite.route(body, attach))

  /// The arguments of the request as the body of a change.
  private static func body(_ call: PageCall) throws -> WriteBody {
    let ref = try call.required("ref")
    let etag = try call.required("etag")
    let place = try call.number("place", else: 0)
    let key = try call.required("idempotencyKey")
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("idempotencyKey", key)
      writer.member("place", place)
      writer.key("notes")
      writer.array(of: [ref]) { ref, writer in
        writer.object {
          $0.member("ref", ref)
          $0.member("etag", etag)
        }
      }
    }
    return try WriteBody(writer.takeBytes(), ["idempotencyKey", "place", "notes"])
  }

  private static func attach(_ write: PageWrite) throws -> PageWrite.Work {
    let picture = write.call.request.body
    guard let ending = PictureType.ending(of: picture) else {
      throw PageError(.refused, "only PNG, JPEG, GIF and WebP pictures can be attached")
    }
    let targets = try write.targets()
    guard let (entry, target) = targets.first, let target else {
      throw PageError(.badRequest, "ref is missing")
    }
    let attached = try AttachPicture(to: entry, ending: ending, write.snapshot)
    let base = target.etag.flatMap { write.call.box.knownBytes(of: $0, at: entry.note.path) }
    guard let base else {
      throw PageError(.changed, "the note has changed", hints: ["nothing was changed; try again"])
    }
    let sent = BrowserText(NoteText(base)).inserting(attached.link, at: try write.body.number("place") ?? 0)
    let body = try write.bytes(ofBody: sent, entry, target)
    return try WriteRoutes.merged(targets, write, body: body) { body in
      try attached.plan(picture, body: body)
    }
  }
}

/// The body of a note as a text area has it: every line ends in a line feed.
private struct BrowserText {
  private let units: [UInt16]

  init(_ text: NoteText) {
    let body = String(decoding: text.bytes[text.body], as: UTF8.self)
    units = Array(body.replacing("\r\n", with: "\n").replacing("\r", with: "\n").utf16)
  }

  /// The text with another one in it.
  ///
  /// - Parameter place: in units of UTF-16, as browsers count; a place behind the end is the end.
  func inserting(_ text: String, at place: Int) -> String {
    let place = min(place, units.count)
    return String(decoding: units[..<place] + Array(text.utf16) + units[place...], as: UTF16.self)
  }
}
