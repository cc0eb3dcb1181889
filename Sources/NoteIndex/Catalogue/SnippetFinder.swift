import Bytes
import Notes

/// Finds the lines of a note that show best why a query found it.
struct SnippetFinder {
  /// The most lines that are shown.
  private static let mostLines = 3

  /// A line with what was found in it, in bytes of the file.
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

  /// The lines in which something was found, in their order.
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
