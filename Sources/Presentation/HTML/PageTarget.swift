/// What a link of a note leads to on a page.
enum PageTarget: Sendable {
  /// A page of the site or a place in one, by its address, escaped for a link.
  case page(String)
  /// A file that was copied into the site, by its address.
  case file(String, Media)
  /// An address elsewhere, as it is written.
  case url([UInt8])
  /// Nothing that the site has: the link is its text.
  case text
  /// Nothing that is there.
  case broken
  /// A note, by its id or path, where a program shows it; `part` is the heading that the link names.
  case note(String, part: String? = nil)
  /// A note that is not there, by the name that is written, where a program can make it.
  case missing(String)
  /// A file that is not there, by the name that is written.
  case missingFile(String)
  /// A file of the box, where a program fetches it.
  case attachment([UInt8], Media)
  /// An address elsewhere, which opens beside the page.
  case tab([UInt8])

  /// How a file can be shown.
  enum Media: Sendable {
    case image, audio, video, other
  }
}

/// A part of a body that is more on a page than what Markdown makes of it.
struct BodyMark: Sendable {
  enum Content: Sendable {
    /// A wiki link with the text to read.
    case link(String, PageTarget)
    /// An embedded file or note with the text to read, and what is said of its size.
    case embed(String, PageTarget, size: String?)
    /// The target of a link of Markdown, of an image, or of a definition.
    case target(PageTarget)
    case tag(String, address: String?)
    /// The name of a block, with its `^`; an empty one is not shown.
    case block(String)
  }

  /// The bytes in the file.
  let range: Range<Int>
  let content: Content
}
