import Notes

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
