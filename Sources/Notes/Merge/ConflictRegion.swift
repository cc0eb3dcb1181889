/// Lines of a body of which a merge kept both versions, between comments.
package struct ConflictRegion: Sendable, Equatable {
  /// One of the versions.
  package struct Version: Sendable, Equatable {
    /// Its whole lines, in the bytes that were read.
    package let lines: Range<Int>
    /// What its comment says of who wrote it; empty where that is not known.
    package let label: String
  }

  /// All of it, comments included: whole lines.
  package let range: Range<Int>
  package let versions: [Version]

  /// The regions of a text, in order; those inside of versions are not among them.
  ///
  /// Comments that no others close are text like any other.
  /// - Complexity: O(n).
  package static func all(in bytes: [UInt8]) -> [ConflictRegion] {
    var regions: [ConflictRegion] = []
    // The places at which the versions of the outermost region begin, with their labels.
    var starts: [(mark: Int, lines: Int, label: String)] = []
    var depth = 0
    var next = 0
    while next < bytes.count {
      let end = bytes[next...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      var line = bytes[next..<end]
      while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
      if let mark = ConflictMark.number(of: line) {
        if mark.number == 1 { depth += 1 }
        if depth == 1, mark.number == starts.count + 1 { starts.append((next, end, mark.label)) }
      } else if line.elementsEqual(ConflictMark.end.utf8), depth > 0 {
        depth -= 1
        if depth == 0, let first = starts.first {
          let ends = starts.dropFirst().map(\.mark) + [next]
          let versions = zip(starts, ends).map { Version(lines: $0.lines..<$1, label: $0.label) }
          regions.append(ConflictRegion(range: first.mark..<end, versions: versions))
          starts = []
        }
      }
      next = end
    }
    return regions
  }
}

extension ConflictMark {
  /// The number of the version that a comment begins, and who wrote it; nil for another line.
  static func number(of line: ArraySlice<UInt8>) -> (number: Int, label: String)? {
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix(prefix), text.hasSuffix(" -->") else { return nil }
    let parts = text.dropFirst(prefix.count).dropLast(4).split(separator: ",", maxSplits: 1)
    guard let first = parts.first, let number = Int(first), number > 0 else { return nil }
    return (number, parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
  }
}

/// The comments of HTML around both versions of lines that two sides changed.
package enum ConflictMark {
  /// What every comment before a version begins with.
  package static let prefix = "<!-- slip: version "
  /// The comment after the last version.
  package static let end = "<!-- slip: end of versions -->"

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
