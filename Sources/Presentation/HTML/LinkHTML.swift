import Bytes

/// Links as HTML.
enum LinkHTML {
  /// Writes a link with its text; a broken link is text.
  static func write(_ label: String, _ target: PageTarget, _ out: inout MarkupWriter) {
    if case .broken = target {
      out.add("<span class=\"broken\">")
      out.text(label)
      return out.add("</span>")
    }
    let isOpen = open(target, title: "", &out)
    out.text(label)
    if isOpen { out.add("</a>") }
  }

  /// Begins a link; says whether there is one to be ended.
  static func open(_ target: PageTarget, title: String, _ out: inout MarkupWriter) -> Bool {
    switch target {
    case .page(let address), .file(let address, _):
      out.add("<a")
      out.attribute("href", address)
    case .url(let url):
      guard let address = SafeAddress.external(url) else { return false }
      out.add("<a class=\"external\" rel=\"noopener noreferrer\"")
      out.attribute("href", address)
    case .tab(let url):
      guard let address = SafeAddress.forTab(url) else { return false }
      out.add("<a class=\"external\" rel=\"noopener noreferrer\" target=\"_blank\"")
      out.attribute("href", address)
    case .note(let ref, let part, let state):
      out.add("<a")
      out.attribute("href", "#/note/" + SafeAddress.fragment(Array(ref.utf8)))
      out.attribute("data-note", ref)
      if let part { out.attribute("data-part", part) }
      if let state { out.attribute("data-state", state) }
    case .missing(let name):
      out.add("<a class=\"missing\"")
      out.attribute("data-missing", name)
    case .missingFile(let name):
      out.add("<a class=\"missing\"")
      out.attribute("data-missing-file", name)
    case .attachment(let path, _):
      out.add("<a")
      out.attribute("data-file", String(decoding: path, as: UTF8.self))
    case .text, .broken: return false
    }
    if !title.isEmpty { out.attribute("title", title) }
    out.add(">")
    return true
  }

  /// Writes a tag of running text.
  static func writeTag(_ name: String, _ address: String?, _ out: inout MarkupWriter) {
    if let address {
      out.add("<a class=\"tag\"")
      out.attribute("href", address)
      out.add(">#")
      out.text(name)
      out.add("</a>")
    } else {
      out.add("#")
      out.text(name)
    }
  }
}

/// Addresses in links: those of a scheme that runs nothing, with all that is no part of an address percent-encoded.
package enum SafeAddress {
  private static let schemes: Set<String> = [
    "http", "https", "mailto", "tel", "sms", "ftp", "ftps", "sftp", "irc", "ircs", "xmpp", "matrix", "geo",
    "magnet",
    "gemini", "gopher", "news", "nntp", "webcal", "doi", "urn", "zotero",
  ]

  private static let longest = 8_192
  private static let tabSchemes = ["http", "https", "mailto"]

  /// The address as a link may contain it; nil if it has no scheme that is known to be harmless.
  package static func external(_ address: [UInt8]) -> String? {
    guard address.count <= longest, let colon = address.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(decoding: address[..<colon], as: UTF8.self).lowercased()
    guard schemes.contains(scheme) else { return nil }
    return encoded(address, keeping: ":/?#[]@!$&'()*+,;=%")
  }

  /// The address if it may be opened beside the page, which has more to lose than a site; nil unless it is of the web or
  /// mail.
  static func forTab(_ address: [UInt8]) -> String? {
    guard let safe = external(address), let colon = safe.firstIndex(of: ":") else { return nil }
    return tabSchemes.contains(safe[..<colon].lowercased()) ? safe : nil
  }

  /// Whether the address of a place elsewhere is that of a web page.
  static func isWeb(_ address: [UInt8]) -> Bool {
    let start = String(decoding: address.prefix(8), as: UTF8.self).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }

  /// A path as a relative address.
  static func path(_ path: [UInt8]) -> String { encoded(path, keeping: "/!$'()*+,=@") }

  /// A name as the fragment of an address, after `#`.
  static func fragment(_ name: [UInt8]) -> String { encoded(name, keeping: "/!$'()*+,=@:?") }

  /// A query with its mark, as it is written in a link.
  static func query(_ query: [UInt8]) -> String { encoded(query, keeping: "/!$'()*+,=@:?&;%") }

  private static func encoded(_ bytes: [UInt8], keeping others: StaticString) -> String {
    let kept = UnsafeBufferPointer(start: others.utf8Start, count: others.utf8CodeUnitCount)
    let encoded = PercentEncoding.encoded(bytes) { PercentEncoding.isUnreserved($0) || kept.contains($0) }
    return String(decoding: encoded, as: UTF8.self)
  }
}

/// Text in which bare addresses of web pages become links.
enum PlainTextHTML {
  /// - Complexity: O(n).
  ///
  /// - Parameter opensTabs: whether they open beside the page.
  static func write(
    _ text: ArraySlice<UInt8>, linking: Bool, opensTabs: Bool = false, _ out: inout MarkupWriter
  ) {
    var (start, position) = (text.startIndex, text.startIndex)
    while linking, let colon = text[position...].firstIndex(of: UInt8(ascii: ":")) {
      position = colon + 1
      guard let begin = begin(of: colon, in: text[start...]) else { continue }
      let end = end(from: begin, in: text)
      let address = Array(text[begin..<end])
      guard end > colon + 3, let link = SafeAddress.external(address) else { continue }
      out.text(Array(text[start..<begin]))
      out.add("<a class=\"external\" rel=\"noopener noreferrer\"")
      if opensTabs { out.add(" target=\"_blank\"") }
      out.attribute("href", link)
      out.add(">")
      out.text(address)
      out.add("</a>")
      (start, position) = (end, end)
    }
    out.text(Array(text[start...]))
  }

  /// The start of `http` or `https` before a colon that `//` follows.
  private static func begin(of colon: Int, in text: ArraySlice<UInt8>) -> Int? {
    guard text[colon...].starts(with: "://".utf8) else { return nil }
    for scheme in ["https", "http"] {
      let begin = colon - scheme.utf8.count
      guard begin >= text.startIndex, text[begin..<colon].elementsEqual(scheme.utf8) else { continue }
      let isBegun = begin == text.startIndex || !isWord(text[begin - 1])
      if isBegun { return begin }
    }
    return nil
  }

  /// The end of an address, without the punctuation of the sentence, and without a closing parenthesis that it does not
  /// open.
  private static func end(from begin: Int, in text: ArraySlice<UInt8>) -> Int {
    var end = begin
    var surplus = 0
    while end < text.endIndex, text[end] > 0x20, text[end] != UInt8(ascii: "<"),
      text[end] != UInt8(ascii: "\"")
    {
      if text[end] == UInt8(ascii: ")") { surplus += 1 }
      if text[end] == UInt8(ascii: "(") { surplus -= 1 }
      end += 1
    }
    while end > begin {
      let last = text[end - 1]
      let isParenthesis = last == UInt8(ascii: ")") && surplus > 0
      guard isParenthesis || ".,;:!?'*]}".utf8.contains(last) else { break }
      if isParenthesis { surplus -= 1 }
      end -= 1
    }
    return end
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}

/// The target of a note's link on a page.
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
  /// A note, by its id or path, for a program that can show it; `part` is the heading that the link names, `state` the
  /// state of the record, such as `open, due Fri`.
  case note(String, part: String? = nil, state: String? = nil)
  /// A missing note, by the written name, for a program that can create it.
  case missing(String)
  /// A file that is not there, by the name that is written.
  case missingFile(String)
  /// A file of the box, for a program that fetches it.
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
    /// An embedded file or note with its alternative text, and its size as written.
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
    /// The box of a list item with another sign than a blank and `x`, such as `[/]`; its line in the body if a program ticks
    /// boxes.
    case box(String, line: Int?)
    /// An open or a done box that cmark leaves as text; its line in the body if a program ticks boxes.
    case checkBox(isDone: Bool, line: Int?)
    /// A target that never appears on the page, not even where HTML is shown as text.
    case hidden
  }

  /// The bytes in the file.
  let range: Range<Int>
  let content: Content
}

/// Embedded files as HTML: nothing is fetched from elsewhere.
enum EmbedHTML {
  /// Writes a file of the site by its type, and anything else as a link.
  ///
  /// - Parameters:
  ///   - label: the alternative text.
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
