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
