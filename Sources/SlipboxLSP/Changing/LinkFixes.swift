import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// Repairs links: the note that is missing, the one that was meant, the heading that is missing.
struct LinkFixes {
  private let place: ActionPlace

  /// - Parameter place: the place for which actions are requested.
  init(_ place: ActionPlace) { self.place = place }

  func offers() throws(SlipboxError) -> [ActionOffer] {
    let codes: [Diagnostic.Code] = [.link, .ambiguousLink, .heading]
    guard place.diagnostics.contains(where: { codes.contains($0.code) }) else { return [] }
    let web = try NoteWeb(place.view.snapshot)
    var offers: [ActionOffer] = []
    for link in try web.links(of: place.note) where place.isHere(link.link.range) {
      guard let diagnostic = place.diagnostic(codes, at: link.link.range),
        let written = LinkPlace(link.link, in: place.bytes)
      else { continue }
      var own: [ActionOffer]
      switch link.target {
      case .broken?: own = near(link, written, web) + creation(link)
      case .ambiguous(let places)?: own = choices(link, written, places.map { web.entries[$0] })
      case .note(let number)?: own = try heading(link, written, web.entries[number].note)
      case nil: own = try heading(link, written, place.note)
      default: own = []
      }
      for number in own.indices { own[number].diagnostic = diagnostic }
      offers += own
    }
    return offers
  }

  /// The bytes of the name in a link, without a heading.
  private func name(_ link: NoteWeb.LinkOfNote, _ written: LinkPlace) -> Range<Int> {
    written.target.lowerBound..<written.target.upperBound - suffix(link).count
  }

  /// The heading or block with its mark; a broken link may name one too.
  private func suffix(_ link: NoteWeb.LinkOfNote) -> [UInt8] {
    let suffix = link.resolved.suffix
    guard suffix.isEmpty, let mark = link.link.target.utf8.firstIndex(of: UInt8(ascii: "#")) else {
      return suffix
    }
    return Array(link.link.target.utf8[mark...])
  }

  private func isWiki(_ link: NoteWeb.LinkOfNote) -> Bool { [.wiki, .embed].contains(link.link.form) }

  private func near(_ link: NoteWeb.LinkOfNote, _ written: LinkPlace, _ web: NoteWeb) -> [ActionOffer] {
    guard let near = NearNames(web.entries).nearest(to: link.link.target),
      case .found(let entry)? = try? place.view.snapshot.catalogue().resolve(near, .link)
    else { return [] }
    var text = isWiki(link) ? near : address(of: entry.note)
    if isWiki(link), text.contains(where: { "[]|#^".contains($0) }) { text = entry.name }
    let way = place.replacing(name(link, written), by: text)
    return [
      ActionOffer(title: "Link to \(Visible.escape(near))", kind: .quickFix, way: way, isPreferred: true)
    ]
  }

  /// The address of a note in a Markdown link of this one.
  private func address(of note: Note) -> String {
    LinkStyle.markdown.markdownTarget(of: note.path, identifier: nil, from: place.note.path) { _ in nil }
  }

  private func choices(
    _ link: NoteWeb.LinkOfNote, _ written: LinkPlace, _ entries: [Entry]
  ) -> [ActionOffer] {
    return entries.prefix(10).map { entry in
      let path = String(decoding: entry.note.path, as: UTF8.self)
      var text = isWiki(link) ? entry.note.id?.description ?? path : address(of: entry.note)
      var range = name(link, written)
      if isWiki(link), !written.hasLabel {
        // The reader sees the name that was there.
        let shown = String(decoding: place.bytes[range], as: UTF8.self)
        text += String(decoding: suffix(link), as: UTF8.self) + "|" + shown
        range = written.target
      }
      return ActionOffer(
        title: "Link to \(Visible.escape(path))", kind: .quickFix, way: place.replacing(range, by: text))
    }
  }

  /// The note that a link names and that is not there.
  private func creation(_ link: NoteWeb.LinkOfNote) -> [ActionOffer] {
    let bytes = LinkSpelling(link.link, reading: 1).name
    // An embedded target, such as a picture, is not a note.
    let isShown = [.embed, .image].contains(link.link.form)
    guard !isShown || FileName.isNote(bytes) || !BytePath.name(of: bytes).contains(UInt8(ascii: ".")) else {
      return []
    }
    var arguments: [String: JSONValue] = ["uri": .string(place.document.uri)]
    var title = String(decoding: bytes, as: UTF8.self)
    if !isWiki(link) || title.contains("/") {
      guard let path = path(bytes, isWiki: isWiki(link)) else { return [] }
      arguments["path"] = .string(String(decoding: path, as: UTF8.self))
      title = String(decoding: FileName.stem(of: path), as: UTF8.self)
    }
    guard !title.isEmpty, !title.utf8.contains(where: { $0 < 0x20 }) else { return [] }
    arguments["title"] = .string(title)
    let shown = "Create the note \(Visible.escape(title))"
    return [ActionOffer(title: shown, kind: .quickFix, way: .command(ClientCommand(shown, .new, arguments)))]
  }

  /// The path of the file that a link would lead to; nil if it is that of no note.
  private func path(_ name: [UInt8], isWiki: Bool) -> [UInt8]? {
    let isFromRoot = isWiki || name.first == UInt8(ascii: "/")
    let folder = isFromRoot ? [] : Array(LinkPath.folder(of: place.note.path))
    let root: [UInt8] = [UInt8(ascii: "/")]
    guard
      let whole = BytePath.normalised(
        BytePath.join(BytePath.join(root, folder), Array(name.drop { $0 == UInt8(ascii: "/") })))
    else { return nil }
    let path = Array(whole.dropFirst())
    if FileName.isNote(path) { return path }
    return BytePath.name(of: path).contains(UInt8(ascii: ".")) ? nil : path + Array(".md".utf8)
  }

  private func heading(
    _ link: NoteWeb.LinkOfNote, _ written: LinkPlace, _ target: Note
  ) throws(SlipboxError) -> [ActionOffer] {
    guard let part = LinkedPart(link.resolved), !part.isBlock else { return [] }
    let text = try target.text
    if part.isThere(in: NoteParts(text)) { return [] }
    var offers: [ActionOffer] = []
    let anchors = HeadingAnchors(text)
    if let near = Spelling.nearest(to: part.name, among: anchors.texts) {
      let mark = written.target.upperBound - link.resolved.suffix.count
      let spelling = LinkSpelling(link.link, reading: link.resolved.reading)
      let text = String(decoding: spelling.heading(Array(near.utf8)), as: UTF8.self)
      let way = place.replacing(mark + 1..<written.target.upperBound, by: text)
      offers.append(
        ActionOffer(
          title: "Link to the heading \(Visible.escape(near))", kind: .quickFix, way: way, isPreferred: true))
    }
    let name = part.name.split(separator: "#").last.map(String.init) ?? part.name
    let plan = { () throws(SlipboxError) -> Plan in
      let line = text.lineEnd
      let edit = FileEdit(path: target.path) { bytes throws(SlipboxError) in
        NoteText(bytes ?? []).appending(line + Array("## \(name)".utf8) + line).bytes
      }
      return Plan(command: "append", edits: [edit]) { "Append to: \(Plan.described($0))" }
    }
    if let way = place.way(of: plan, command: nil) {
      offers.append(
        ActionOffer(
          title: "Append the heading \(Visible.escape(name)) to \(Visible.escape(target.title))",
          kind: .quickFix, way: way))
    }
    return offers
  }
}
