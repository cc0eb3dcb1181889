/// Texts put into Markdown, or left as they are for clients that show plain texts.
struct MarkdownWriter {
  let isMarkdown: Bool

  /// - Parameter formats: those that the client reads.
  init(formats: [String]) { isMarkdown = formats.contains("markdown") }

  /// A text on one line in which nothing is markup.
  func plain(_ text: String) -> String {
    let line = String(String.UnicodeScalarView(text.unicodeScalars.map { Self.isControl($0) ? " " : $0 }))
    guard isMarkdown else { return line }
    var result = ""
    for scalar in line.unicodeScalars {
      if "\\`*_[]<>#|~&$!".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  func strong(_ text: String) -> String { isMarkdown ? "**\(plain(text))**" : plain(text) }
  func emphasis(_ text: String) -> String { isMarkdown ? "*\(plain(text))*" : plain(text) }

  /// Parts of a text below one another, with a line between them where the client draws one.
  func joined(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: isMarkdown ? "\n\n---\n\n" : "\n\n")
  }

  /// Lines below one another.
  func lines(_ lines: [String]) -> String {
    lines.filter { !$0.isEmpty }.joined(separator: isMarkdown ? "  \n" : "\n")
  }

  /// Lines as a list.
  func list(_ lines: [String]) -> String { lines.map { "- \($0)" }.joined(separator: "\n") }

  /// A piece of a note: its Markdown without control characters.
  func excerpt(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || !Self.isControl($0) }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      || [0x2028, 0x2029].contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}
