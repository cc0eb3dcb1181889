/// Lists that are too long for one page.
enum PagedList {
  /// The rows of a page.
  static let length = 500

  /// How many pages a number of rows takes, one at least.
  static func pages(of count: Int) -> Int { max(1, (count + length - 1) / length) }

  /// The rows on a page.
  static func rows(_ page: Int, of count: Int) -> Range<Int> {
    (page * length)..<min(count, (page + 1) * length)
  }

  /// Writes the way to the other pages, where there are any.
  ///
  /// - Parameter path: the path of a page by its number.
  static func write(
    _ page: Int, of count: Int, from root: String, path: (Int) -> [UInt8], _ out: inout MarkupWriter
  ) {
    let pages = pages(of: count)
    guard pages > 1 else { return }
    out.add("<nav class=\"pages\" aria-label=\"Pages\">")
    for number in 0..<pages {
      if number == page {
        out.add("<span aria-current=\"page\">")
        out.add(number: number + 1)
        out.add("</span> ")
      } else {
        out.add("<a")
        out.attribute("href", root + SafeAddress.path(path(number)))
        out.add(">")
        out.add(number: number + 1)
        out.add("</a> ")
      }
    }
    out.add("</nav>\n")
  }
}
