import Bytes
import Synchronization

/// The title's heading, the inline tags and the links of a note's body.
///
/// Code, HTML comments, the insides of scripts, styles and preformatted HTML, and lists that slip has written (`BakedBlock`)
/// are not read. Tags and links are in the
/// order of the text.
package struct BodyScan: Sendable {
  /// A link, an embedded file or image, or the definition of a link's target.
  package struct Link: Sendable, Equatable {
    /// How a link is written.
    package enum Form: String, Sendable {
      /// `[[target|label]]`
      case wiki
      /// `![[target]]`
      case embed
      /// `[label](target "title")`
      case markdown
      /// `![label](target "title")`
      case image
      /// `[label]: target "title"`, the definition at the beginning of a line
      case reference
      /// `<img src="target">` or `<a href="target">`, in sites also `{{< ref "target" >}}` and `{% link target %}`
      case html
      /// `cover: target`, a path to a file as the value of a field
      case path
    }

    package let form: Form
    /// The target as it is written, escapes included, without `<>`; of a wiki link the text before `|`.
    package let target: String
    /// The bytes of the whole link in the file; of HTML and of a path in a field the target alone.
    package let range: Range<Int>
    /// The line of the file in which it begins, from 1.
    package let line: Int
    /// Whether it is a reference of Hugo or Jekyll to a page, which a site can't be made without: `{{< ref "target" >}}`.
    package var isPageReference = false
  }

  /// A tag in the text, such as `#work/clients`.
  package struct InlineTag: Sendable, Equatable {
    /// The name without `#`.
    package let name: String
    /// The offset of its sign in the file, in bytes: `#`, or the colon before it.
    package let offset: Int

    /// The bytes of the tag in the file, its sign included.
    package var range: Range<Int> { offset..<(offset + 1 + name.utf8.count) }

    /// The bytes without which it is not a tag: `#`; between colons the whole tag, with both colons if it is the only one.
    func marks(in bytes: [UInt8]) -> Range<Int> {
      guard bytes[offset] == UInt8(ascii: ":") else { return offset..<(offset + 1) }
      let next = range.upperBound + 1
      let isAlone =
        (offset == 0 || bytes[offset - 1] <= 0x20) && (next >= bytes.count || bytes[next] <= 0x20)
      return isAlone ? offset..<min(next, bytes.count) : range
    }
  }

  /// An id of an element of HTML, which links can name.
  package struct Anchor: Sendable, Equatable {
    package let name: String
    /// The bytes of the tag in the file.
    package let range: Range<Int>
    /// The bytes of the tag that ends its element in the same paragraph; nil if there is none.
    package internal(set) var closing: Range<Int>?
    /// Whether it is that of an `<a>` without an address, or of a `<span>`: it shows nothing itself.
    package let isInvisible: Bool
  }

  package let heading: TitleHeading?
  package let tags: [InlineTag]
  /// The ids of HTML, in the order of the text.
  package let anchors: [Anchor]
  package let links: [Link]

  /// The formulas, in order. They hold no tags and no links.
  package let formulas: [Formula]

  /// Scans the body of a note.
  ///
  /// - Complexity: O(n) in the body's length, whatever it holds.
  package init(_ text: NoteText) {
    let found = Self.scan(text)
    heading = found.contents.heading
    let read = BodyComments.readable(text)
    let parts = read.map { Self.parts(Self.scan($0), of: $0) } ?? Self.parts(found, of: text)
    let baked = BakedBlock.all(in: text).map(\.content)
    tags = Self.outside(baked, parts.tags, \.range)
    links = Self.outside(baked, parts.links, \.range)
    (anchors, formulas) = (parts.anchors, parts.formulas)
  }

  private static func scan(_ text: NoteText) -> (contents: BodyContents, code: BodyCode.Ranges?) {
    let body = text.body
    return text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      let hasDollar = bytes.offset(of: UInt8(ascii: "$"), from: body.lowerBound, to: body.upperBound) != nil
      if hasDollar { (scanner.fences, scanner.inline.codeSpans) = ([], []) }
      scanner.scan(from: body.lowerBound)
      return (scanner.inline.found, hasDollar ? BodyCode.Ranges(scanner) : nil)
    }
  }

  private static func parts(
    _ found: (contents: BodyContents, code: BodyCode.Ranges?), of text: NoteText
  ) -> (tags: [InlineTag], anchors: [Anchor], links: [Link], formulas: [Formula]) {
    let (contents, links) = (found.contents, numbered(found.contents.linksInOrder, in: text.bytes))
    let formulas = found.code.map { code in
      text.bytes.withUnsafeBufferPointer { FormulaScan.formulas(in: $0, text.body, code: code, links: links) }
    }
    guard let formulas, !formulas.isEmpty else { return (contents.tags, contents.anchors, links, []) }
    let ranges = formulas.map(\.range)
    return (
      outside(ranges, contents.tags, \.range), contents.anchors, outside(ranges, links, \.range), formulas
    )
  }

  /// The parts that do not begin in one of some ranges; both are in order.
  private static func outside<Part>(
    _ ranges: [Range<Int>], _ parts: [Part], _ range: KeyPath<Part, Range<Int>>
  ) -> [Part] {
    guard !ranges.isEmpty else { return parts }
    var ranges = ranges[...]
    return parts.filter { part in
      let start = part[keyPath: range].lowerBound
      ranges = ranges.drop { $0.upperBound <= start }
      return !(ranges.first?.contains(start) ?? false)
    }
  }

  /// Whether a heading is of the first level and opens the body.
  static func opens(_ text: NoteText, with heading: BodyHeading) -> Bool {
    heading.level == 1
      && text.bytes.withUnsafeBufferPointer {
        BodyOpening.offset(in: $0, from: text.body.lowerBound, to: text.body.upperBound)
      } == heading.lines.lowerBound
  }

  /// The links, in order, with the numbers of the lines in which they begin.
  static func numbered(_ links: [Link], in bytes: [UInt8]) -> [Link] {
    var (line, position) = (1, 0)
    return bytes.withUnsafeBufferPointer { bytes in
      links.map { link in
        while let end = bytes.offset(of: 0x0A, from: position, to: min(link.range.lowerBound, bytes.count)) {
          (line, position) = (line + 1, end + 1)
        }
        return Link(
          form: link.form, target: link.target, range: link.range, line: line,
          isPageReference: link.isPageReference)
      }
    }
  }
}

/// The heading, tags and links that a scan has found so far.
struct BodyContents {
  var heading: TitleHeading?
  var tags: [BodyScan.InlineTag] = []
  var links: [BodyScan.Link] = []
  var anchors: [BodyScan.Anchor] = []

  /// The links in the order of their starts: a link inside of another's label is found before it.
  var linksInOrder: [BodyScan.Link] {
    let isSorted = zip(links, links.dropFirst()).allSatisfy { $0.range.lowerBound <= $1.range.lowerBound }
    return isSorted ? links : links.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

/// A line of a body with a reading position, as block structure is read: tabs reach to the next multiple of four columns.
///
/// Source: cmark, blocks.c, S_advance_offset and S_find_first_nonspace.
struct BodyLine {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the first byte that is not read yet; a tab that is read in part is not.
  private(set) var position: Int
  /// The end without the line end.
  let end: Int
  private(set) var column = 0
  /// The offset of the first byte that is not a blank, from `position` on.
  private(set) var text = 0
  /// The columns of the blanks between `position` and `text`.
  private(set) var indent = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
    (self.bytes, self.position, self.end) = (bytes, start, end)
    findText()
  }

  var isBlank: Bool { text == end }

  /// Whether the text is so far to the right that it begins code.
  var isIndented: Bool { indent >= 4 }

  /// The first byte that is not a blank; 0 for a blank line.
  var first: UInt8 { text < end ? bytes[text] : 0 }

  /// Whether a blank is at the position.
  var hasBlank: Bool { position < end && isBlankByte(bytes[position]) }

  /// Moves past some columns of blanks.
  mutating func skip(columns count: Int) {
    var left = count
    while left > 0, hasBlank {
      guard bytes[position] == 0x09 else {
        (position, column, left) = (position + 1, column + 1, left - 1)
        continue
      }
      let width = 4 - column % 4
      if width <= left { position += 1 }
      column += min(width, left)
      left -= min(width, left)
    }
    findText()
  }

  /// Moves to the text.
  mutating func skipBlanks() { skip(columns: indent) }

  /// Moves past the blanks and some bytes of the text.
  mutating func skipText(_ count: Int) {
    column += indent + count
    position = text + count
    findText()
  }

  private mutating func findText() {
    (text, indent) = (position, 0)
    while text < end, isBlankByte(bytes[text]) {
      indent += bytes[text] == 0x09 ? 4 - (column + indent) % 4 : 1
      text += 1
    }
  }
}

/// Whether a byte is a space or a tab.
@inline(__always)
func isBlankByte(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Whether a byte is white space of ASCII, a line end included.
@inline(__always)
func isSpaceByte(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// Whether a byte is punctuation of ASCII, which a backslash may escape.
@inline(__always)
func isPunctuationByte(_ byte: UInt8) -> Bool {
  (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
    || (0x7B...0x7E).contains(byte)
}

extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first such byte in a range.
  func offset(of byte: UInt8, from start: Int, to end: Int) -> Int? {
    guard start < end else { return nil }
    return CLibrary.offset(of: byte, in: UnsafeRawBufferPointer(self), from: start, to: end)
  }
}

/// The conventions of other programs by which the texts and files of a box are read.
///
/// They belong to the process, as `LocalZone` does, because notes are read without the settings of their box.
package struct TextConventions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Labels of wiki links are before the bar, as in Dendron's vaults: `[[label|target]]`. Those of embedded files are
  /// after it.
  package static let labelsFirst = TextConventions(rawValue: 1)
  /// Links in shortcodes of Hugo and tags of Jekyll are read: `{{< ref "x.md" >}}`, `{% link x.md %}`.
  package static let shortcodes = TextConventions(rawValue: 2)
  /// `:food:sour:` in the text are tags.
  ///
  /// Source: zk's documentation, "Tags": tags between colons are read with `colon-tags = true`.
  package static let colonTags = TextConventions(rawValue: 4)
  /// Titles follow from the names of files as in a graph of Logseq: see `PageNames`.
  package static let pageNames = TextConventions(rawValue: 8)

  private static let stored = Atomic<Int>(0)

  /// Those of the box that the program reads.
  package static var current: TextConventions {
    TextConventions(rawValue: stored.load(ordering: .acquiring))
  }

  /// Whether the box that the program reads follows a convention.
  package static func has(_ convention: TextConventions) -> Bool { current.contains(convention) }

  /// Sets a convention for the box that the program reads.
  package static func use(_ convention: TextConventions, _ isUsed: Bool) {
    if isUsed {
      stored.bitwiseOr(convention.rawValue, ordering: .acquiringAndReleasing)
    } else {
      stored.bitwiseAnd(~convention.rawValue, ordering: .acquiringAndReleasing)
    }
  }
}
