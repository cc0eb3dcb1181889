import func Glibc.memchr
import Text

/// A text with the markers of git around what it could not merge, taken apart into the versions that it holds.
///
/// Git's form: `<<<<<<< NAME`, our lines, in the style `diff3` `||||||| NAME` and the base's, `=======`, their lines,
/// `>>>>>>> NAME`. Markers inside of each other, as a merge of committed markers leaves them, give further versions. The
/// markers of one conflict have the same number of signs.
package struct MarkedText {
  /// A part of the text: lines that all versions have, or a conflict.
  private enum Part {
    case shared(ArraySlice<UInt8>)
    case conflict(base: [UInt8]?, versions: [[UInt8]])
  }

  /// The line of a base that is not known: no version has it, so all versions have changed it.
  private static let unknown = Array("\u{1}\n".utf8)

  /// The versions; at least two.
  package let versions: [[UInt8]]
  /// The text from which the versions come, as far as the markers tell.
  package let base: [UInt8]

  /// Nil if the text has no markers, or an opening marker that no other closes.
  ///
  /// A merge of committed markers can put the markers of two conflicts between each other. Markers that do not pair are then
  /// left out, and every other line stays in a version.
  /// - Complexity: O(n).
  package init?(_ bytes: [UInt8]) {
    guard MergeMarkers.firstLine(in: bytes) != nil else { return nil }
    var (strict, tolerant) = (MarkedReader(bytes), MarkedReader(bytes, isTolerant: true))
    guard let parts = strict.parts() ?? tolerant.parts() else { return nil }
    let most = parts.map { if case .conflict(_, let versions) = $0 { versions.count } else { 0 } }.max() ?? 0
    guard most > 1 else { return nil }
    versions = (0..<most).map { number in
      parts.flatMap { part in
        switch part {
        case .shared(let lines): Array(lines)
        case .conflict(_, let versions): versions[min(number, versions.count - 1)]
        }
      }
    }
    var text: [UInt8] = []
    for part in parts {
      switch part {
      case .shared(let lines): text += lines
      case .conflict(let base?, _): text += base
      case .conflict(nil, let versions): Self.addCommon(of: versions, to: &text)
      }
    }
    base = text
  }

  /// Adds the lines that the first two versions of a conflict have in common to the text of a base.
  private static func addCommon(of versions: [[UInt8]], to text: inout [UInt8]) {
    for hunk in TextDiff.parts(versions[0], versions[1]) {
      switch hunk {
      case .same(let lines): text += lines
      // Fields of front matter are compared by name, so that an empty base does.
      case .different(let isReplaced): if isReplaced, !NoteText(text).isUnclosed { text += unknown }
      }
    }
  }

  /// All versions merged: of what they have different, both stay, as in any merge of notes.
  ///
  /// - Returns: nil if the versions can't be merged.
  package func merged(rules: MergeRules = MergeRules()) -> NoteText? {
    var text = NoteText(versions[0])
    for version in versions.dropFirst() {
      let merged = NoteMerge.merge(base: NoteText(base), one: text, other: NoteText(version), rules: rules)
      guard let merged else { return nil }
      text = merged.text
    }
    return MergeMarkers.firstLine(in: text.bytes) == nil ? text : nil
  }

  /// A text with its versions merged; as it is if it has no markers, and if the versions can't be merged.
  package static func settled(_ bytes: [UInt8], rules: MergeRules) -> NoteText {
    MarkedText(bytes)?.merged(rules: rules) ?? NoteText(bytes)
  }

  /// Reads the lines of a text with markers.
  private struct MarkedReader {
    private var lines: ArraySlice<ArraySlice<UInt8>>
    /// Whether markers that do not pair are left out.
    private let isTolerant: Bool

    init(_ bytes: [UInt8], isTolerant: Bool = false) {
      self.isTolerant = isTolerant
      var (found, start): ([ArraySlice<UInt8>], Int) = ([], 0)
      for index in bytes.indices where bytes[index] == 0x0A {
        found.append(bytes[start...index])
        start = index + 1
      }
      if start < bytes.count { found.append(bytes[start...]) }
      lines = found[...]
    }

    /// The parts of the whole text; nil if markers do not pair.
    mutating func parts() -> [Part]? {
      var parts: [Part] = []
      var isCode = false
      while let line = lines.first {
        if line.starts(with: "```".utf8) || line.starts(with: "~~~".utf8) { isCode.toggle() }
        if !isCode, let size = Self.marker(line, "<") {
          guard let conflict = conflict(size) else { return nil }
          parts.append(conflict)
          continue
        }
        lines.removeFirst()
        if !isCode, Self.marker(line, ">") != nil {
          guard isTolerant else { return nil }
        } else {
          parts.append(.shared(line))
        }
      }
      return parts
    }

    /// Reads a conflict from its first marker to its last; nil if it has none.
    /// - Parameter size: the number of signs of its markers.
    private mutating func conflict(_ size: Int) -> Part? {
      lines.removeFirst()
      var sides: [[[UInt8]]] = [[[]]]
      var base: [UInt8]?
      var isBase = false
      while let line = lines.first {
        if Self.marker(line, ">") == size {
          lines.removeFirst()
          guard isTolerant || sides.count == 2 else { return nil }
          return .conflict(base: base, versions: sides.flatMap(\.self))
        }
        if !isBase, let inner = Self.marker(line, "<") {
          guard case .conflict(_, let versions)? = conflict(inner) else { return nil }
          let side = sides.removeLast()
          sides.append(side.flatMap { before in versions.map { before + $0 } })
          continue
        }
        lines.removeFirst()
        if Self.marker(line, "|") == size, sides.count == 1, !isBase {
          (isBase, base) = (true, [])
        } else if Self.marker(line, "=") == size, sides.count == 1 {
          isBase = false
          sides.append([[]])
        } else if isTolerant, Self.marker(line, "=") == size {
          continue
        } else if isBase {
          base?.append(contentsOf: line)
        } else {
          sides[sides.count - 1] = sides[sides.count - 1].map { $0 + line }
        }
      }
      return nil
    }

    /// The number of signs with which a line begins, seven or more, alone or before a blank; nil for another line.
    private static func marker(_ line: ArraySlice<UInt8>, _ sign: Character) -> Int? {
      let size = line.prefix { $0 == sign.asciiValue }.count
      let next = line.dropFirst(size).first
      return size > 6 && (next == nil || next == 0x20 || next == 0x0A || next == 0x0D) ? size : nil
    }
  }
}

/// The lines that git leaves around what it could not merge.
package enum MergeMarkers {
  private static let markers = [Array("<<<<<<<".utf8), Array(">>>>>>>".utf8)]
  private static let fences = [Array("```".utf8), Array("~~~".utf8)]

  /// The first such line, from 1; those in fenced code, where a note may speak of them, don't count.
  ///
  /// - Complexity: O(n).
  package static func firstLine(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer in
      // Hardly any note has one anywhere, which is quickly seen.
      guard markers.contains(where: { stands($0, in: buffer) }) else { return nil }
      return firstLine(in: buffer)
    }
  }

  private static func stands(_ marker: [UInt8], in buffer: UnsafeRawBufferPointer) -> Bool {
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

  /// Whether the signs of a marker, of which a merge of renamed files writes more than seven, stand before a blank. A line of
  /// eight `>` or more is a quotation of that depth.
  private static func isBeforeName(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let end = line.firstIndex(where: { $0 != line.first }), line[end] == UInt8(ascii: " ") else {
      return false
    }
    return line.first == UInt8(ascii: "<") || end - line.startIndex == markers[1].count
  }

  private static func firstLine(in buffer: UnsafeRawBufferPointer) -> Int? {
    var line = 1
    var start = 0
    var isCode = false
    while start < buffer.count {
      let rest = buffer[start...]
      if fences.contains(where: { rest.starts(with: $0) }) {
        isCode.toggle()
      } else if !isCode, rest[start] == markers[0][0] || rest[start] == markers[1][0],
        markers.contains(where: { rest.starts(with: $0) }), isBeforeName(rest)
      {
        return line
      }
      guard let base = buffer.baseAddress, let found = memchr(base + start, 0x0A, buffer.count - start)
      else {
        return nil
      }
      start = base.distance(to: UnsafeRawPointer(found)) + 1
      line += 1
    }
    return nil
  }
}

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
