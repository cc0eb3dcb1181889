import Notes

/// What stands around the text of every page: the head, the way to the other pages, the search.
struct PageFrame: Sendable {
  let settings: SiteSettings
  let hasTags: Bool
  let hasGraph: Bool

  /// Only scripts, styles and pictures of the site itself; nothing from elsewhere, nothing written into a page.
  private static let policy: StaticString =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'"

  /// The bytes of a page.
  ///
  /// - Parameters:
  ///   - path: its path in the site.
  ///   - body: writes what stands in `<main>`.
  func page(_ path: [UInt8], title: String, _ body: (inout MarkupWriter) -> Void) -> [UInt8] {
    let root = SiteNames.root(from: path)
    var out = MarkupWriter()
    writeHead(title, root, &out)
    writeHeader(root, &out)
    out.add("<main id=\"s:main\">\n")
    body(&out)
    out.add("</main>\n</body>\n</html>\n")
    return out.bytes
  }

  private func writeHead(_ title: String, _ root: String, _ out: inout MarkupWriter) {
    out.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    out.add("<meta http-equiv=\"Content-Security-Policy\" content=\"")
    out.add(Self.policy)
    out.add("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    out.add(
      "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"slip\">\n<title>")
    out.text(title)
    out.add("</title>\n<link rel=\"stylesheet\"")
    out.attribute("href", root + "site.css")
    out.add(">\n<link rel=\"alternate\" type=\"application/atom+xml\"")
    out.attribute("title", settings.title)
    out.attribute("href", root + "feed.xml")
    out.add(">\n<script defer")
    out.attribute("src", root + "site.js")
    out.attribute("data-root", root)
    out.add("></script>\n</head>\n")
  }

  private func writeHeader(_ root: String, _ out: inout MarkupWriter) {
    out.add(
      "<body>\n<a class=\"skip\" href=\"#s:main\">Skip to the text</a>\n<header>\n<a class=\"home\" dir=\"auto\""
    )
    out.attribute("href", root + "index.html")
    out.add(">")
    out.text(settings.title)
    out.add("</a>\n<nav aria-label=\"Site\">")
    link("Notes", root + "notes.html", &out)
    if hasTags { link("Tags", root + "tags.html", &out) }
    if hasGraph { link("Graph", root + "graph.html", &out) }
    link("Feed", root + "feed.xml", &out)
    out.add("</nav>\n<form role=\"search\" id=\"s:search\" hidden>\n<label for=\"s:query\">Search</label>")
    out.add(
      "<input type=\"search\" id=\"s:query\" autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\""
    )
    out.add(" placeholder=\"words, +tag\" aria-controls=\"s:found\" aria-keyshortcuts=\"/\">\n")
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

/// The front page: the kinds, the newest notes, the tags.
struct FrontPage {
  let site: Site
  let marks: NoteMarks

  private static let newest = 30
  /// So many tags stand on the front page, those of the most notes.
  private static let mostTags = 60

  func write(_ out: inout MarkupWriter) {
    let contents = marks.contents
    out.add("<h1 dir=\"auto\">")
    out.text(site.settings.title)
    out.add("</h1>\n<p class=\"counts\">")
    write(contents.notes.count, "note", "notes", "notes.html", &out)
    for kind in site.kinds.kinds where kind.name != "note" {
      out.add(" <span class=\"dot\">\u{B7}</span> ")
      writeKind(kind, &out)
    }
    out.add("</p>\n")
    let item = NoteItem(contents: contents, marks: marks)
    if !contents.notes.isEmpty {
      out.add(
        "<section aria-labelledby=\"s:newest\">\n<h2 id=\"s:newest\">Newest</h2>\n<ul class=\"notes\">\n")
      for number in contents.notes.indices.prefix(Self.newest) { item.write(number, &out) }
      out.add("</ul>\n</section>\n")
    }
    writeTags(&out)
  }

  private func write(
    _ count: Int, _ one: StaticString, _ many: StaticString, _ page: StaticString, _ out: inout MarkupWriter
  ) {
    out.add("<a href=\"")
    out.add(page)
    out.add("\">")
    out.add(number: count)
    out.add(" ")
    out.add(count == 1 ? one : many)
    out.add("</a>")
  }

  private func writeKind(_ kind: KindPages.Kind, _ out: inout MarkupWriter) {
    out.add("<a")
    out.attribute("href", SafeAddress.path(SiteNames.kind(kind.name)))
    out.add(">")
    out.text("\(kind.name) \(kind.notes.count)")
    out.add("</a>")
  }

  private func writeTags(_ out: inout MarkupWriter) {
    let tags = site.tags.tags
    guard !tags.isEmpty else { return }
    let least = tags.map(\.notes.count).sorted(by: >).prefix(Self.mostTags).last ?? 0
    out.add("<section aria-labelledby=\"s:tags\">\n<h2 id=\"s:tags\">Tags</h2>\n<p class=\"tags\">\n")
    for tag in tags.filter({ $0.notes.count >= least }).prefix(Self.mostTags) {
      ListPages.writeTag(tag, marks, &out)
      out.add("\n")
    }
    out.add("</p>\n")
    if tags.count > Self.mostTags {
      out.add("<p><a href=\"tags.html\">All tags</a></p>\n")
    }
    out.add("</section>\n")
  }
}
