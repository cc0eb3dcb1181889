import Notes
import SlipboxCore

/// The front page: the home note if there is one, the kinds, the newest notes, the tags.
struct FrontPage {
  let site: Site
  let marks: NoteMarks

  static let newest = 30
  /// The largest number of tags on the front page, those of the most notes.
  private static let mostTags = 60

  func write(_ out: inout MarkupWriter) {
    let contents = marks.contents
    if let home = contents.home {
      NotePage(contents: contents, marks: marks, number: home).writeText(&out)
    } else {
      out.add("<h1 dir=\"auto\">")
      out.text(site.settings.title)
      out.add("</h1>\n")
    }
    out.add("<p class=\"counts\">")
    write(contents.notes.count, "note", "notes", "notes.html", &out)
    for kind in site.kinds.kinds where kind.name != "note" {
      out.add(" <span class=\"dot\">\u{B7}</span> ")
      writeKind(kind, &out)
    }
    out.add("</p>\n")
    let item = NoteItem(contents: contents, marks: marks)
    if !contents.notes.isEmpty {
      out.add(
        "<section aria-labelledby=\"s:newest\">\n<h2 id=\"s:newest\">Newest</h2>\n<ul class=\"notes\">\n"
      )
      for number in contents.notes.indices.prefix(Self.newest) { item.write(number, &out) }
      out.add("</ul>\n</section>\n")
    }
    writeTags(&out)
  }

  private func write(
    _ count: Int, _ one: StaticString, _ many: StaticString, _ page: StaticString,
    _ out: inout MarkupWriter
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
    out.add(
      "<section aria-labelledby=\"s:tags\">\n<h2 id=\"s:tags\">Tags</h2>\n<p class=\"tags\">\n")
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

extension SiteContents {
  /// The names of the note that is on the front page if no note has `permalink: /`, the first that is there.
  private static let homeNames = ["readme.md", "index.md", "_index.md"]

  /// The number of the note at the root of the box whose name is that of a home page; nil without such a note.
  static func home(_ paths: some Collection<[UInt8]>) -> Int? {
    var named: [String: Int] = [:]
    for (number, path) in paths.enumerated() where path.count < 16 && !path.contains(UInt8(ascii: "/")) {
      let name = String(decoding: path, as: UTF8.self).lowercased()
      if homeNames.contains(name), named[name] == nil { named[name] = number }
    }
    return homeNames.compactMap { named[$0] }.first
  }
}
