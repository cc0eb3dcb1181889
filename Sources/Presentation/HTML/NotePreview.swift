import Bytes
package import NoteIndex
import Notes
package import SlipboxCore

/// The body of a note as HTML for a program that shows notes and fetches files by itself.
///
/// No raw HTML of the note is in it, no comment, no address that runs something, and nothing that is fetched by being shown.
/// Headings and blocks have no ids, which would be names in the program's document.
package struct NotePreview {
  private let snapshot: BoxSnapshot
  private let web: NoteWeb
  private let entry: Entry
  /// Makes markup of formulas; nil if they are shown as they are written.
  private let formulas: MarkupProgram?
  /// The places of the notes around an embedded one, the outermost first.
  private var trail: [Int] = []
  /// The beginning of the ids of footnotes; empty outside of embedded notes.
  private var idPrefix = ""

  /// Notes are embedded in each other so deep, and a preview has so many bytes of them.
  private static let deepest = 3
  private static let mostEmbedded = 1 << 18

  /// - Parameter web: the connections of the notes of the snapshot.
  package init(_ snapshot: BoxSnapshot, _ web: NoteWeb, _ entry: Entry, formulas: MarkupProgram? = nil) {
    self.formulas = formulas
    self.snapshot = snapshot
    self.web = web
    self.entry = entry
  }

  /// - Throws: if the links of the note can't be read.
  /// - Complexity: that of the note and those that it embeds, and of looking up their links.
  package func html() throws(SlipboxError) -> [UInt8] {
    var left = Self.mostEmbedded
    var writer = MarkupWriter()
    guard let place = try web.places(of: [entry]).first else { return [] }
    var preview = self
    preview.trail = [place]
    let note = try Self.uncommented(entry.note)
    let marks = try preview.marks(note, connections: try preview.connections(place, note), left: &left)
    let text = try note.text
    let body = MarkedBody(
      text, marks: marks, opensTabs: true, namesLines: true,
      breaksLines: try snapshot.breaksLines(), rendered: rendered(text))
    MarkdownHTML.write(body, to: &writer)
    return writer.bytes
  }

  private func rendered(_ text: NoteText) -> RenderedMarkup {
    var programs = MarkupPrograms()
    programs.formulas = formulas
    return RenderedMarkup(programs, [0]) { _ in text }
  }

  /// The note with blanks in the place of its comments.
  private static func uncommented(_ note: Note) throws(SlipboxError) -> Note {
    let whole = try note.text
    let text = BodyComments.blanked(whole)
    return text.bytes == whole.bytes ? note : Note(path: note.path, text: text)
  }

  private func connections(_ place: Int, _ note: Note) throws(SlipboxError) -> [Connection] {
    try web.connections(from: [(place: place, note: note)]).first ?? []
  }

  /// - Parameters:
  ///   - connections: those of the note, in the text or in that from which it is taken.
  ///   - shift: how far the text is moved from its place in that one.
  ///   - left: so many bytes of embedded notes may still be written.
  private func marks(
    _ note: Note, connections: [Connection], shift: Int = 0, left: inout Int
  ) throws(SlipboxError) -> [BodyMark] {
    let text = try note.text
    let targets = Dictionary(
      connections.map { ($0.range.lowerBound + shift, $0.target) }, uniquingKeysWith: { first, _ in first })
    var marks: [BodyMark] = []
    for link in note.links where link.range.lowerBound >= text.body.lowerBound {
      let target = targets[link.range.lowerBound]
      let leads = target.map { page($0, link) } ?? own(link)
      if link.form == .embed, case .note(let place)? = target,
        let content = try embedded(place, link, left: &left)
      {
        let label = WikiLabel(text.bytes[link.range]).text ?? web.entries[place].note.title
        marks.append(BodyMark(range: link.range, content: .transclusion(label, leads, content)))
      } else if let mark = mark(link, leads, text) {
        marks.append(mark)
      }
    }
    let tags = note.inlineTags.map {
      BodyMark(range: $0.range, content: .tag($0.name, address: "#"))
    }
    let parts = NoteParts(text)
    let hidden =
      parts.blocks.map(\.range) + parts.headings.attributes
      + parts.anchors.filter(\.isInvisible).flatMap { [$0.range] + ($0.closing.map { [$0] } ?? []) }
    return marks + tags + hidden.map { BodyMark(range: $0, content: .block("")) }
  }

  /// A note, or the part of it that a link names; nil if a link to it is shown: it is around itself, or too deep, or too
  /// much is embedded already.
  private func embedded(_ place: Int, _ link: BodyScan.Link, left: inout Int) throws(SlipboxError)
    -> MarkupWriter?
  {
    guard left > 0, trail.count <= Self.deepest, !trail.contains(place) else { return nil }
    let whole = try Self.uncommented(web.entries[place].note)
    var (note, shift) = (whole, 0)
    if let name = Self.part(of: link) {
      let part: NotePart = name.hasPrefix("^") ? .block(name) : .heading(name)
      guard let span = try? whole.text.span(of: part, takesFirst: true) else { return nil }
      // A line end before the part keeps it from being front-matter.
      shift = 1 - span.whole.lowerBound
      note = Note(path: whole.path, text: NoteText([0x0A] + (try whole.text).bytes[span.whole]))
    }
    var inner = self
    inner.trail.append(place)
    inner.idPrefix += "\(place)-\(link.range.lowerBound)-"
    let marks = try inner.marks(
      note, connections: try connections(place, whole), shift: shift, left: &left)
    var out = MarkupWriter()
    let text = try note.text
    let body = MarkedBody(
      text, marks: marks, opensTabs: true, idPrefix: inner.idPrefix,
      breaksLines: try snapshot.breaksLines(), rendered: rendered(text))
    MarkdownHTML.write(body, to: &out)
    left -= out.bytes.count + 100
    return out
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

  /// The text of a wiki link without a label: the title if it names a note by its id or path, else the target as written.
  private func name(_ label: WikiLabel, _ target: PageTarget) -> String {
    guard case .note(let ref, _, _) = target, label.isName,
      label.target.hasSameBytes(as: ref) || label.target.hasSuffix(".md"),
      let found = try? NoteLookup(in: snapshot).entry(ref, fuzzy: false)
    else { return label.target }
    return found.note.title
  }

  /// The target of a link.
  private func page(_ target: Connection.Target, _ link: BodyScan.Link) -> PageTarget {
    switch target {
    case .note(let place): .note(web.entries[place].name, part: Self.part(of: link), state: state(of: place))
    case .file(let path): .attachment(path, PictureType.type(ofPath: path) == nil ? .other : .image)
    case .url(let address): .tab(address)
    case .ambiguous, .broken: Self.namesFile(link) ? .missingFile(link.target) : .missing(link.target)
    }
  }

  /// The state of a linked record; nil for notes without a state, and if the notes can't be read.
  private func state(of place: Int) -> String? {
    let entry = web.entries[place]
    guard entry.kind != "note", let row = try? LiveRow(snapshot) else { return nil }
    let today = snapshot.clock.today
    let hint = row.hint(of: entry) { DayWords.short($0, today: today) }
    return hint.isEmpty ? nil : hint.joined(separator: ", ")
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
