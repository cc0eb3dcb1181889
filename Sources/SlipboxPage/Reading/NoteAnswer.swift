import Bytes
import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// One note with its text, its fields, its links and its backlinks.
enum NoteAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let ref = try call.required("ref")
    let (moment, entry) = try found(ref, call)
    let text = try entry.note.text
    call.box.remember(text.bytes)
    let id = ObjectID(ofBlob: text.bytes).hex
    let state = call.isOfPast ? call.box.state : moment.state
    if call.request.values(of: "if-none-match") == ["\"\(id)\""] {
      return PageResponse(
        304, .bytes([]), headers: [("ETag", "\"\(id)\""), (PageResponse.stateHeader, state)])
    }
    let response = PageResponse.json(
      try bytes(of: entry, id, moment, call.box.formulas, named: call.isOfPast ? ref : nil))
    return response.with("ETag", "\"\(id)\"").with(PageResponse.stateHeader, state)
  }

  /// The note, and the requested moment.
  ///
  /// A file that was just changed is read before the watch reports it, so that all of an answer is of one text.
  private static func found(_ ref: String, _ call: PageCall) throws -> (PageMoment, Entry) {
    let etag = try call.etag()
    var moment = try call.moment()
    var entry = try call.entry(ref, in: moment, readAs: etag)
    if !call.isOfPast, try moment.snapshot.bytes(at: entry.note.path) == nil {
      // Only a scan of all files finds its new path.
      moment = try call.box.advance(by: WatchedChanges(everything: true))
      entry = try RequestedNotes(in: moment.snapshot).entry(ref, readAs: etag)
    }
    let text = try entry.note.text
    let known = try moment.snapshot.contentID(at: entry.note.path)
    guard !call.isOfPast, known != ObjectID(ofBlob: text.bytes) else { return (moment, entry) }
    var news = WatchedChanges()
    news.paths = [entry.note.path]
    let next = try call.box.advance(by: news)
    return (next, try RequestedNotes(in: next.snapshot).entry(ref, readAs: etag))
  }

  /// - Parameter ref: the name of the note in a request about the past.
  private static func bytes(
    of entry: Entry, _ id: String, _ moment: PageMoment, _ formulas: MarkupProgram?, named ref: String?
  ) throws -> [UInt8] {
    let (snapshot, note) = (moment.snapshot, entry.note)
    let web = try moment.web()
    var whole = JSONWriter()
    try moment.objects().writeWhole(entry, to: &whole)
    let html = try NotePreview(snapshot, web, entry, formulas: formulas).html()
    let conflicts = try ResolveConflicts(in: snapshot).conflicts(of: entry)
    let linking = try linking(to: entry, web)
    let objects = try moment.objects()
    let result = try JSONDocument.object { (writer) throws(SlipboxError) in
      writer.key("note")
      writer.json(bytes: whole.takeBytes())
      writer.member("etag", id)
      // If another file has the same id, the path names this one.
      if let id = note.id, (try? RequestedNotes(in: snapshot).entry(id.description)) == nil {
        writer.member("ref", String(decoding: note.path, as: UTF8.self))
      } else if let ref, note.id == nil, (try? RequestedNotes(in: snapshot).entry(ref)) == nil {
        // The page goes on with the name of now.
        writer.member("ref", ref)
      }
      objects.writeState(of: entry, to: &writer)
      writer.key("titles")
      objects.writeTitles(of: [entry], to: &writer)
      writer.member("html", bytes: html)
      writer.member("fields", of: note.frontMatter.fields) { $1.string($0.name) }
      writer.key("problem")
      if let problem = try problem(of: note) { writer.string(problem) } else { writer.null() }
      writer.member("conflicts", of: conflicts) { write($0, of: note, to: &$1) }
      writer.key("backlinks")
      writer.beginArray()
      for connected in linking {
        try writer.object { (writer) throws(SlipboxError) in
          writer.key("note")
          try objects.write(web.entries[connected.place], to: &writer) { _ in }
          writer.key("sentence")
          writer.array(of: sentence(of: connected, naming: note.title)) { part, writer in
            writer.object {
              $0.member("text", part.text)
              $0.member("hit", part.isHit)
            }
          }
        }
      }
      writer.endArray()
    }
    return result
  }

  /// The sentence around the first link of a note, without marks; of a link in a field the name of that.
  private static func sentence(
    of linking: ConnectedNote, naming title: String
  ) -> [(text: String, isHit: Bool)] {
    if let field = linking.connections.first?.field { return [("\(field): ", false), (title, true)] }
    return linking.snippets.first?.plainParts(naming: title) ?? []
  }

  /// So many notes are shown of those that link to one.
  private static let mostLinking = 200

  private static func linking(to entry: Entry, _ web: NoteWeb) throws -> [ConnectedNote] {
    let connections = web.connections(to: try web.places(of: [entry])).first ?? []
    return try web.sentences(of: web.notes(holding: connections, most: mostLinking))
  }

  /// Why the front-matter can't be read; nil if it can.
  private static func problem(of note: Note) throws(SlipboxError) -> String? {
    if let unreadable = try note.text.unreadable { return unreadable.message }
    guard let problem = note.frontMatter.problems.first(where: { $0.severity == .error }) else { return nil }
    return "line \(problem.line), column \(problem.column): \(problem.message)"
  }

  private static func write(_ conflict: NoteConflict, of note: Note, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("field", conflict.name)
      writer.key("current")
      write(conflict.versions.first(where: \.isInNote) ?? conflict.versions.first, to: &writer)
      writer.member("versions", of: conflict.versions.enumerated()) { version, writer in
        writer.object { writer in
          writer.key("value")
          if version.element.isInNote, conflict.name == ConflictEntry.path {
            writer.string(bytes: note.path)
          } else {
            write(version.element, to: &writer)
          }
          writer.member("author", version.element.who)
          writer.member("device", version.element.device)
          writer.member("time", version.element.when)
          writer.member("number", version.offset + 1)
          writer.member("inNote", version.element.isInNote)
        }
      }
    }
  }

  private static func write(_ version: NoteConflict.Version?, to writer: inout JSONWriter) {
    if let text = version?.text {
      writer.string(bytes: text)
    } else if let value = version?.value {
      writer.json(value.json)
    } else {
      writer.null()
    }
  }
}

/// A file other than a note that some note links to or embeds.
///
/// Only names that links of notes resolve to are served. The requested name is compared with them, and the file is read
/// below the box, through no symbolic link. A browser shows pictures, and downloads everything else.
enum FileAnswer {
  /// Longer files are not sent.
  private static let mostBytes = 64 << 20

  static func answer(_ call: PageCall) throws -> PageResponse {
    guard let path = call.target.bytes("path"), !path.isEmpty else {
      throw PageError(.badRequest, "path is missing")
    }
    let moment = try call.moment()
    guard try moment.linkedFiles().contains(path), let bytes = try moment.snapshot.bytes(at: path) else {
      throw PageError(.notFound, "no note links to this file")
    }
    guard bytes.count <= mostBytes else {
      throw PageError(.refused, "the file has more than 64 MB", hints: ["open it in the folder of the box"])
    }
    let response = PageResponse(200, .bytes(bytes))
    if let type = PictureType.type(ofPath: path), PictureType.isPicture(bytes) {
      return response.with("Content-Type", type)
    }
    return response.with("Content-Type", "application/octet-stream")
      .with("Content-Disposition", "attachment; filename*=UTF-8''\(name(of: path))")
      .with("Content-Security-Policy", "sandbox; default-src 'none'")
  }

  /// The name of a file as a header holds it.
  ///
  /// Source: RFC 8187.
  private static func name(of path: [UInt8]) -> String {
    let name = PercentEncoding.encoded(BytePath.name(of: path)) {
      PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~")
    }
    return String(decoding: name, as: UTF8.self)
  }
}
