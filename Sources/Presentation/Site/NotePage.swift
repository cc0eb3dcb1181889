package import NoteIndex
import Notes
import SlipboxCore

/// The page of a note: title, fields, text, and who links or refers to it.
struct NotePage {
  let contents: SiteContents
  let marks: NoteMarks
  let number: Int

  private var item: NoteItem { NoteItem(contents: contents, marks: marks) }

  func write(_ out: inout MarkupWriter) {
    writeText(showsFacts: true, &out)
    writeBacklinks(&out)
  }

  /// Writes the title and the text.
  ///
  /// - Parameter showsFacts: whether the fields are between them.
  func writeText(showsFacts: Bool = false, _ out: inout MarkupWriter) {
    let entry = contents.entry(number)
    let text = entry.note.textOrEmpty
    let body = NoteBody(entry.note, text, marks, number: number)
    out.add("<article lang=\"\" dir=\"auto\">\n<h1")
    if let id = body.titleID { out.attribute("id", id) }
    out.add(">")
    out.text(entry.note.title)
    out.add("</h1>\n")
    if showsFacts { writeFacts(entry, &out) }
    body.write(&out)
    out.add("</article>\n")
  }

  // MARK: Fields

  private func writeFacts(_ entry: Entry, _ out: inout MarkupWriter) {
    let note = contents.notes[number]
    out.add("<dl class=\"facts\" lang=\"en\" dir=\"ltr\">\n")
    if note.kind != "note" {
      fact("kind", &out) { out in
        LinkHTML.write(
          note.kind, .page(marks.root + SafeAddress.path(SiteNames.kind(note.kind))), &out)
      }
    }
    fact("created", &out) { writeTime(entry.created, &$0) }
    fact("modified", &out) { writeTime(note.modified, &$0) }
    if !note.tags.isEmpty {
      fact("tags", &out) { out in
        for (index, tag) in note.tags.enumerated() {
          if index > 0 { out.add(" ") }
          LinkHTML.writeTag(tag, marks.address(ofTag: tag), &out)
        }
      }
    }
    let kind = contents.schema.kind(named: note.kind)
    for field in NoteColumn.otherFields(of: entry.note, kind)
    where field.name != entry.note.tagsField && contents.shows(field, of: number) {
      let value = FieldHTML(marks: marks, connections: contents.connections(of: number))
      if value.shows(field) { fact(field.name, &out) { value.write(field, &$0) } }
    }
    out.add("</dl>\n")
  }

  private func fact(
    _ name: String, _ out: inout MarkupWriter, _ value: (inout MarkupWriter) -> Void
  ) {
    out.add("<div><dt>")
    out.text(name)
    out.add("</dt><dd dir=\"auto\">")
    value(&out)
    out.add("</dd></div>\n")
  }

  private func writeTime(_ stamp: Timestamp, _ out: inout MarkupWriter) {
    out.add("<time")
    out.attribute("datetime", stamp.rfc3339)
    out.add(">")
    out.text(stamp.civilDate.description)
    out.add("</time>")
  }

  // MARK: Backlinks

  private func writeBacklinks(_ out: inout MarkupWriter) {
    let links = contents.backlinks(of: number)
    let referring = links.filter { !$0.fields.isEmpty }
    let linking = links.filter { !$0.sentences.isEmpty }
    if !referring.isEmpty {
      out.add(
        "<section class=\"backlinks\" aria-labelledby=\"s:referring\">\n<h2 id=\"s:referring\">Referred to by</h2>\n<ul>\n"
      )
      for link in referring { writeReference(link, &out) }
      out.add("</ul>\n</section>\n")
    }
    if !linking.isEmpty {
      out.add(
        "<section class=\"backlinks\" aria-labelledby=\"s:linking\">\n<h2 id=\"s:linking\">Linked from</h2>\n<ul>\n"
      )
      for link in linking { writeLink(link, &out) }
      out.add("</ul>\n</section>\n")
    }
  }

  private func writeReference(_ link: SiteBacklink, _ out: inout MarkupWriter) {
    out.add(contents.notes[link.source].isOpen ? "<li>" : "<li class=\"done\">")
    item.writeLink(link.source, &out)
    out.add(" <span class=\"kind\">")
    out.text(link.fields.joined(separator: ", "))
    out.add("</span></li>\n")
  }

  private func writeLink(_ link: SiteBacklink, _ out: inout MarkupWriter) {
    out.add("<li>")
    item.writeLink(link.source, &out)
    for sentence in Snippet.joined(link.sentences) {
      out.add("<p lang=\"\" dir=\"auto\">")
      write(sentence, &out)
      out.add("</p>")
    }
    out.add("</li>\n")
  }

  /// Writes a sentence without markup, with its links marked.
  private func write(_ sentence: Snippet, _ out: inout MarkupWriter) {
    for (text, isMark) in sentence.plainParts(naming: contents.notes[number].title) {
      if isMark { out.add("<mark>") }
      out.text(text)
      if isMark { out.add("</mark>") }
    }
  }
}

extension Snippet {
  /// The text of a sentence without its markup, in parts, each with whether it is the link that was looked for.
  ///
  /// - Parameter title: the title of the linked note, shown for a link that names it by its id or path.
  package func plainParts(naming title: String) -> [(text: String, isHit: Bool)] {
    // A control character precedes and follows each hit.
    let sign: UInt8 = 0x7F
    let bytes = text.utf8.map { $0 == sign ? 0x3F : $0 }
    var marked: [UInt8] = []
    var position = 0
    for hit in highlights where hit.lowerBound >= position && hit.upperBound <= bytes.count {
      marked += bytes[position..<hit.lowerBound] + [sign] + bytes[hit] + [sign]
      position = hit.upperBound
    }
    let whole = Self.withoutCells(ShownText.withoutHighlights(marked + bytes[position...]))
    let plain = Self.withoutCallout(PlainText.of(Self.withoutLabel(whole)))
    return plain.split(separator: "\u{7F}", omittingEmptySubsequences: false).enumerated().map {
      number, part in
      let isHit = number % 2 == 1
      return (isHit && NoteMarks.namesByPlace(String(part)) ? title : String(part), isHit)
    }.filter { !$0.0.isEmpty }
  }

  /// The text of a footnote without its label, such as `[^1]:`.
  private static func withoutLabel(_ sentence: [UInt8]) -> [UInt8] {
    guard sentence.starts(with: "[^".utf8), let close = sentence.firstIndex(of: UInt8(ascii: "]")),
      close + 1 < sentence.count, sentence[close + 1] == UInt8(ascii: ":")
    else { return sentence }
    return Array(sentence[(close + 2)...])
  }

  /// The row of a table with dots between its cells; another text as it is.
  private static func withoutCells(_ row: [UInt8]) -> [UInt8] {
    guard row.first(where: { $0 > 0x20 }) == UInt8(ascii: "|") else { return row }
    var (cells, cell, isEscaped) = ([[UInt8]](), [UInt8](), false)
    for byte in row {
      if byte == UInt8(ascii: "|"), !isEscaped {
        cells.append(cell)
        cell = []
      } else {
        cell.append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    let texts = (cells + [cell]).filter { cell in cell.contains { $0 > 0x20 } }
    return Array(texts.joined(separator: Array(" \u{B7} ".utf8)))
  }

  /// A sentence without the head of a callout, such as `[!note]`.
  private static func withoutCallout(_ sentence: String) -> Substring {
    guard sentence.hasPrefix("[!"), let close = sentence.firstIndex(of: "]") else { return sentence[...] }
    return sentence[sentence.index(after: close)...].drop { $0 == "+" || $0 == "-" }.drop { $0 == " " }
  }
}

/// The text of a note on a page.
struct NoteBody {
  private let body: MarkedBody
  private let shift: Int
  private let skipsHeading: Bool
  /// The id of the heading above the page, its title.
  let titleID: String?

  /// A text that begins with the note's title as a heading is shown without it; the highest headings below become `<h2>`.
  init(_ note: Note, _ text: NoteText, _ marks: NoteMarks, number: Int) {
    let anchors = HeadingAnchors(text)
    let isTitled = Self.beginsWith(marks.contents.writtenTitle(of: number), text, anchors)
    let shown = marks.contents.shownAnchors(anchors, of: number)
    let ids = anchors.headings.indices.map { index in
      (
        offset: anchors.headings[index].lines.lowerBound,
        id: String(decoding: shown.anchor(of: index), as: UTF8.self)
      )
    }
    let highest = anchors.headings.dropFirst(isTitled ? 1 : 0).map(\.level).min() ?? 2
    var outer = marks
    outer.embedding = Embedding(host: number)
    body = MarkedBody(
      text, marks: outer.marks(of: note, text, number: number),
      headings: ids.filter { !$0.id.isEmpty }, anchorBase: marks.anchorBase,
      namesAnchors: true, breaksLines: marks.contents.breaksLines, rendered: marks.contents.rendered)
    shift = max(0, 2 - highest)
    skipsHeading = isTitled
    titleID = isTitled ? ids.first?.id : nil
  }

  /// The text of a note, or of a part of it, inside of another note: its headings have no ids.
  ///
  /// - Parameter moved: how far the text is moved from its place in the note.
  init(embedding note: Note, _ text: NoteText, _ marks: NoteMarks, number: Int, shift moved: Int) {
    let anchors = HeadingAnchors(text)
    let isTitled = moved == 0 && Self.beginsWith(marks.contents.writtenTitle(of: number), text, anchors)
    let highest = anchors.headings.dropFirst(isTitled ? 1 : 0).map(\.level).min() ?? 3
    // The numbers of notes change with every new note.
    let trail = marks.embedding.trail.map { number in
      String(PageKey(of: marks.contents.map.pages[number]).value, radix: 36)
    }.joined(separator: ".")
    let count = marks.embedding.budget.count(trail)
    body = MarkedBody(
      text, marks: marks.marks(of: note, text, number: number, shift: moved),
      idPrefix: count == 0 ? "\(trail)-" : "\(trail)_\(count)-",
      anchorBase: marks.anchorBase, breaksLines: marks.contents.breaksLines,
      rendered: marks.contents.rendered)
    shift = max(0, 3 - highest)
    skipsHeading = isTitled
    titleID = nil
  }

  private static func beginsWith(_ title: String, _ text: NoteText, _ anchors: HeadingAnchors) -> Bool {
    guard let first = anchors.headings.first,
      text.bytes[text.body.lowerBound..<first.lines.lowerBound].allSatisfy({ $0 <= 0x20 })
    else { return false }
    return anchors.texts[0].hasSameBytes(as: title)
  }

  func write(_ out: inout MarkupWriter) {
    MarkdownHTML.write(body, shift: shift, skipsHeading: skipsHeading, to: &out)
  }
}
