import Bytes
import NoteIndex
import Notes
import SlipboxCore

/// Finds the named thing at a place of a note.
struct RenameFinder {
  private let view: BoxView
  private let note: Note
  private let bytes: [UInt8]
  private let offset: Int

  init(_ note: Note, at offset: Int, in view: BoxView) throws(SlipboxError) {
    self.view = view
    self.note = note
    self.offset = offset
    bytes = try note.text.bytes
  }

  /// A link, a tag, the title, a record that a field refers to, or a heading; nil if none is there.
  func find() throws(SlipboxError) -> RenamePlace? {
    if let place = try link() ?? tag() { return place }
    if let field = note.frontMatter.fields.first(where: { $0.span.contains(offset) }) {
      return try value(of: field)
    }
    return try heading()
  }

  private func isHere(_ range: Range<Int>) -> Bool { range.contains(offset) || range.upperBound == offset }

  private func own() throws(SlipboxError) -> Entry? { try view.snapshot.catalogue().entry(path: note.path) }

  private func link() throws(SlipboxError) -> RenamePlace? {
    guard note.links.contains(where: { isHere($0.range) }) else { return nil }
    let web = try NoteWeb(view.snapshot)
    let here = try web.links(of: note).filter { isHere($0.link.range) }
    // The label of a link may contain an image.
    guard let link = here.min(by: { $0.link.range.count < $1.link.range.count }),
      let place = LinkPlace(link.link, in: bytes)
    else { return nil }
    let entry: Entry
    switch link.target {
    case .note(let number)?: entry = web.entries[number]
    case nil:
      guard let own = try own() else { return nil }
      entry = own
    default: return nil
    }
    let mark = place.target.upperBound - link.resolved.suffix.count
    if let part = LinkedPart(link.resolved), !part.isBlock, offset > mark || mark == place.target.lowerBound,
      isHere(place.target), let lines = part.range(in: NoteParts(try entry.note.text)),
      let number = HeadingAnchors(try entry.note.text).headings.firstIndex(where: { $0.lines == lines })
    {
      return RenamePlace(
        target: .heading(entry, number: number), range: mark + 1..<place.target.upperBound,
        name: HeadingAnchors(try entry.note.text).texts[number])
    }
    let name = place.target.lowerBound..<mark
    return RenamePlace(
      target: .note(entry), range: isHere(name) && !name.isEmpty ? name : link.link.range,
      name: entry.note.title)
  }

  private func tag() -> RenamePlace? {
    if let tag = note.inlineTags.first(where: { isHere($0.range) }) {
      return RenamePlace(target: .tag(tag.name), range: tag.offset + 1..<tag.range.upperBound, name: tag.name)
    }
    guard let name = note.tagsField, let field = note.frontMatter.fields.first(where: { $0.name == name }),
      field.span.contains(offset)
    else { return nil }
    let found = note.frontMatterTags.compactMap { tag in word(tag, in: field).map { (tag, $0) } }
    return found.max { $0.1.count < $1.1.count }.map {
      RenamePlace(target: .tag($0.0), range: $0.1, name: $0.0)
    }
  }

  /// The bytes of a word in the value of a field, if the place is in them.
  private func word(_ word: String, in field: FrontMatterField) -> Range<Int>? {
    let word = Array(word.utf8)
    guard !word.isEmpty, let colon = bytes[field.span].firstIndex(of: UInt8(ascii: ":")) else { return nil }
    var start = colon + 1
    while start + word.count <= field.span.upperBound {
      let range = start..<start + word.count
      if bytes[range].elementsEqual(word), isHere(range), !isWord(start - 1), !isWord(range.upperBound) {
        return range
      }
      start += 1
    }
    return nil
  }

  private func isWord(_ place: Int) -> Bool {
    guard bytes.indices.contains(place) else { return false }
    let byte = bytes[place]
    return byte >= 0x80 || ASCII.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
  }
}

extension RenameFinder {
  private func value(of field: FrontMatterField) throws(SlipboxError) -> RenamePlace? {
    if note.hasOwnTitle, field.name.isSameName(as: "title"), let own = try own() {
      return RenamePlace(target: .note(own), range: written(note.title, in: field), name: note.title)
    }
    let schema = view.snapshot.schema()
    guard let declared = schema.kind(named: view.snapshot.kind(of: note))?.field(field.name),
      declared.type == .reference, let target = declared.target, let kind = schema.kind(named: target)
    else { return nil }
    for name in field.value.strings {
      guard let range = word(name, in: field),
        case .found(let entry) = try view.snapshot.catalogue().resolve(
          name, .field(kind), keys: RecordKeys(schema))
      else { continue }
      return RenamePlace(target: .note(entry), range: range, name: entry.note.title)
    }
    return nil
  }

  /// The range of a text in the value of a field; the whole value if the text is written in another way.
  private func written(_ text: String, in field: FrontMatterField) -> Range<Int> {
    let text = Array(text.utf8)
    let start = (bytes[field.span].firstIndex(of: UInt8(ascii: ":")) ?? field.span.lowerBound) + 1
    var place = start
    while place + text.count <= field.span.upperBound {
      if bytes[place..<place + text.count].elementsEqual(text) { return place..<place + text.count }
      place += 1
    }
    let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let first = bytes[start..<field.span.upperBound].firstIndex { !isBlank($0) } ?? start
    let last = bytes[start..<field.span.upperBound].lastIndex { !isBlank($0) } ?? first
    return first..<max(first, min(last + 1, field.span.upperBound))
  }

  private func heading() throws(SlipboxError) -> RenamePlace? {
    let anchors = HeadingAnchors(try note.text)
    guard let number = anchors.headings.firstIndex(where: { isHere($0.lines) }), let own = try own() else {
      return nil
    }
    // A heading below the first level names a part of the note, even if nothing else is its title.
    let isTitle = number == anchors.titleNumber && note.titleSource == .heading
    return RenamePlace(
      target: isTitle ? .note(own) : .heading(own, number: number), range: anchors.headings[number].text,
      name: anchors.texts[number])
  }
}

/// The thing that a rename at a place of a text renames.
struct RenamePlace {
  enum Target {
    case note(Entry)
    /// A heading by its number among those of its note.
    case heading(Entry, number: Int)
    case tag(String)
  }

  let target: Target
  /// The bytes of the name in the text.
  let range: Range<Int>
  /// The name now.
  let name: String
}

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
  /// The name that can be changed at a place; nil if there is none.
  static func prepare(_ params: PlaceParams, _ request: Request) throws -> RenameRange? {
    let place = try request.place(params.textDocument.uri)
    guard let box = place.box else { return nil }
    let offset = place.document.lines.offset(of: params.position)
    return try RenameFinder(place.note, at: offset, in: box).find().map {
      RenameRange(range: place.document.lines.range(of: $0.range), placeholder: $0.name)
    }
  }

  /// The edits that rename the thing at a place; nil if everything is written already.
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
    let finder = try RenameFinder(
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
    // The note is identified by its id or title. If the client moves no files, this file keeps its path.
    let retitling = Retitling(
      snapshot, keepsPath: !delivery.request.client.capabilities.canRenameFiles)
    return switch target {
    case .note(let entry): try retitling.plan(entry, to: name)
    case .heading(let entry, let number): try retitling.plan(entry, heading: number, to: name)
    case .tag(let tag): try ChangeTags(in: snapshot).rename(tag, to: name).plan
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

/// Updates links when the client is about to move files and folders.
enum FileRenaming {
  /// The change to make before the move; nil if no link changes.
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
    let planned = try PlannedFiles(try FollowMoves(in: delivery.view.snapshot).plan(paths), in: delivery.view)
    return try delivery.changesOfMany(planned).compactMap { change in
      // The client itself moves the files.
      if case .rename = change { nil } else { change }
    }
  }
}
