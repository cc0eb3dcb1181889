import Bytes
import Text

/// Lines of a body of which a merge kept both versions, between comments.
package struct ConflictRegion: Sendable, Equatable {
  /// One of the versions.
  package struct Version: Sendable, Equatable {
    /// Its whole lines, in the bytes that were read.
    package let lines: Range<Int>
    /// The writer that its comment names; empty if unknown.
    package let label: String
  }

  /// All of it, comments included: whole lines.
  package let range: Range<Int>
  package let versions: [Version]

  /// The regions of a text, in order; those inside of versions are not among them.
  ///
  /// Comments that no others close are text like any other. In code and in other comments a note may quote such comments:
  /// there, only those that name the time of a version count.
  /// - Parameter isQuoted: whether comments without a time count in code too.
  /// - Complexity: O(n), and a scan of the text if it has such comments.
  package static func all(in bytes: [UInt8], isQuoted: Bool = false) -> [ConflictRegion] {
    var reader = RegionReader(bytes, isQuoted: isQuoted)
    return reader.regions()
  }

  /// The offset of the first comment around versions that belongs to no region, because others were removed by hand; nil
  /// without one. Those in code and in other comments don't count.
  package static func strayComment(in bytes: [UInt8]) -> Int? {
    var reader = RegionReader(bytes, isQuoted: false)
    let regions = reader.regions()
    return reader.comments.first { comment in
      !regions.contains { $0.range.contains(comment) } && !reader.isLiteral(comment)
    }
  }

  /// The regions of a note's body.
  ///
  /// - Parameter isListed: whether the note lists its body among its conflicts. If no other region is found, those in code
  ///   are meant.
  static func all(inBody body: [UInt8], isListed: Bool) -> [ConflictRegion] {
    let regions = all(in: body)
    return regions.isEmpty && isListed ? all(in: body, isQuoted: true) : regions
  }
}

/// Reads the lines of a text with comments around versions.
private struct RegionReader {
  private let bytes: [UInt8]
  /// Whether all comments count, wherever they are.
  private let isQuoted: Bool
  /// Code and comments; nil before they are needed.
  private var literal: [Range<Int>]?
  /// The open regions, the innermost last, and whether each of them counts.
  private var open: [Bool] = []
  /// The places at which the versions of the outermost region begin, with their labels.
  private var starts: [(mark: Int, lines: Int, label: String)] = []
  private var found: [ConflictRegion] = []
  /// The offsets of all comments around versions.
  private(set) var comments: [Int] = []

  init(_ bytes: [UInt8], isQuoted: Bool) { (self.bytes, self.isQuoted) = (bytes, isQuoted) }

  mutating func regions() -> [ConflictRegion] {
    var next = 0
    while next < bytes.count {
      let end = bytes[next...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      var line = bytes[next..<end]
      while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
      if let mark = ConflictMark.number(of: line) {
        comments.append(next)
        take(mark.number, mark.label, next..<end)
      } else if line.elementsEqual(ConflictMark.end.utf8) {
        comments.append(next)
        close(next..<end)
      }
      next = end
    }
    return found
  }

  private mutating func take(_ number: Int, _ label: String, _ line: Range<Int>) {
    if number == 1 { open.append(isQuoted || !label.isEmpty || !isLiteral(line.lowerBound)) }
    guard open.last == true, open.count(where: \.self) == 1, number == starts.count + 1 else { return }
    starts.append((line.lowerBound, line.upperBound, label))
  }

  private mutating func close(_ line: Range<Int>) {
    guard open.popLast() == true, !open.contains(true), let first = starts.first else { return }
    let ends = starts.dropFirst().map(\.mark) + [line.lowerBound]
    let versions = zip(starts, ends).map { ConflictRegion.Version(lines: $0.lines..<$1, label: $0.label) }
    found.append(ConflictRegion(range: first.mark..<line.upperBound, versions: versions))
    starts = []
  }

  /// Whether a line is in code or in a comment that begins before it.
  mutating func isLiteral(_ offset: Int) -> Bool {
    let ranges = literal ?? LiteralText.ranges(in: bytes)
    literal = ranges
    return ranges.filter { $0.lowerBound < offset }.holds(offset)
  }
}

extension ConflictMark {
  /// The comment before a version, which says who wrote it if that is known.
  static func start(_ number: Int, label: String) -> String {
    label.isEmpty ? "\(prefix)\(number) -->" : "\(prefix)\(number), \(label) -->"
  }

  /// When, by whom and on which device a version was written; empty if that is not known.
  static func label(_ stamp: MergeStamp?) -> String {
    guard let stamp else { return "" }
    // A device after a time has the third place.
    let who = stamp.who.isEmpty && !stamp.when.isEmpty && !stamp.device.isEmpty ? "?" : stamp.who
    return [stamp.when, who, stamp.device].filter { !$0.isEmpty }.map(safe).joined(separator: ", ")
  }

  /// The text on one line, without the characters that would end a comment.
  private static func safe(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      if isControl || scalar == "," || scalar == ">" { continue }
      if scalar == "-", result.unicodeScalars.last == "-" { continue }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

/// The lines that git leaves around the versions that it could not merge.
package enum MergeMarkers {
  private static let markers = [Array("<<<<<<<".utf8), Array(">>>>>>>".utf8)]
  private static let versionMarks = [Array(ConflictMark.prefix.utf8), Array(ConflictMark.end.utf8)]

  /// Whether the text of a note has git's markers, or versions between comments, as a merge of slip leaves them, or some of
  /// these comments.
  ///
  /// - Complexity: O(n).
  static func areVersions(in text: NoteText) -> Bool {
    if firstLine(in: text.bytes) != nil { return true }
    let hasMark = text.bytes.withUnsafeBytes { buffer in versionMarks.contains { isThere($0, in: buffer) } }
    guard hasMark else { return false }
    let body = Array(text.bytes[text.body])
    return !ConflictRegion.all(in: body).isEmpty || ConflictRegion.strayComment(in: body) != nil
  }

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

  /// The paths that the markers name, from the root of the repository: git writes them as `REV:PATH` if the sides have the
  /// text at different paths.
  package static func paths(in bytes: [UInt8]) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for line in lines(of: bytes) {
      guard let sign = line.bytes.first, "<|>".utf8.contains(sign),
        line.bytes.prefix(7).allSatisfy({ $0 == sign }),
        let colon = line.bytes.firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      var path = Array(line.bytes[(colon + 1)...])
      if path.last == 0x0D { path.removeLast() }
      if !path.isEmpty, !paths.contains(path) { paths.append(path) }
    }
    return paths
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
    while start + marker.count <= buffer.count,
      let found = CLibrary.offset(of: marker[0], in: buffer, from: start, to: buffer.count)
    {
      start = found
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
