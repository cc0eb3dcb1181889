/// An element of raw HTML that a page may have: one without attributes that only changes how its text looks.
struct RawElement {
  let name: String
  let isClosing: Bool

  private static let names: Set<String> = ["kbd", "sub", "sup", "mark", "u", "s", "b", "i", "small"]

  /// Reads a tag; nil for any that a page does not have.
  init?(_ tag: [UInt8]) {
    guard tag.first == UInt8(ascii: "<"), tag.last == UInt8(ascii: ">"), tag.count < 12 else { return nil }
    let inner = String(decoding: tag[1..<tag.count - 1], as: UTF8.self).lowercased()
    isClosing = inner.hasPrefix("/")
    name = isClosing ? String(inner.dropFirst()) : inner
    guard Self.names.contains(name) else { return nil }
  }

  static func open(_ name: String, _ out: inout MarkupWriter) {
    out.add("<")
    out.text(name)
    out.add(">")
  }

  static func close(_ name: String, _ out: inout MarkupWriter) {
    out.add("</")
    out.text(name)
    out.add(">")
  }
}
