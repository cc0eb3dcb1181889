import NoteIndex
import Notes
import SlipboxCore

/// The frame around the text of every page: the head, the navigation, the search.
struct PageFrame: Sendable {
  let settings: SiteSettings
  let hasTags: Bool
  let hasGraph: Bool
  /// The number of the files with previews of links.
  let previews: Int

  /// Identifies the frames of pages, apart from the settings.
  var key: PageKey {
    var key = PageKey()
    key.add(hasTags)
    key.add(hasGraph)
    key.add(previews)
    return key
  }

  /// Only scripts, styles and pictures of the site itself; nothing from elsewhere, nothing written into a page.
  private static let policy: StaticString =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'"
  /// The same for a site with a style sheet of its owner, which may have fonts in itself.
  private static let styledPolicy: StaticString =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'"

  /// A sheet of paper.
  private static let icon =
    "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E"
    + "%3Cpath fill=%22%23246%22 d=%22M3 1h7l3 3v11H3z%22/%3E%3C/svg%3E"

  /// The bytes of a page.
  ///
  /// - Parameters:
  ///   - path: its path in the site.
  ///   - root: the way from the page to the root of the site; nil for the one of its path.
  ///   - body: writes the content of `<main>`.
  func page(
    _ path: [UInt8], title: String, _ facts: PageFacts = PageFacts(), root: String? = nil,
    _ body: (inout MarkupWriter) -> Void
  ) -> [UInt8] {
    let root = root ?? SiteNames.root(from: path)
    var (head, header, main) = (MarkupWriter(), MarkupWriter(), MarkupWriter())
    writeHead(title, root, &head)
    writeFacts(facts, path, title, &head)
    writeHeader(root, &header)
    main.add("<main id=\"s:main\">\n")
    writeCrumbs(facts.crumbs, root, &main)
    body(&main)
    main.add("</main>\n")
    if let template = settings.template {
      return template.page { place in
        switch place {
        case .title: MarkupWriter.escaped(title)
        case .site: MarkupWriter.escaped(settings.title)
        case .root: MarkupWriter.escaped(root)
        case .head: head.bytes
        case .header: header.bytes
        case .content: main.bytes
        }
      }
    }
    var out = MarkupWriter()
    out.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n")
    out.add(head)
    out.add("</head>\n<body>\n")
    out.add(header)
    out.add(main)
    out.add("</body>\n</html>\n")
    return out.bytes
  }

  /// A page that leads to another one, for browsers without scripts too.
  func redirect(_ path: [UInt8], to page: [UInt8], title: String) -> [UInt8] {
    let address = SiteNames.root(from: path) + SafeAddress.path(page)
    var out = MarkupWriter()
    out.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
    out.text(title)
    out.add("</title>\n<meta name=\"robots\" content=\"noindex\">\n<link rel=\"canonical\"")
    out.attribute("href", settings.address.map { $0 + SafeAddress.path(Self.canonical(page)) } ?? address)
    out.add(">\n<meta http-equiv=\"refresh\"")
    out.attribute("content", "0; url=\(address)")
    out.add(">\n</head>\n<body>\n<p><a")
    out.attribute("href", address)
    out.add(">")
    out.text(title)
    out.add("</a></p>\n</body>\n</html>\n")
    return out.bytes
  }

  /// The canonical address, the description, and the metadata that messengers show of a link to the page.
  ///
  /// Source: The Open Graph protocol.
  private func writeFacts(
    _ facts: PageFacts, _ path: [UInt8], _ title: String, _ out: inout MarkupWriter
  ) {
    if !facts.description.isEmpty { meta("name", "description", facts.description, &out) }
    if let feed = facts.feed {
      out.add("<link rel=\"alternate\" type=\"application/atom+xml\"")
      out.attribute("title", title)
      out.attribute("href", SiteNames.root(from: path) + feed)
      out.add(">\n")
    }
    meta("property", "og:title", title, &out)
    meta("property", "og:site_name", settings.title, &out)
    meta("property", "og:type", facts.created == nil ? "website" : "article", &out)
    if !facts.description.isEmpty { meta("property", "og:description", facts.description, &out) }
    if let created = facts.created {
      meta("property", "article:published_time", created.rfc3339, &out)
    }
    if let modified = facts.modified {
      meta("property", "article:modified_time", modified.rfc3339, &out)
    }
    if facts.isMissing { meta("name", "robots", "noindex", &out) }
    guard let address = settings.address, !facts.isMissing else { return }
    let url = address + SafeAddress.path(Self.canonical(facts.canonical ?? path))
    out.add("<link rel=\"canonical\"")
    out.attribute("href", url)
    out.add(">\n")
    meta("property", "og:url", url, &out)
    if let image = facts.image { meta("property", "og:image", address + image, &out) }
    meta("name", "twitter:card", facts.image == nil ? "summary" : "summary_large_image", &out)
  }

  /// A path without `index.html`, which hosts show at the address of its folder.
  static func canonical(_ path: [UInt8]) -> [UInt8] {
    let index = Array("index.html".utf8)
    return path == index || path.suffix(11).elementsEqual([UInt8(ascii: "/")] + index)
      ? Array(path.dropLast(index.count)) : path
  }

  private func meta(
    _ kind: StaticString, _ name: String, _ content: String, _ out: inout MarkupWriter
  ) {
    out.add("<meta")
    out.attribute(kind, name)
    out.attribute("content", content)
    out.add(">\n")
  }

  private func writeCrumbs(
    _ crumbs: [(text: String, address: String)], _ root: String, _ out: inout MarkupWriter
  ) {
    guard !crumbs.isEmpty else { return }
    out.add("<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><ol>")
    for (text, address) in crumbs {
      out.add("<li><a dir=\"auto\"")
      out.attribute("href", root + address)
      out.add(">")
      out.text(text)
      out.add("</a></li>")
    }
    out.add("</ol></nav>\n")
  }

  private func writeHead(_ title: String, _ root: String, _ out: inout MarkupWriter) {
    out.add("<meta charset=\"utf-8\">\n")
    out.add("<meta http-equiv=\"Content-Security-Policy\" content=\"")
    out.add(settings.css == nil ? Self.policy : Self.styledPolicy)
    out.add("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    out.add(
      "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"slip\">\n<title>"
    )
    out.text(title)
    out.add("</title>\n<link rel=\"stylesheet\"")
    out.attribute("href", root + "site.css")
    if settings.css != nil {
      out.add(">\n<link rel=\"stylesheet\"")
      out.attribute("href", root + "theme.css")
    }
    // Without an icon browsers request `/favicon.ico`. A template may have its own.
    if settings.template == nil {
      out.add(">\n<link rel=\"icon\"")
      out.attribute("href", Self.icon)
    }
    out.add(">\n<link rel=\"alternate\" type=\"application/atom+xml\"")
    out.attribute("title", settings.title)
    out.attribute("href", root + "feed.xml")
    out.add(">\n<script defer")
    out.attribute("src", root + "site.js")
    out.attribute("data-root", root)
    out.attribute("data-previews", String(previews))
    out.add("></script>\n")
  }

  private func writeHeader(_ root: String, _ out: inout MarkupWriter) {
    out.add(
      "<a class=\"skip\" href=\"#s:main\">Skip to the text</a>\n<header>\n<a class=\"home\" dir=\"auto\""
    )
    out.attribute("href", root + "index.html")
    out.add(">")
    out.text(settings.title)
    out.add("</a>\n<nav aria-label=\"Site\">")
    link("Notes", root + "notes.html", &out)
    if hasTags { link("Tags", root + "tags.html", &out) }
    if hasGraph { link("Graph", root + "graph.html", &out) }
    if hasGraph { link("Changes", root + "changes.html", &out) }
    link("Feed", root + "feed.xml", &out)
    out.add(
      "</nav>\n<form role=\"search\" id=\"s:search\" hidden>\n<label for=\"s:query\">Search</label>"
    )
    out.add(
      "<input type=\"search\" id=\"s:query\" autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\""
    )
    out.add(" placeholder=\"Search: words, +tag\" aria-controls=\"s:found\" aria-keyshortcuts=\"/\">\n")
    out.add(
      "<div id=\"s:found\" hidden><p role=\"status\" id=\"s:count\"></p><ol id=\"s:list\"></ol></div>\n</form>\n</header>\n"
    )
  }

  private func link(_ text: StaticString, _ address: String, _ out: inout MarkupWriter) {
    out.add("<a")
    out.attribute("href", address)
    out.add(">")
    out.add(text)
    out.add("</a> ")
  }
}

/// The facts in the head of a page, for search engines, messengers and readers of feeds.
struct PageFacts {
  var description = ""
  /// The address of a picture, from the root of the site.
  var image: String?
  /// The times of a note.
  var created: Timestamp?
  var modified: Timestamp?
  /// The path of the page that search engines list in place of this one; nil for this one.
  var canonical: [UInt8]?
  /// Whether it is the page for addresses that have none.
  var isMissing = false
  /// The feed of the page beside that of the site, from the root of the site.
  var feed: String?
  /// The way from the front page to the page: texts and addresses from the root of the site.
  var crumbs: [(text: String, address: String)] = []

  private static let longest = 200

  init() {}

  /// The facts of a note's page.
  init(_ contents: SiteContents, _ number: Int) {
    let note = contents.notes[number]
    let entry = contents.entry(number)
    created = entry.created
    modified = note.modified
    description = Self.description(of: number, in: contents)
    for connection in contents.connections(of: number) {
      guard case .file(let path) = connection.target, let file = contents.map.files[path],
        file.media == .image
      else { continue }
      image = SafeAddress.path(file.copy)
      break
    }
    crumbs = [("Notes", SafeAddress.path(SiteNames.all()))]
    if note.kind != "note" {
      crumbs.append((note.kind, SafeAddress.path(SiteNames.kind(note.kind))))
    }
  }

  /// The description of a note in a field that its page shows, else the first lines of its text.
  static func description(of number: Int, in contents: SiteContents) -> String {
    let note = contents.entry(number).note
    let own = note.frontMatter.fields.first { field in
      ["description", "summary"].contains(where: field.name.isSameName) && contents.shows(field, of: number)
    }
    if let text = own?.value.text, !text.isEmpty { return cut(plain(Array(text.utf8))) }
    let connections = contents.hidden.isEmpty ? [] : contents.connections(of: number)
    return description(PublicText(note, connections, contents.hidden).text)
  }

  /// The first paragraph of a text without markup, cut behind a word; the first items of lists in a text without a paragraph.
  static func description(_ text: NoteText) -> String {
    var bytes = text.bytes
    for place in UnshownText(text).all.joined() where bytes[place] != 0x0A { bytes[place] = 0x20 }
    var (paragraph, items) = ([UInt8](), [[UInt8]]())
    var isCode = false
    for line in bytes[text.body].split(separator: 0x0A, omittingEmptySubsequences: false).prefix(200) {
      let line = line.drop { $0 <= 0x20 }
      if line.starts(with: "```".utf8) || line.starts(with: "~~~".utf8) { isCode.toggle() }
      if !paragraph.isEmpty, ShownText.underlines(line) {
        paragraph = []
        continue
      }
      let item = isCode ? nil : ShownText.item(line)
      if let item, paragraph.isEmpty, !item.isEmpty { items.append(withoutBlock(item)) }
      let isText = !isCode && item == nil && ShownText.isParagraph(line)
      if isText { paragraph += withoutBlock(line) + [0x20] } else if !paragraph.isEmpty { break }
      if paragraph.count > 4 * longest || items.count > longest { break }
    }
    if paragraph.isEmpty { paragraph = Array(items.joined(separator: Array(" \u{B7} ".utf8))) }
    return cut(plain(ShownText.withoutLabels(Array(paragraph.prefix(8 * longest)), of: text)))
  }

  private static func plain(_ markdown: [UInt8]) -> String {
    PlainText.of(ShownText.withoutHighlights(markdown))
  }

  /// A line without the name of a block at its end.
  private static func withoutBlock(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard let mark = line.lastIndex(of: UInt8(ascii: "^")), mark > line.startIndex, line[mark - 1] == 0x20
    else { return Array(line) }
    let name = line[(mark + 1)...].prefix { $0 > 0x20 }
    let isLast = line[name.endIndex...].allSatisfy { $0 <= 0x20 }
    return Array(isLast && !name.isEmpty ? line[..<mark] : line)
  }

  /// A text, cut behind a word if it is long.
  private static func cut(_ plain: String) -> String {
    guard plain.count > longest else { return plain }
    let start = plain.prefix(longest)
    let end = start.lastIndex(of: " ") ?? start.endIndex
    return start[..<end] + "\u{2026}"
  }
}
