import NoteIndex
import Notes
import SlipboxCore

/// The words of a note that its page shows: the rest is markup.
enum ShownText {
  /// The bytes of a body that no page shows, by their beginnings: targets and titles of links, names behind labels,
  /// definitions, labels of footnotes, names of blocks, attributes of headings, and info strings of fences.
  ///
  /// - Complexity: that of a few scans of the body.
  static func holes(in text: NoteText) -> [Range<Int>] {
    let body = text.bytes[text.body]
    var holes: [Range<Int>] = []
    if body.contains(UInt8(ascii: "[")) {
      holes += BodyScan(text).links.flatMap { self.holes(of: $0, in: text.bytes) }
      holes += labels(in: text)
    }
    holes += UnshownText(text).all
    if body.contains(UInt8(ascii: "[")) { holes += calloutMarks(in: text) }
    if body.contains(UInt8(ascii: "^")) { holes += BlockNames.all(in: text).map(\.range) }
    if body.contains(UInt8(ascii: "{")) { holes += NoteParts(text).headings.attributes }
    if body.contains(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "~") }) {
      holes += FencedCode.all(in: text).map { fence in
        let line = text.bytes[fence].prefix { $0 != 0x0A }
        return line.startIndex..<line.endIndex
      }
    }
    return holes.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The marks of callouts, such as `[!note|right]-`.
  private static func calloutMarks(in text: NoteText) -> [Range<Int>] {
    let bytes = text.bytes[text.body]
    return bytes.split(separator: 0x0A).compactMap { line in
      let rest = line.drop { "> \t-*+".utf8.contains($0) }
      guard line.prefix(while: { $0 <= 0x20 || $0 == UInt8(ascii: ">") }).contains(UInt8(ascii: ">")),
        rest.starts(with: "[!".utf8), let end = rest.firstIndex(of: UInt8(ascii: "]"))
      else { return nil }
      return rest.startIndex..<end + 1
    }
  }

  private static func holes(of link: BodyScan.Link, in bytes: [UInt8]) -> [Range<Int>] {
    switch link.form {
    case .wiki, .embed:
      let isEmbed = link.form == .embed
      let start = link.range.lowerBound + (isEmbed ? 3 : 2)
      let inner = bytes[start..<max(start, link.range.upperBound - 2)]
      guard let label = WikiLabels.parts(of: inner, isEmbed: isEmbed).label else { return [] }
      let isSize = isEmbed && WikiLabel.imageParts(String(decoding: label, as: UTF8.self)).text == nil
      if isSize { return [label.startIndex..<label.endIndex] }
      return [link.range.lowerBound..<label.startIndex, label.endIndex..<link.range.upperBound]
    case .markdown, .image:
      guard let place = LinkPlace(link, in: bytes) else { return [link.range] }
      return [place.target.lowerBound..<link.range.upperBound]
    case .reference: return [link.range]
    case .html, .path: return []
    }
  }

  /// The labels of links and of footnotes that a body defines.
  private static func labels(in text: NoteText) -> [Range<Int>] {
    let body = text.bytes[text.body]
    guard zip(body, body.dropFirst()).contains(where: { $0 == UInt8(ascii: "]") && $1 == UInt8(ascii: ":") })
    else { return [] }
    return used(BodyLabels(body), in: body)
  }

  /// The labels in brackets after the texts of links, and those of footnotes.
  private static func used(_ labels: BodyLabels, in body: ArraySlice<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = body.startIndex
    while let open = body[position...].firstIndex(of: UInt8(ascii: "[")) {
      position = open + 1
      guard let close = body[position...].firstIndex(where: { "[]\n".utf8.contains($0) }),
        body[close] == UInt8(ascii: "]")
      else { continue }
      let isNote = body[position] == UInt8(ascii: "^")
      let isSecond = open > body.startIndex && body[open - 1] == UInt8(ascii: "]")
      guard isNote || isSecond else { continue }
      let label = String(decoding: body[position..<close], as: UTF8.self).lowercased()
      if labels.definitions[label] != nil { found.append(open..<close + 1) }
      position = close
    }
    return found
  }

  /// The value of a field without the names behind the labels of wiki links.
  static func value(_ value: String) -> [UInt8] {
    var bytes = Array(value.utf8)
    guard value.utf8.contains(UInt8(ascii: "|")) else { return bytes }
    for link in FieldLinks.links(in: value).reversed() where link.form == .wiki || link.form == .embed {
      guard let label = WikiLabel(bytes[link.range]).text else { continue }
      bytes.replaceSubrange(link.range, with: label.utf8)
    }
    return bytes
  }

  /// The text of an item of a list that begins on a line, without its box; nil for another line.
  static func item(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let number = line.prefix { (0x30...0x39).contains($0) }
    let signs = number.isEmpty ? "-*+" : ".)"
    guard number.count < 10, let sign = line[number.endIndex...].first, signs.utf8.contains(sign) else {
      return nil
    }
    let rest = line[(number.endIndex + 1)...]
    guard rest.first.map({ $0 <= 0x20 }) ?? true else { return nil }
    let text = rest.drop { $0 <= 0x20 }
    let isBox = text.first == UInt8(ascii: "[") && text.dropFirst(2).first == UInt8(ascii: "]")
    return isBox && text.dropFirst(3).first == 0x20 ? text.dropFirst(4) : isRule(line) ? [] : text
  }

  /// Whether a line is text of a paragraph: no heading, quotation, table, rule, formula, HTML, embed or code.
  static func isParagraph(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, !isRule(line) else { return false }
    if line.starts(with: "```".utf8) || line.starts(with: "~~~".utf8) || line.starts(with: "$$".utf8) {
      return false
    }
    let end = line.last { $0 > 0x20 }
    if line.starts(with: "![".utf8), let end, "])".utf8.contains(end) { return false }
    return !"#>|<^".utf8.contains(first) && !line.starts(with: "[^".utf8)
  }

  /// Whether a line is a rule, or the line below a heading.
  private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    let signs = line.filter { $0 > 0x20 }
    return signs.count > 2 && "-*_".utf8.contains(signs[0]) && signs.allSatisfy { $0 == signs[0] }
      || underlines(line)
  }

  /// Whether a line makes a heading of the text above it.
  static func underlines(_ line: ArraySlice<UInt8>) -> Bool {
    var line = line
    while let last = line.last, last <= 0x20 { line.removeLast() }
    guard let first = line.first, "-=".utf8.contains(first) else { return false }
    return line.allSatisfy { $0 == first }
  }

  /// A text without the marks `==` around highlighted words.
  static func withoutHighlights(_ text: [UInt8]) -> [UInt8] {
    guard zip(text, text.dropFirst()).contains(where: { $0 == UInt8(ascii: "=") && $1 == $0 }) else {
      return text
    }
    var (result, position, isOpen) = ([UInt8](), 0, false)
    while position < text.count {
      let byte = text[position]
      let isMark = byte == UInt8(ascii: "=") && position + 1 < text.count && text[position + 1] == byte
      if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "\\") {
        // Code and escapes are shown as they are.
        let close = byte == UInt8(ascii: "`") ? text[(position + 1)...].firstIndex(of: byte) : position + 1
        let end = min((close ?? position) + 1, text.count)
        result += text[position..<end]
        position = end
      } else if isMark, isOpen ? text[position - 1] > 0x20 : opensHighlight(position, in: text) {
        isOpen.toggle()
        position += 2
      } else {
        result.append(byte)
        position += 1
      }
    }
    return result
  }

  private static func opensHighlight(_ mark: Int, in text: [UInt8]) -> Bool {
    let rest = text[(mark + 2)...]
    guard let first = rest.first, first > 0x20, first != UInt8(ascii: "=") else { return false }
    return zip(rest.dropFirst().indices, rest.dropFirst(2)).contains { place, next in
      next == UInt8(ascii: "=") && text[place] == next && text[place - 1] > 0x20
    }
  }

  /// A paragraph without the brackets of links whose labels a body defines, and without the labels behind their texts.
  static func withoutLabels(_ paragraph: [UInt8], of text: NoteText) -> [UInt8] {
    guard paragraph.contains(UInt8(ascii: "[")) else { return paragraph }
    let defined = BodyLabels(text.bytes[text.body]).definitions
    guard !defined.isEmpty else { return paragraph }
    func isDefined(_ label: Range<Int>) -> Bool {
      defined[String(decoding: paragraph[label], as: UTF8.self).lowercased()] != nil
    }
    var (open, holes) = ([Int](), [Range<Int>]())
    var position = 0
    while position < paragraph.count {
      let byte = paragraph[position]
      if byte == UInt8(ascii: "[") { open.append(position) }
      position += 1
      guard byte == UInt8(ascii: "]"), let start = open.popLast() else { continue }
      let close = position - 1
      let rest = paragraph[position...]
      if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")),
        isDefined(position + 1 == end ? start + 1..<close : position + 1..<end)
      {
        holes += [start..<start + 1, close..<end + 1]
        position = end + 1
      } else if rest.first != UInt8(ascii: "("), isDefined(start + 1..<close),
        paragraph[start + 1] != UInt8(ascii: "^")
      {
        holes += [start..<start + 1, close..<position]
      }
    }
    var result = paragraph
    for hole in holes.sorted(by: { $0.lowerBound > $1.lowerBound }) { result.removeSubrange(hole) }
    return result
  }
}
