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

  /// Nil if the text has no markers, or markers that do not pair.
  /// - Complexity: O(n).
  package init?(_ bytes: [UInt8]) {
    guard MergeMarkers.firstLine(in: bytes) != nil else { return nil }
    var reader = MarkedReader(bytes)
    guard let parts = reader.parts() else { return nil }
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

    init(_ bytes: [UInt8]) {
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
        if !isCode, Self.marker(line, ">") != nil { return nil }
        lines.removeFirst()
        parts.append(.shared(line))
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
          guard sides.count == 2 else { return nil }
          return .conflict(base: base, versions: sides[0] + sides[1])
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
