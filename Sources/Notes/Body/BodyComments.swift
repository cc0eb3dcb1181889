/// The comments of a body: `<!-- -->` of HTML and `%% %%` of Obsidian.
package enum BodyComments {
  /// The comments of a body, and the marks `%%` that open none.
  private struct Found {
    var comments: [Range<Int>] = []
    var unclosed: [Int] = []
  }

  /// So often a text is read again without the comments that were found.
  private static let mostPasses = 32

  /// The bytes of the comments in their order, outside of code, formulas and addresses.
  ///
  /// A comment of HTML that nothing closes goes on to the end, as does one of Obsidian that begins a line; elsewhere the
  /// marks are text then.
  /// Backticks inside of a comment hide no further comments: without the comment they open no code.
  /// - Complexity: that of a scan of the body, and of another one for each comment in which code begins.
  package static func all(in text: NoteText) -> [Range<Int>] { found(in: text).comments }

  /// The offsets of the marks `%%` without a closing one: the text after them is shown.
  package static func unclosed(in text: NoteText) -> [Int] { found(in: text).unclosed }

  /// The offset of the comment that hides the rest of the body because nothing closes it; nil without one.
  package static func endless(in text: NoteText) -> Int? {
    guard let last = found(in: text).comments.last, last.upperBound == text.body.upperBound else {
      return nil
    }
    let bytes = text.bytes[last]
    let (opening, closing) = bytes.first == UInt8(ascii: "%") ? ("%%", "%%") : ("<!--", "-->")
    let isClosed =
      bytes.count >= opening.utf8.count + closing.utf8.count
      && bytes.suffix(closing.utf8.count).elementsEqual(closing.utf8)
    return isClosed ? nil : last.lowerBound
  }

  private static func found(in text: NoteText) -> Found {
    var (found, rest) = (Found(), text)
    for pass in 0..<mostPasses {
      let last = scan(rest, stopsAtCode: pass < mostPasses / 2)
      found.comments += last.comments
      found.unclosed = last.unclosed
      if last.comments.isEmpty { break }
      rest = blanked(rest, last.comments)
    }
    found.comments.sort { $0.lowerBound < $1.lowerBound }
    return found
  }

  /// - Parameter stopsAtCode: whether the scan ends after a comment in which code begins that ends after it: without the
  ///   comment, other text is code.
  private static func scan(_ text: NoteText, stopsAtCode: Bool) -> Found {
    let (bytes, end) = (text.bytes, text.body.upperBound)
    guard offset(of: "%%", in: bytes, text.body) != nil || offset(of: "<!--", in: bytes, text.body) != nil
    else { return Found() }
    let opaque = OpaqueStretches(text)
    var skipped = opaque.ranges[...]
    var found = Found()
    var position = text.body.lowerBound
    while position < end {
      while let range = skipped.first, range.upperBound <= position { skipped.removeFirst() }
      if let range = skipped.first, range.contains(position) {
        position = range.upperBound
        continue
      }
      if let close = comment(at: position, in: bytes, to: end) {
        if let address = opaque.endOfAddress(around: position, after: found.comments.last?.upperBound) {
          position = address
          continue
        }
        found.comments.append(position..<close)
        position = close
        skipped = skipped.drop { $0.upperBound <= close }
        if stopsAtCode, let code = skipped.first, code.lowerBound < close { break }
      } else if bytes[position..<end].starts(with: "%%".utf8) {
        let address = opaque.endOfAddress(around: position, after: found.comments.last?.upperBound)
        if address == nil { found.unclosed.append(position) }
        position = address ?? position + 2
      } else {
        position = min(position + (bytes[position] == UInt8(ascii: "\\") ? 2 : 1), end)
      }
    }
    return found
  }

  /// The text from which links and tags are read if it has comments of Obsidian, which Markdown shows; nil if it has none.
  ///
  /// - Complexity: that of a search for `%%` if there is none.
  static func readable(_ text: NoteText) -> NoteText? {
    let hasMark = text.bytes.withUnsafeBufferPointer { bytes in
      var position = text.body.lowerBound
      while let mark = bytes.offset(of: UInt8(ascii: "%"), from: position, to: text.body.upperBound) {
        if mark + 1 < text.body.upperBound, bytes[mark + 1] == UInt8(ascii: "%") { return true }
        position = mark + 1
      }
      return false
    }
    return hasMark ? blanked(text) : nil
  }

  /// The body with comments replaced by blanks, so that all offsets stay.
  package static func blanked(_ text: NoteText) -> NoteText { blanked(text, all(in: text)) }

  private static func blanked(_ text: NoteText, _ comments: [Range<Int>]) -> NoteText {
    guard !comments.isEmpty else { return text }
    var bytes = text.bytes
    for comment in comments {
      for place in comment where bytes[place] != 0x0A && bytes[place] != 0x0D { bytes[place] = 0x20 }
      // Text behind many blanks would be code: an invisible letter (U+2060) opens the line.
      let rest = bytes[comment.upperBound..<text.body.upperBound].drop { $0 == 0x20 }
      let isFollowed = rest.first.map { $0 != 0x0A && $0 != 0x0D } ?? false
      let blanks = bytes[..<comment.upperBound].reversed().prefix { $0 == 0x20 }.count
      let start = comment.upperBound - blanks
      let opensLine = start == text.body.lowerBound || bytes[start - 1] == 0x0A
      if opensLine, blanks >= 4, isFollowed {
        bytes.replaceSubrange(start..<start + 3, with: [0xE2, 0x81, 0xA0])
      }
    }
    return NoteText(bytes)
  }

  /// The text without some comments. Line ends stay, so that lines keep their numbers; of the blanks around a comment one
  /// is left. An invisible letter (U+2060) is in its place if only marks remain on its line: `-` would make a heading of the
  /// line above it.
  package static func removed(_ comments: [Range<Int>], from text: NoteText) -> NoteText {
    guard !comments.isEmpty else { return text }
    let bytes = text.bytes
    var (result, position) = ([UInt8](), 0)
    result.reserveCapacity(bytes.count)
    for comment in comments where comment.lowerBound >= position {
      result += bytes[position..<comment.lowerBound]
      if leavesMarks(comment, after: result, in: text) { result += [0xE2, 0x81, 0xA0] }
      result += bytes[comment].filter { $0 == 0x0A || $0 == 0x0D }
      position = comment.upperBound
      let line = Array(result.reversed().prefix { $0 != 0x0A && $0 != 0x0D })
      // Blanks at the beginning of a line could make it code.
      let isFirst = line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      let opensEmphasis = opensEmphasis(line, before: position, in: text)
      if isFirst || line.first == 0x20 || opensEmphasis {
        while position < text.body.upperBound, bytes[position] == 0x20 || bytes[position] == 0x09 {
          position += 1
        }
      }
      if position == comment.upperBound, closesEmphasis(at: position, in: text) {
        while result.last == 0x20, !isFirst { result.removeLast() }
      }
    }
    return NoteText(result + bytes[position...])
  }

  /// Whether the marks before a comment open emphasis, and a blank comes after it.
  ///
  /// - Parameter line: the line before it, backwards.
  private static func opensEmphasis(_ line: [UInt8], before position: Int, in text: NoteText) -> Bool {
    let marks = line.prefix { emphasis.contains($0) }
    let isFirst = marks.count == line.count || line[marks.count] <= 0x20
    let next = text.bytes[position..<text.body.upperBound].first { $0 != 0x20 }
    return !marks.isEmpty && isFirst && next.map { $0 > 0x20 } ?? false
  }

  /// Whether the marks at an offset close emphasis if no blank is before them.
  private static func closesEmphasis(at position: Int, in text: NoteText) -> Bool {
    let rest = text.bytes[position..<text.body.upperBound]
    let marks = rest.prefix { emphasis.contains($0) }
    let isLast = rest[marks.endIndex...].first.map { $0 <= 0x20 || ".,;:!?)".utf8.contains($0) } ?? true
    return !marks.isEmpty && isLast
  }

  private static let emphasis: Set<UInt8> = Set("*_~=".utf8)

  /// Whether a line without its comment has only marks of lists, rules and underlines.
  private static func leavesMarks(_ comment: Range<Int>, after start: [UInt8], in text: NoteText) -> Bool {
    let before = start.reversed().prefix { $0 != 0x0A && $0 != 0x0D }.reversed()
    let isLong = text.bytes[comment].contains { $0 == 0x0A || $0 == 0x0D }
    let after =
      isLong ? [] : text.bytes[comment.upperBound..<text.body.upperBound].prefix { $0 != 0x0A && $0 != 0x0D }
    let marks = (before + after).drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ">") }
    guard let first = marks.first, !(0x30...0x39).contains(first) else {
      let rest = marks.drop { (0x30...0x39).contains($0) }
      return rest.first.map { ".)".utf8.contains($0) && rest.dropFirst().allSatisfy { $0 <= 0x20 } } ?? false
    }
    return marks.allSatisfy { $0 <= 0x20 || "-+*=_".utf8.contains($0) }
  }

  /// The text without all comments, also without those that the removal of others uncovers.
  package static func removed(from text: NoteText) -> NoteText {
    var text = text
    for _ in 0..<mostPasses {
      let comments = all(in: text)
      if comments.isEmpty { return text }
      text = removed(comments, from: text)
    }
    guard let first = all(in: text).first else { return text }
    return removed([first.lowerBound..<text.body.upperBound], from: text)
  }

  /// The end of a comment that begins at an offset.
  private static func comment(at position: Int, in bytes: [UInt8], to end: Int) -> Int? {
    let rest = bytes[position..<end]
    if rest.starts(with: "<!--".utf8) {
      var start = min(position + 2, end)
      while let close = offset(of: "-->", in: bytes, start..<end) {
        start = close + 3
        if !endsConflictMark(start, after: position, in: bytes) { return start }
      }
      return end
    }
    guard rest.starts(with: "%%".utf8) else { return nil }
    if let close = offset(of: "%%", in: bytes, position + 2..<end) { return close + 2 }
    let isFirst = position == 0 || bytes[position - 1] == 0x0A || bytes[position - 1] == 0x0D
    return isFirst ? end : nil
  }

  /// Whether the line up to an offset is one of slip's marks of versions, which a merge has put into a comment that begins
  /// before it. Without this a conflict in a comment would show the comment.
  private static func endsConflictMark(_ end: Int, after start: Int, in bytes: [UInt8]) -> Bool {
    guard let lineFeed = bytes[start..<end].lastIndex(of: 0x0A) else { return false }
    let line = bytes[(lineFeed + 1)..<end]
    return ConflictMark.number(of: line) != nil || line.elementsEqual(ConflictMark.end.utf8)
  }

  fileprivate static func offset(of mark: StaticString, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let count = mark.utf8CodeUnitCount
    guard range.count >= count else { return nil }
    return mark.withUTF8Buffer { mark in
      (range.lowerBound...range.upperBound - count).first { start in
        bytes[start] == mark[0] && bytes[start..<start + count].elementsEqual(mark)
      }
    }
  }
}

/// The comments of HTML around both versions of lines that two sides of a merge changed.
package enum ConflictMark {
  /// The beginning of every comment before a version.
  package static let prefix = "<!-- slip: version "
  /// The comment after the last version.
  package static let end = "<!-- slip: end of versions -->"

  /// The number of the version that a comment begins, and who wrote it; nil for another line.
  static func number(of line: ArraySlice<UInt8>) -> (number: Int, label: String)? {
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix(prefix), text.hasSuffix(" -->") else { return nil }
    let parts = text.dropFirst(prefix.count).dropLast(4).split(separator: ",", maxSplits: 1)
    guard let first = parts.first, let number = Int(first), number > 0 else { return nil }
    return (number, parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
  }
}

/// The stretches of a body in which `%%` and `<!--` open no comment: code, formulas, and the addresses of links.
private struct OpaqueStretches {
  /// Code, and the formulas and addresses that hold a mark; in order.
  let ranges: [Range<Int>]
  private let bytes: [UInt8]
  private let body: Range<Int>

  /// So many bytes of an address are read around a mark.
  private static let longest = 2_048

  init(_ text: NoteText) {
    (bytes, body) = (text.bytes, text.body)
    let code = BodyCode(text)
    let math = Self.math(code.formulas, in: text)
    let addresses = code.targets.filter {
      text.bytes[$0].contains(UInt8(ascii: "%")) && !text.bytes[$0].starts(with: "%%".utf8)
    }
    ranges = (code.certain + math + addresses).sorted {
      $0.lowerBound < $1.lowerBound
    }
  }

  /// The formulas whose mark `%%` belongs to the formula.
  ///
  /// A comment may begin in a text that resembles a formula, as in `costs $5 %%for me, $4%%`. A mark that has a partner in
  /// the formula or in the rest of its paragraph opens a comment.
  private static func math(_ formulas: [Range<Int>], in text: NoteText) -> [Range<Int>] {
    var math: [Range<Int>] = []
    var (next, outside) = (text.body.upperBound, 0)
    for formula in formulas.reversed() {
      let end = endOfParagraph(formula.upperBound, to: next, in: text)
      outside = (end < next ? 0 : outside) + marks(in: text.bytes[formula.upperBound..<end])
      next = formula.lowerBound
      let isOdd = marks(in: text.bytes[formula]) % 2 == 1
      if isOdd, outside % 2 == 0, BodyComments.offset(of: "<!--", in: text.bytes, formula) == nil {
        math.append(formula)
      }
    }
    return math
  }

  private static func endOfParagraph(_ start: Int, to limit: Int, in text: NoteText) -> Int {
    var line = start
    while line < limit, let end = text.bytes[line..<limit].firstIndex(of: 0x0A) {
      let next = text.bytes[(end + 1)..<text.body.upperBound].prefix { $0 != 0x0A }
      if next.allSatisfy({ $0 <= 0x20 }) { return end }
      line = end + 1
    }
    return limit
  }

  /// How often `%%` is in a text.
  private static func marks(in text: ArraySlice<UInt8>) -> Int {
    var (count, position) = (0, text.startIndex)
    while position + 1 < text.endIndex {
      let isMark = text[position] == UInt8(ascii: "%") && text[position + 1] == UInt8(ascii: "%")
      count += isMark ? 1 : 0
      position += isMark ? 2 : 1
    }
    return count
  }

  /// The end of the address around a mark `%%`, such as `https://example.org/50%%`; nil if it is in none, or if the rest of
  /// the address has its partner.
  func endOfAddress(around position: Int, after start: Int?) -> Int? {
    guard bytes[position] == UInt8(ascii: "%") else { return nil }
    let isInside = { (byte: UInt8) in byte > 0x20 && !"<>()[]\"'".utf8.contains(byte) }
    let before = bytes[max(start ?? 0, body.lowerBound)..<position].suffix(Self.longest).reversed()
      .prefix(while: isInside)
    guard before.contains(UInt8(ascii: ":")),
      Array(before.reversed()).firstRange(of: Array("://".utf8)) != nil
    else { return nil }
    let rest = bytes[position..<body.upperBound].prefix(Self.longest).prefix(while: isInside)
    return Self.marks(in: rest) % 2 == 1 ? rest.endIndex : nil
  }
}

/// A block of code between fences, with its first line and, if there is one, its closing fence.
package enum FencedCode {
  /// The bytes of the blocks of a note, in their order, without the line end behind each.
  ///
  /// - Complexity: that of a scan of the body.
  package static func all(in text: NoteText) -> [Range<Int>] { all(in: text.bytes[text.body]) }

  /// The bytes of the blocks of a body, or of whole lines of one.
  static func all(in lines: ArraySlice<UInt8>) -> [Range<Int>] {
    lines.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: bytes.count)
      scanner.fences = []
      scanner.scan(from: 0)
      return (scanner.fences ?? []).map { fence in
        fence.lowerBound + lines.startIndex..<fence.upperBound + lines.startIndex
      }
    }
  }
}
