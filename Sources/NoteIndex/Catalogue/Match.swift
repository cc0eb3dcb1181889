import Bytes
package import Notes

/// A note that a query found.
package struct Match: Sendable {
  package let entries: Entries
  /// The place of the note in the catalogue.
  package let place: Int
  /// The relevance of the note; 0 if the query was not ranked.
  package let score: Double
  /// Lines of the note with matches, in their order; empty if the query was not ranked.
  package let snippets: [Snippet]

  package init(_ entries: Entries, _ place: Int, score: Double = 0, snippets: [Snippet] = []) {
    self.entries = entries
    self.place = place
    self.score = score
    self.snippets = snippets
  }

  /// A note by itself, which no query found.
  package init(_ entry: Entry) { self.init(Entries([entry]), 0) }

  /// The entry. Each access may make it again.
  package var entry: Entry { entries[place] }
}

/// A note in a list. Its names are read at once, the rest when it is needed.
package final class ListedNote: Sendable {
  package let match: Match
  package let names: NamesOfNote

  package init(_ match: Match) {
    self.match = match
    names = match.entries.names(at: match.place)
  }

  /// The entry. Each access may make it again.
  package var entry: Entry { match.entry }

  package var kind: String { match.entries.kind(at: match.place) }
  package var tags: [String] { match.entries.tags(at: match.place) }

  /// The id of the note, else its path, which is not made safe for a terminal.
  package var name: String { names.id?.description ?? String(decoding: names.path, as: UTF8.self) }
}

/// A part of a line with matches in it.
package struct Snippet: Sendable, Equatable {
  /// The number of the line in the file, from 1.
  package let line: Int
  /// The line, shortened with `…` if it is long; not made safe for a terminal.
  package let text: String
  /// The matches, in order: UTF-8 offsets in `text`.
  package let highlights: [Range<Int>]

  package init(line: Int, text: String, highlights: [Range<Int>]) {
    self.line = line
    self.text = text
    self.highlights = highlights
  }
}

/// Finds the lines of a note that show best why a query found it.
struct SnippetFinder {
  /// The most lines that are shown.
  private static let mostLines = 3

  /// A line with its matches, in bytes of the file.
  private struct Line {
    let range: Range<Int>
    var highlights: [Range<Int>] = []
    var patterns: Set<Int> = []
  }

  private let patterns: [TextPattern]

  init(_ patterns: [TextPattern]) { self.patterns = patterns }

  /// Returns up to three lines of the body, those with the most different words, in their order.
  ///
  /// - Complexity: O(n log n).
  func snippets(of text: NoteText) -> [Snippet] {
    let lines = lines(of: text)
    let best = lines.indices.sorted { left, right in
      let (first, second) = (lines[left].patterns.count, lines[right].patterns.count)
      return first == second ? left < right : first > second
    }
    var number = 1
    var counted = 0
    return best.prefix(Self.mostLines).sorted().map { index in
      let line = lines[index]
      number += text.bytes[counted..<line.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
      counted = line.range.lowerBound
      return Excerpt(of: text.bytes, line: line.range, highlights: line.highlights).snippet(number)
    }
  }

  /// Returns the lines with matches, in their order.
  private func lines(of text: NoteText) -> [Line] {
    let found = patterns.enumerated().flatMap { index, pattern in
      pattern.highlights(in: text.bytes[text.body]).flatMap { range in
        Self.parts(of: range, in: text.bytes).map { (range: $0, pattern: index) }
      }
    }.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    var lines: [Line] = []
    for (range, pattern) in found { Self.add(range, pattern, to: &lines, text) }
    return lines
  }

  /// Parts a stretch at line ends.
  private static func parts(of range: Range<Int>, in bytes: [UInt8]) -> [Range<Int>] {
    bytes[range].split(separator: UInt8(ascii: "\n")).compactMap { part in
      let rest = part.drop(while: ASCII.isBlank)
      return rest.isEmpty ? nil : rest.startIndex..<part.endIndex
    }
  }

  private static func add(_ part: Range<Int>, _ pattern: Int, to lines: inout [Line], _ text: NoteText) {
    if lines.last?.range.contains(part.lowerBound) != true {
      let body = text.bytes[text.body]
      let start = body[..<part.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? body.startIndex
      let end = body[part.lowerBound...].firstIndex(of: UInt8(ascii: "\n")) ?? body.endIndex
      lines.append(Line(range: start..<end))
    }
    let last = lines.count - 1
    lines[last].patterns.insert(pattern)
    if let previous = lines[last].highlights.last, previous.upperBound > part.lowerBound {
      let end = max(previous.upperBound, part.upperBound)
      lines[last].highlights[lines[last].highlights.count - 1] = previous.lowerBound..<end
    } else {
      lines[last].highlights.append(part)
    }
  }
}

/// A part of a line around its matches.
struct Excerpt {
  /// The most bytes of the line that are shown.
  private static let longest = 160
  /// The most bytes before the first match if the line is cut.
  private static let lead = 48

  private let bytes: [UInt8]
  private let line: Range<Int>
  private let range: Range<Int>
  private let highlights: [Range<Int>]

  /// - Parameter highlights: in bytes of the file, in order, none over another.
  init(of bytes: [UInt8], line: Range<Int>, highlights: [Range<Int>]) {
    var (start, end) = (line.lowerBound, line.upperBound)
    while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
    while end > start, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
    self.bytes = bytes
    self.line = start..<end
    self.highlights = highlights
    range = Self.cut(bytes, start..<end, around: highlights.first ?? start..<start)
  }

  /// The excerpt as text; bytes that are not UTF-8 become U+FFFD.
  func snippet(_ number: Int) -> Snippet {
    var text = range.lowerBound > line.lowerBound ? "…" : ""
    var marks: [Range<Int>] = []
    var offset = range.lowerBound
    for highlight in highlights {
      let part = highlight.clamped(to: range)
      guard !part.isEmpty, part.lowerBound >= offset else { continue }
      text += String(decoding: bytes[offset..<part.lowerBound], as: UTF8.self)
      let start = text.utf8.count
      text += String(decoding: bytes[part], as: UTF8.self)
      marks.append(start..<text.utf8.count)
      offset = part.upperBound
    }
    text += String(decoding: bytes[offset..<range.upperBound], as: UTF8.self)
    if range.upperBound < line.upperBound { text += "…" }
    return Snippet(line: number, text: text, highlights: marks)
  }

  /// Cuts a line at the borders of words; without words, at those of characters.
  private static func cut(_ bytes: [UInt8], _ line: Range<Int>, around found: Range<Int>) -> Range<Int> {
    guard line.count > longest else { return line }
    let first = min(max(found.lowerBound, line.lowerBound), line.upperBound)
    var start = min(max(line.lowerBound, first - lead), line.upperBound - longest)
    if start > line.lowerBound {
      let blank = start < first ? bytes[start..<first].firstIndex(where: ASCII.isBlank) : nil
      start = blank.map { $0 + 1 } ?? min(characterEnd(bytes, start), first)
    }
    var end = min(line.upperBound, start + longest)
    if end < line.upperBound {
      let limit = min(max(start, found.upperBound), end)
      end = bytes[limit..<end].lastIndex(where: ASCII.isBlank) ?? characterStart(bytes, end)
    }
    return start..<end
  }

  /// The offset itself, or the end of the character that it is inside of.
  private static func characterEnd(_ bytes: [UInt8], _ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, end - offset < 3, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }

  /// The offset itself, or the beginning of the character that it is inside of.
  private static func characterStart(_ bytes: [UInt8], _ offset: Int) -> Int {
    var start = offset
    while start > 0, offset - start < 3, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }
}
