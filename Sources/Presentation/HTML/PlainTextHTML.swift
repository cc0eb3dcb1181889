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
