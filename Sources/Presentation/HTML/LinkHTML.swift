import Bytes

/// Links as HTML.
enum LinkHTML {
  /// Writes a link with its text; what leads nowhere is text.
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

  /// The address as it may stand in a link; nil where it has no scheme that is known to be harmless.
  package static func external(_ address: [UInt8]) -> String? {
    guard address.count <= longest, let colon = address.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(decoding: address[..<colon], as: UTF8.self).lowercased()
    guard schemes.contains(scheme) else { return nil }
    return encoded(address, keeping: ":/?#[]@!$&'()*+,;=%")
  }

  /// The address as it may open beside a page that has more to lose than a site; nil where it is none of the web or of mail.
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

  /// A name as what follows `#`.
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

  /// Where `http` or `https` begins before a colon that `//` follows.
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

  /// The end of an address, without what ends a sentence rather than it, and without a parenthesis that was not opened in it.
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
