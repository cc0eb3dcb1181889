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

  init(_ bytes: [UInt8], isQuoted: Bool) { (self.bytes, self.isQuoted) = (bytes, isQuoted) }

  mutating func regions() -> [ConflictRegion] {
    var next = 0
    while next < bytes.count {
      let end = bytes[next...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      var line = bytes[next..<end]
      while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
      if let mark = ConflictMark.number(of: line) {
        take(mark.number, mark.label, next..<end)
      } else if line.elementsEqual(ConflictMark.end.utf8) {
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
  private mutating func isLiteral(_ offset: Int) -> Bool {
    let ranges = literal ?? LiteralText.ranges(in: bytes)
    literal = ranges
    return ranges.filter { $0.lowerBound < offset }.holds(offset)
  }
}

extension ConflictMark {
  /// The comment before a version, which says who wrote it where that is known.
  static func start(_ number: Int, label: String) -> String {
    label.isEmpty ? "\(prefix)\(number) -->" : "\(prefix)\(number), \(label) -->"
  }

  /// When, by whom and on which device a version was written; empty if that is not known.
  static func label(_ stamp: MergeStamp?) -> String {
    guard let stamp else { return "" }
    return [stamp.when, stamp.who, stamp.device].filter { !$0.isEmpty }.map(safe).joined(separator: ", ")
  }

  /// The text on one line, without what would end a comment.
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
