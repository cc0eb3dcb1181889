import func Glibc.memchr

/// The lines that git leaves around the versions that it could not merge.
package enum MergeMarkers {
  private static let markers = [Array("<<<<<<<".utf8), Array(">>>>>>>".utf8)]

  /// The first such line, from 1. Markers in code and comments, where a note may quote them, don't count.
  ///
  /// - Complexity: O(n).
  package static func firstLine(in bytes: [UInt8]) -> Int? {
    guard mayBe(in: bytes) else { return nil }
    var literal: [Range<Int>]?
    var number = 0
    for line in lines(of: bytes) {
      number += 1
      guard isMarker(line.bytes) else { continue }
      let ranges = literal ?? LiteralText.ranges(in: bytes)
      literal = ranges
      if !ranges.holds(line.start) { return number }
    }
    return nil
  }

  /// Whether such a line is anywhere in a text, also in code and comments.
  ///
  /// - Complexity: O(n).
  package static func isAnywhere(in bytes: [UInt8]) -> Bool {
    mayBe(in: bytes) && lines(of: bytes).contains { isMarker($0.bytes) }
  }

  /// Whether the signs of a marker are in a text at all. Hardly any note has them.
  private static func mayBe(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in markers.contains { isThere($0, in: buffer) } }
  }

  private static func isThere(_ marker: [UInt8], in buffer: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    while let base = buffer.baseAddress, start + marker.count <= buffer.count,
      let found = memchr(base + start, Int32(marker[0]), buffer.count - start)
    {
      start = base.distance(to: UnsafeRawPointer(found))
      if buffer[start...].starts(with: marker) { return true }
      start += 1
    }
    return false
  }

  /// Whether a line begins with the signs of a marker and a blank. A merge of renamed files writes more than seven signs; a
  /// line of eight `>` or more is a quotation of that depth.
  private static func isMarker(_ line: ArraySlice<UInt8>) -> Bool {
    guard markers.contains(where: { line.starts(with: $0) }),
      let end = line.firstIndex(where: { $0 != line.first }), line[end] == UInt8(ascii: " ")
    else { return false }
    return line.first == UInt8(ascii: "<") || end - line.startIndex == markers[1].count
  }

  /// The lines of a text without their line feeds.
  private static func lines(
    of bytes: [UInt8]
  ) -> LazyMapSequence<[ArraySlice<UInt8>], (start: Int, bytes: ArraySlice<UInt8>)> {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).lazy.map { ($0.startIndex, $0) }
  }
}

/// The parts of a text that are no Markdown: fenced code, comments, and blocks of `<pre>`, `<script>` and `<style>`.
enum LiteralText {
  /// The bytes of these parts, in order. They may overlap.
  ///
  /// - Complexity: that of `BodyComments.all`.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    let text = NoteText(bytes)
    let comments = BodyComments.all(in: text)
    // A fence in a comment opens no code.
    let visible = BodyComments.blanked(text)
    let body = visible.body
    let code = visible.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      (scanner.fences, scanner.elements) = ([], [])
      scanner.scan(from: body.lowerBound)
      return (scanner.fences ?? []) + (scanner.elements ?? [])
    }
    return (comments + code).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Whether lines may begin or end such a part.
  static func mayChange(by bytes: [UInt8]) -> Bool { bytes.contains { "<%`~".utf8.contains($0) } }
}

extension [Range<Int>] {
  /// Whether one of the ranges, which are sorted by their beginnings, holds an offset.
  func holds(_ offset: Int) -> Bool {
    for range in self {
      if range.lowerBound > offset { return false }
      if range.contains(offset) { return true }
    }
    return false
  }
}
