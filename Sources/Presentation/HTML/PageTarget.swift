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
  /// A note, by its id or path, where a program shows it; `part` is the heading that the link names, `state` the state
  /// of the record, such as `open, due Fri`.
  case note(String, part: String? = nil, state: String? = nil)
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
    /// An embedded note or a part of it, already written, with the text and the target of a link to it.
    case transclusion(String, PageTarget, MarkupWriter)
    /// The target of a link of Markdown, of an image, or of a definition.
    case target(PageTarget)
    case tag(String, address: String?)
    /// The name of a block, with its `^`; an empty one is not shown.
    case block(String)
    /// `==` at one end of a highlight.
    case highlight(isOpening: Bool)
    /// Math as it is written, with its signs.
    case math(isBlock: Bool)
    /// A footnote in its place: `^[text]`.
    case footnote
    /// The head of a callout: its type, and whether it is open; nil for one that can't be folded.
    case callout(String, isOpen: Bool?)
    /// A target that never appears on the page, not even where HTML is shown as text.
    case hidden
  }

  /// The bytes in the file.
  let range: Range<Int>
  let content: Content
}

/// Embedded files as HTML: nothing is fetched from elsewhere.
enum EmbedHTML {
  /// Writes a file of the site as what it is, and anything else as a link.
  ///
  /// - Parameters:
  ///   - label: the text to read in its place.
  ///   - size: a width in pixels, or a width and a height with `x` between them.
  static func write(
    _ label: String, _ target: PageTarget, size: String?, title: String = "",
    _ out: inout MarkupWriter
  ) {
    if case .attachment(let path, .image) = target {
      out.add("<img")
      out.attribute("data-file", String(decoding: path, as: UTF8.self))
      out.attribute("alt", label)
      if !title.isEmpty { out.attribute("title", title) }
      return writeEnd(size, &out)
    }
    guard case .file(let address, let media) = target, media != .other else {
      return LinkHTML.write(named(label, target), target, &out)
    }
    switch media {
    case .audio: out.add("<audio controls preload=\"none\"")
    case .video: out.add("<video controls preload=\"none\"")
    case .image, .other: out.add("<img loading=\"lazy\"")
    }
    out.attribute("src", address)
    if media == .image { out.attribute("alt", label) } else { out.attribute("aria-label", label) }
    if !title.isEmpty { out.attribute("title", title) }
    writeEnd(size, &out)
    if media == .audio { out.add("</audio>") }
    if media == .video { out.add("</video>") }
  }

  private static func writeEnd(_ size: String?, _ out: inout MarkupWriter) {
    if let (width, height) = size.flatMap(pixels) {
      out.attribute("width", String(width))
      if let height { out.attribute("height", String(height)) }
    }
    out.add(">")
  }

  /// The text of a link in the place of an image without one.
  private static func named(_ label: String, _ target: PageTarget) -> String {
    guard label.isEmpty else { return label }
    switch target {
    case .url(let url), .tab(let url): return String(decoding: url.prefix(200), as: UTF8.self)
    case .page(let address), .file(let address, _): return address
    case .note(let name, _, _), .missing(let name), .missingFile(let name): return name
    case .attachment(let path, _): return String(decoding: path, as: UTF8.self)
    case .text, .broken: return "image"
    }
  }

  private static func pixels(_ size: String) -> (width: Int, height: Int?)? {
    let numbers = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard (1...2).contains(numbers.count), numbers.allSatisfy({ (1...10_000).contains($0) }) else {
      return nil
    }
    return (numbers[0], numbers.count == 2 ? numbers[1] : nil)
  }
}

extension PageTarget {
  /// Whether it is an image that is here.
  var isImage: Bool {
    switch self {
    case .file(_, .image), .attachment(_, .image): true
    default: false
    }
  }
}
