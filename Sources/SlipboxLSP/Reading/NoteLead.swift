import Notes
import SlipboxCore

/// The beginning of a note or of a section, long enough to show a reader its subject.
enum NoteLead {
  /// So many lines and bytes are shown at most.
  private static let (mostLines, mostBytes) = (12, 800)

  /// The first paragraphs of a note, without the heading that is its title.
  static func of(_ text: NoteText) -> ArraySlice<UInt8> {
    let headings = BodyHeading.all(in: text)
    var start = text.body.lowerBound
    var rest = headings[...]
    // Headings with nothing between them say less than the text below.
    while let heading = rest.first, isBlank(text.bytes[start..<heading.lines.lowerBound]) {
      start = heading.lines.upperBound
      rest = rest.dropFirst()
    }
    let end = rest.first?.lines.lowerBound ?? text.body.upperBound
    return beginning(of: text, start..<max(start, end))
  }

  /// The beginning of a section, without its heading.
  static func of(section number: Int, _ anchors: HeadingAnchors, _ text: NoteText) -> ArraySlice<UInt8> {
    let start = anchors.headings[number].lines.upperBound
    return beginning(of: text, start..<max(start, end(ofSection: number, anchors, text)))
  }

  /// The line of a block.
  static func of(block range: Range<Int>, _ text: NoteText) -> ArraySlice<UInt8> {
    var start = range.lowerBound
    while start > 0, text.bytes[start - 1] != 0x0A { start -= 1 }
    return beginning(of: text, start..<range.lowerBound)
  }

  /// The end of the section of a heading: the next heading that is not below it.
  static func end(ofSection number: Int, _ anchors: HeadingAnchors, _ text: NoteText) -> Int {
    let next = anchors.section(of: number).upperBound
    return next < anchors.headings.count ? anchors.headings[next].lines.lowerBound : text.body.upperBound
  }

  /// The first lines of a stretch; code that is cut is closed.
  private static func beginning(of text: NoteText, _ stretch: Range<Int>) -> ArraySlice<UInt8> {
    let bytes = text.bytes
    var (start, end) = (stretch.lowerBound, stretch.lowerBound)
    while start < stretch.upperBound, bytes[start] == 0x0A || bytes[start] == 0x0D { start += 1 }
    end = start
    var lines = 0
    while end < stretch.upperBound, lines < mostLines, end - start < mostBytes {
      end = bytes[end..<stretch.upperBound].firstIndex(of: 0x0A).map { $0 + 1 } ?? stretch.upperBound
      lines += 1
    }
    if end - start > 2 * mostBytes {
      end = start + 2 * mostBytes
      while end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    let isCut = end < stretch.upperBound && !isBlank(bytes[end..<stretch.upperBound])
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    var shown = bytes[start..<end]
    if isCut { shown += Array("\n".utf8) + closing(in: text, at: end) + Array("…".utf8) }
    return shown
  }

  /// The fence that closes the code which an offset is in, with its line ends.
  private static func closing(in text: NoteText, at offset: Int) -> [UInt8] {
    guard
      let fence = FencedCode.all(in: text).first(where: { $0.lowerBound < offset && offset < $0.upperBound })
    else { return [0x0A] }
    let mark = text.bytes[fence.lowerBound]
    return Array(text.bytes[fence].prefix { $0 == mark }) + [0x0A, 0x0A]
  }

  private static func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { $0 <= 0x20 } }
}

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

  /// Joins parts of a text, with a rule between them if the client draws one.
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

/// Adds the details to an item of completion that are too large to send with all items.
struct CompletionResolution {
  private let request: Request

  init(_ request: Request) { self.request = request }

  /// The item with the beginning of the note that it is of.
  func resolved(_ item: CompletionItem) throws -> CompletionItem {
    guard let uri = item.data?.uri, let path = DocumentURI.path(uri),
      let (box, relative) = request.boxes.box(of: path)
    else { return item }
    guard let note = try request.view(of: box).snapshot.note(at: relative) else { return item }
    let formats = request.client.capabilities.completionFormats
    let lead = MarkdownWriter(formats: formats).excerpt(NoteLead.of(try note.text))
    var item = item
    if !lead.isEmpty { item.documentation = Markup(lead, formats: formats) }
    return item
  }
}
