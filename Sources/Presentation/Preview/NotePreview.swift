import Bytes
package import NoteIndex
import Notes
package import SlipboxCore

/// The body of a note as HTML for a program that shows notes and fetches files by itself.
///
/// No raw HTML of the note is in it, no address that runs something, and nothing that is fetched by being shown. Headings and
/// blocks have no ids, which would be names in the program's document.
package struct NotePreview {
  private let snapshot: BoxSnapshot
  private let web: NoteWeb
  private let entry: Entry

  /// - Parameter web: the connections of the notes of the snapshot.
  package init(_ snapshot: BoxSnapshot, _ web: NoteWeb, _ entry: Entry) {
    self.snapshot = snapshot
    self.web = web
    self.entry = entry
  }

  /// - Throws: where the links of the note can't be read.
  /// - Complexity: that of the note, and of looking up its links.
  package func html() throws(SlipboxError) -> [UInt8] {
    let text = entry.note.text
    let body = MarkedBody(text, marks: try marks(text), opensTabs: true, namesLines: true)
    var writer = MarkupWriter()
    MarkdownHTML.write(body, to: &writer)
    return writer.bytes
  }

  private func marks(_ text: NoteText) throws(SlipboxError) -> [BodyMark] {
    let note = entry.note
    let connections = try web.connections(from: try web.places(of: [entry])).first ?? []
    let targets = Dictionary(
      connections.map { ($0.range.lowerBound, $0.target) }, uniquingKeysWith: { first, _ in first })
    let links = note.links.filter { $0.range.lowerBound >= text.body.lowerBound }
    let marks = links.compactMap { link -> BodyMark? in
      mark(link, targets[link.range.lowerBound].map { page($0, link) } ?? own(link), text)
    }
    let tags = note.inlineTags.map {
      BodyMark(range: $0.range, content: .tag($0.name, address: nil))
    }
    let parts = NoteParts(text)
    let hidden =
      parts.blocks.map(\.range) + parts.headings.attributes
      + parts.anchors.filter(\.isInvisible).flatMap { [$0.range] + ($0.closing.map { [$0] } ?? []) }
    return marks + tags + hidden.map { BodyMark(range: $0, content: .block("")) }
  }

  private func mark(_ link: BodyScan.Link, _ target: PageTarget, _ text: NoteText) -> BodyMark? {
    switch link.form {
    case .wiki:
      let label = WikiLabel(text.bytes[link.range])
      return BodyMark(range: link.range, content: .link(label.text ?? name(label, target), target))
    case .embed:
      let label = WikiLabel(text.bytes[link.range])
      let parts = label.imageParts
      return BodyMark(
        range: link.range,
        content: .embed(parts.text ?? name(label, target), target, size: parts.size))
    case .markdown, .image, .reference:
      guard let place = LinkPlace(link, in: text.bytes) else { return nil }
      return BodyMark(range: place.target, content: .target(target))
    case .html, .path: return nil
    }
  }

  /// The text of a wiki link without a label: the title where it names a note by its id or path, else what is written.
  private func name(_ label: WikiLabel, _ target: PageTarget) -> String {
    guard case .note(let ref, _) = target, label.isName,
      label.target.hasSameBytes(as: ref) || label.target.hasSuffix(".md"),
      let found = try? snapshot.entry(ref, fuzzy: false)
    else { return label.target }
    return found.note.title
  }

  /// What a link leads to.
  private func page(_ target: Connection.Target, _ link: BodyScan.Link) -> PageTarget {
    switch target {
    case .note(let place): .note(web.entries[place].name, part: Self.part(of: link))
    case .file(let path): .attachment(path, PictureType.type(ofPath: path) == nil ? .other : .image)
    case .url(let address): .tab(address)
    case .ambiguous, .broken: Self.namesFile(link) ? .missingFile(link.target) : .missing(link.target)
    }
  }

  /// The target of a link that names no other note: a heading of this one.
  private func own(_ link: BodyScan.Link) -> PageTarget {
    Self.part(of: link).map { .note(entry.name, part: $0) } ?? .text
  }

  /// The text of the heading that a link names; nil if it names none.
  private static func part(of link: BodyScan.Link) -> String? {
    let spelling = LinkSpelling(link, reading: 1)
    guard let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let part = spelling.decodedHeading(spelling.suffix[(mark + 1)...])
    return part.isEmpty ? nil : String(decoding: part, as: UTF8.self)
  }

  /// Whether a link means a file rather than a note: it is a picture, or its name ends as a file of media does.
  private static func namesFile(_ link: BodyScan.Link) -> Bool {
    let path = link.target.prefix { $0 != "#" && $0 != "?" }
    guard let dot = path.lastIndex(of: ".") else { return link.form == .image }
    let ending = path[path.index(after: dot)...].lowercased()
    if ["md", "markdown"].contains(ending) { return false }
    return link.form == .image || mediaEndings.contains(ending)
  }

  private static let mediaEndings: Set<String> = [
    "png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "avif", "heic", "tif", "tiff", "pdf", "mp3", "wav",
    "ogg",
    "m4a", "flac", "mp4", "webm", "mov", "mkv", "zip", "docx", "xlsx", "pptx", "odt", "ods", "csv",
  ]
}

/// The pictures that a program shows: those in which nothing can run.
package enum PictureType {
  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
  ]

  /// The media type of a picture, by the ending of its name; nil for any other file.
  package static func type(ofPath path: [UInt8]) -> String? {
    let name = BytePath.name(of: path)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return types[String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()]
  }

  /// Whether bytes begin as a picture of these types does, whatever their name says.
  package static func isPicture(_ bytes: [UInt8]) -> Bool { ending(of: bytes) != nil }

  /// The ending of the name of a picture, by its first bytes; nil for any other file.
  package static func ending(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
    if bytes.starts(with: "GIF8".utf8) { return "gif" }
    let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    return isWebP ? "webp" : nil
  }
}
