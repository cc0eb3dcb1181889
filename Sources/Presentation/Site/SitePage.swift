/// A file of a site: its path, and what it is made of.
package struct SitePage: Sendable {
  enum Content: Sendable {
    case front
    case note(Int)
    /// All notes, a stretch of them to a page.
    case notes(page: Int)
    case tags
    case tag(TagPages.Tag, page: Int)
    case kind(KindPages.Kind, page: Int)
    case graph
    case feed
    /// A file of the box, copied.
    case copy([UInt8])
    /// Bytes that are known.
    case bytes([UInt8])
    /// A file of the search, by its number.
    case words(Int)
  }

  package let path: [UInt8]
  let content: Content

  init(_ path: [UInt8], _ content: Content) {
    self.path = path
    self.content = content
  }

  init(_ path: String, _ content: Content) { self.init(Array(path.utf8), content) }
}
