import NoteIndex
import Notes
import Synchronization

/// The newest notes, of all or of a tag, as a feed.
///
/// Source: RFC 4287. Addresses are whole if that of the site is known, else relative to the feed.
struct AtomFeed {
  let site: Site
  let marks: NoteMarks
  /// The tag of a feed; nil for the feed of the site, which has the whole texts.
  var tag: TagPages.Tag?

  static let newest = 30

  func bytes() -> [UInt8] {
    let contents = marks.contents
    let numbers = Array(
      tag?.notes.prefix(Self.newest) ?? Array(contents.notes.indices.prefix(Self.newest))[...])
    var out = MarkupWriter()
    out.add(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n")
    element(
      "title", tag.map { "#\($0.name) - \(site.settings.title)" } ?? site.settings.title, &out)
    element(
      "id", tag.map { feedID + SafeAddress.path(SiteNames.feed(ofTag: $0.name)) } ?? feedID, &out)
    let updated =
      numbers.map { contents.notes[$0].modified }.max() ?? Timestamp(seconds: 0, offsetSeconds: 0)
    element("updated", updated.rfc3339, &out)
    out.add("<author><name>")
    out.text(site.settings.author ?? site.settings.title)
    out.add(
      "</name></author>\n<generator>slip</generator>\n<link rel=\"alternate\" type=\"text/html\"")
    let page =
      tag.map { contents.address(ofTag: $0.name) }
      ?? (site.settings.address == nil ? "index.html" : "")
    out.attribute("href", marks.root + page)
    out.add("/>\n")
    if let address = site.settings.address {
      out.add("<link rel=\"self\" type=\"application/atom+xml\"")
      let path = tag.map { SafeAddress.path(SiteNames.feed(ofTag: $0.name)) } ?? "feed.xml"
      out.attribute("href", address + path)
      out.add("/>\n")
    }
    for number in numbers {
      if tag == nil {
        writeEntry(number, &out)
      } else {
        out.add(site.feedEntries.entry(number) { summary(number) })
      }
    }
    out.add("</feed>\n")
    return out.bytes
  }

  /// The address of the feed, else a name that follows from the site's title.
  private var feedID: String {
    site.settings.address ?? "urn:uuid:\(NoteUUID.named("site \(site.settings.title)"))"
  }

  /// The entry of a note in the feeds of its tags.
  private func summary(_ number: Int) -> MarkupWriter {
    var out = MarkupWriter()
    writeEntry(number, &out)
    return out
  }

  private func writeEntry(_ number: Int, _ out: inout MarkupWriter) {
    let contents = marks.contents
    let (note, entry) = (contents.notes[number], contents.entry(number))
    let address = marks.address(of: number)
    out.add("<entry>\n")
    element("title", note.title, &out)
    element("id", "urn:uuid:\(NoteUUID.of(entry.note, in: feedID))", &out)
    out.add("<link rel=\"alternate\" type=\"text/html\"")
    out.attribute("href", address)
    out.add("/>\n")
    element("published", entry.created.rfc3339, &out)
    element("updated", note.modified.rfc3339, &out)
    for tag in note.tags.prefix(NoteItem.mostTags) {
      out.add("<category")
      out.attribute("term", tag)
      out.add("/>\n")
    }
    guard tag == nil else {
      let description = PageFacts.description(of: number, in: contents)
      if !description.isEmpty { element("summary", description, &out) }
      return out.add("</entry>\n")
    }
    // Links of the text begin as those of the feed do.
    var html = MarkupWriter()
    var marks = marks
    if site.settings.address != nil { marks.anchorBase = address }
    NoteBody(entry.note, entry.note.textOrEmpty, marks, number: number).write(&html)
    out.add("<content type=\"html\">")
    out.text(html.bytes)
    out.add("</content>\n</entry>\n")
  }

  private func element(_ name: StaticString, _ text: String, _ out: inout MarkupWriter) {
    out.add("<")
    out.add(name)
    out.add(">")
    out.text(text)
    out.add("</")
    out.add(name)
    out.add(">\n")
  }
}

/// The entries of notes in the feeds of tags, each made once: a note is in the feeds of all its tags.
final class FeedEntries: Sendable {
  private let known = Mutex<[Int: MarkupWriter]>([:])

  /// The entry of the note of a number.
  func entry(_ number: Int, make: () -> MarkupWriter) -> MarkupWriter {
    if let entry = known.withLock({ $0[number] }) { return entry }
    let entry = make()
    known.withLock { $0[number] = entry }
    return entry
  }
}

/// The list of pages for search engines.
///
/// Source: sitemaps.org, protocol 0.9. A file has at most 50,000 addresses; a longer list has several files and an index.
struct Sitemap {
  static let longest = 50_000
  /// The address of the site.
  let address: String
  let pages: [(path: [UInt8], modified: Timestamp?)]

  /// How many files it takes besides an index; 0 if one file is enough.
  var parts: Int {
    pages.count <= Self.longest ? 0 : (pages.count + Self.longest - 1) / Self.longest
  }

  /// The path of a file of a long list.
  static func path(_ part: Int) -> String { "sitemap-\(part + 1).xml" }

  /// The bytes of `sitemap.xml`.
  func bytes() -> [UInt8] {
    guard parts > 0 else { return bytes(of: pages[...]) }
    return list("sitemapindex") { out in
      for part in 0..<parts {
        out.add("<sitemap><loc>")
        out.text(address + Self.path(part))
        out.add("</loc></sitemap>\n")
      }
    }
  }

  /// The bytes of a file of a long list.
  func bytes(part: Int) -> [UInt8] {
    bytes(of: pages.dropFirst(part * Self.longest).prefix(Self.longest))
  }

  private func bytes(of pages: ArraySlice<(path: [UInt8], modified: Timestamp?)>) -> [UInt8] {
    list("urlset") { out in
      for page in pages {
        out.add("<url><loc>")
        out.text(address + SafeAddress.path(PageFrame.canonical(page.path)))
        out.add("</loc>")
        if let modified = page.modified {
          out.add("<lastmod>")
          out.text(modified.rfc3339)
          out.add("</lastmod>")
        }
        out.add("</url>\n")
      }
    }
  }

  private func list(_ name: StaticString, _ body: (inout MarkupWriter) -> Void) -> [UInt8] {
    var out = MarkupWriter()
    out.add("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<")
    out.add(name)
    out.add(" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
    body(&out)
    out.add("</")
    out.add(name)
    out.add(">\n")
    return out.bytes
  }
}
