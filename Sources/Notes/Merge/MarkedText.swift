/// A text with git's conflict markers, split into its versions.
///
/// Git's form: `<<<<<<< NAME`, our lines, in the style `diff3` `||||||| NAME` and the base's, `=======`, their lines,
/// `>>>>>>> NAME`. Nested markers, as a merge of committed markers leaves them, give further versions. The
/// markers of one conflict have the same number of signs.
package struct MarkedText {
  /// A part of the text: lines that all versions have, or a conflict.
  private enum Part {
    case shared(ArraySlice<UInt8>)
    case conflict(base: [UInt8]?, versions: [[UInt8]])
  }

  /// The line of a base that is not known: no version has it, so all versions have changed it.
  private static let unknown = Array("\u{1}\n".utf8)

  private let parts: [Part]
  /// The versions; one alone if all that is between the markers is of one.
  package let versions: [[UInt8]]
  /// The common base of the versions, as far as the markers contain it.
  package let base: [UInt8]
  private let isEverywhere: Bool
  /// The names of both versions, if the markers of all conflicts have the same two.
  private var names: (first: String, second: String)?

  /// Nil if the text has no markers, or an opening marker that no other closes.
  ///
  /// A merge of committed markers can put the markers of two conflicts between each other. Markers that do not pair are then
  /// left out, and every other line stays in a version.
  /// - Parameter isEverywhere: whether markers in code and comments count too.
  /// - Complexity: O(n), and a scan of the text for each conflict with code or comments in it.
  package init?(_ bytes: [UInt8], isEverywhere: Bool = false) {
    guard Self.isMarked(bytes, isEverywhere) else { return nil }
    for (isTolerant, readsBases) in [(false, true), (false, false), (true, true), (true, false)] {
      var reader = MarkedReader(
        bytes, isTolerant: isTolerant, readsBases: readsBases, isEverywhere: isEverywhere)
      guard let parts = reader.parts() else { continue }
      // A merge of committed markers can leave an opening and a closing one with nothing between them.
      self.init(parts, isEverywhere: isEverywhere, atLeast: isTolerant && reader.hasOnlyMarkers ? 1 : 2)
      names = reader.names
      return
    }
    return nil
  }

  /// Nil if no part has at least that many versions.
  private init?(_ parts: [Part], isEverywhere: Bool, atLeast fewest: Int = 2) {
    (self.parts, self.isEverywhere) = (parts, isEverywhere)
    let most = parts.map { if case .conflict(_, let versions) = $0 { versions.count } else { 0 } }.max() ?? 0
    guard most >= fewest else { return nil }
    versions = (0..<most).map { number in
      parts.flatMap { part in
        switch part {
        case .shared(let lines): Array(lines)
        // A conflict of fewer versions has nothing to add to the last ones.
        case .conflict(let base, let versions):
          if number < versions.count {
            versions[number]
          } else if let base, !Self.lines(of: base).contains(Self.unknown[...]) {
            base
          } else {
            versions[versions.count - 1]
          }
        }
      }
    }
    var text: [UInt8] = []
    for part in parts {
      switch part {
      case .shared(let lines): text += lines
      case .conflict(let base?, _):
        // Fields of front matter are compared by name.
        let isField = NoteText(text + base).isUnclosed
        text += isField ? Self.lines(of: base).filter { $0 != Self.unknown[...] }.flatMap(\.self) : base
      case .conflict(nil, let versions): Self.addCommon(of: versions, to: &text)
      }
    }
    base = text
  }

  /// The lines of bases that no version has, without their line ends: both sides changed or deleted them, or somebody wrote
  /// them into the text after the merge.
  package var linesOfBasesAlone: Set<ArraySlice<UInt8>> {
    parts.reduce(into: []) { lines, part in
      guard case .conflict(let base?, let versions) = part else { return }
      lines.formUnion(Self.linesAlone(in: base, versions))
    }
  }

  /// The text with a base as a further version if somebody wrote into it.
  ///
  /// A merge has no place for such a line: no side has it, as if both had deleted it.
  /// - Parameter isKnown: whether a version in history has a line, which is given without its line end.
  package func keepingBases(unless isKnown: (ArraySlice<UInt8>) -> Bool) -> MarkedText {
    let parts = parts.map { part -> Part in
      guard case .conflict(let base?, let versions) = part else { return part }
      let written = Self.linesAlone(in: base, versions).filter { !isKnown($0) }
      guard !written.isEmpty else { return part }
      // In its place the base has a line that no version has, so that the versions stay a conflict.
      let known = Self.lines(of: base).map { written.contains(Self.withoutEnd($0)) ? Self.unknown[...] : $0 }
      return .conflict(base: known.flatMap(\.self), versions: versions + [base])
    }
    var text = MarkedText(parts, isEverywhere: isEverywhere) ?? self
    text.names = names
    return text
  }

  /// The lines with a letter or digit that a base has and no version has, without their line ends.
  private static func linesAlone(in base: [UInt8], _ versions: [[UInt8]]) -> Set<ArraySlice<UInt8>> {
    let known = Set(versions.flatMap { lines(of: $0).map(withoutEnd) })
    let isText = { (line: ArraySlice<UInt8>) in
      line.contains { $0 >= 0x80 || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
    }
    return Set(
      lines(of: base).map(withoutEnd).filter { line in
        isText(line) && !known.contains(line) && !"<|>".contains { MarkedReader.marker(line, $0) != nil }
      })
  }

  /// The lines of a text with their line feeds.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var (lines, start): ([ArraySlice<UInt8>], Int) = ([], 0)
    for index in bytes.indices where bytes[index] == 0x0A {
      lines.append(bytes[start...index])
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }

  /// A line without its line feed and a carriage return before it.
  private static func withoutEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.last == 0x0A { line.removeLast() }
    if line.last == 0x0D { line.removeLast() }
    return line
  }

  /// The lines that two texts have in common, as the base of texts whose base is not known: if they differ, a merge keeps
  /// both as a conflict.
  package static func base(of one: NoteText, and other: NoteText) -> NoteText {
    var text: [UInt8] = []
    addCommon(of: [one.bytes, other.bytes], to: &text)
    return NoteText(text)
  }

  /// Adds the lines that all versions of a conflict have in common to the text of a base.
  ///
  /// A line that some versions lack counts as added by the others, so that none is taken for deleted.
  private static func addCommon(of versions: [[UInt8]], to text: inout [UInt8]) {
    var common = versions[0]
    for version in versions.dropFirst() {
      var kept: [UInt8] = []
      for hunk in TextDiff.parts(common, version) {
        switch hunk {
        case .same(let lines): kept += lines
        // Fields of front matter are compared by name, so that an empty base does.
        case .different(let isReplaced):
          if isReplaced, !NoteText(text + kept).isUnclosed { kept += unknown }
        }
      }
      common = kept
    }
    text += common
  }

  /// All versions merged: of parts that differ, both stay, as in any merge of notes.
  ///
  /// - Returns: nil if the versions can't be merged.
  package func merged(rules: MergeRules = MergeRules()) -> NoteText? {
    var text = NoteText(versions[0])
    // Of two sides that are as old, neither counts as the later one.
    let stamp = { (name: String) in MergeStamp(seconds: 0, commit: "", when: "", who: "", device: name) }
    var times = MergeTimes()
    if let names, versions.count == 2 {
      times = MergeTimes(all: MergeStamps(one: stamp(names.first), other: stamp(names.second)))
    }
    for version in versions.dropFirst() {
      let merged = NoteMerge.merge(
        base: NoteText(base), one: text, other: NoteText(version), rules: rules, times: times)
      guard let merged else { return nil }
      text = merged.text
    }
    return Self.isMarked(text.bytes, isEverywhere) ? nil : text
  }

  private static func isMarked(_ bytes: [UInt8], _ isEverywhere: Bool) -> Bool {
    isEverywhere ? MergeMarkers.isAnywhere(in: bytes) : MergeMarkers.firstLine(in: bytes) != nil
  }

  /// The conflicts of a text with their markers, also those in code and comments.
  package static func blocks(in bytes: [UInt8]) -> Set<[UInt8]> {
    var (found, open): (Set<[UInt8]>, [UInt8]?) = ([], nil)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "<<<<<<< ".utf8) { open = [] }
      open?.append(contentsOf: line + [0x0A])
      if line.starts(with: ">>>>>>> ".utf8), let block = open {
        found.insert(block)
        open = nil
      }
    }
    return found
  }

  /// A text with its versions merged; as it is if it has no markers, and if the versions can't be merged.
  ///
  /// - Parameter known: a text from which the lines of bases come; the others were written into them and stay. Nil if all
  ///   lines of bases that no version has may go.
  package static func settled(
    _ bytes: [UInt8], rules: MergeRules, known: [UInt8]? = nil
  ) -> NoteText {
    guard var marked = MarkedText(bytes) else { return NoteText(bytes) }
    if let known, !marked.linesOfBasesAlone.isEmpty {
      let knownLines = Set(lines(of: known).map(withoutEnd))
      marked = marked.keepingBases(unless: knownLines.contains)
    }
    return marked.merged(rules: rules) ?? NoteText(bytes)
  }

  /// Reads the lines of a text with markers.
  private struct MarkedReader {
    private let bytes: [UInt8]
    private var lines: ArraySlice<ArraySlice<UInt8>>
    /// Whether markers that do not pair are left out.
    private let isTolerant: Bool
    /// Whether markers in a base are those of a conflict, as a merge of bases or of committed markers leaves them.
    private let readsBases: Bool
    /// Whether markers in code and comments count too.
    private let isEverywhere: Bool
    /// Code and comments, in which markers don't count.
    private var literal: [Range<Int>] = []
    /// Whether no conflict has any line between its markers.
    private(set) var hasOnlyMarkers = true
    /// The label of the closing marker of the last conflict.
    private var closing: [UInt8] = []
    /// The names of the sides of each conflict; empty names if it has further versions.
    private var sideNames: [[String]] = []

    /// The names of both sides; nil if they differ from one conflict to another, and if a name is not known.
    var names: (first: String, second: String)? {
      guard let first = sideNames.first, sideNames.allSatisfy({ $0 == first }), first.count == 2,
        !first.contains(""), first[0] != first[1]
      else { return nil }
      return (first[0], first[1])
    }

    init(_ bytes: [UInt8], isTolerant: Bool, readsBases: Bool, isEverywhere: Bool) {
      (self.bytes, self.isTolerant, self.isEverywhere) = (bytes, isTolerant, isEverywhere)
      self.readsBases = readsBases
      if !isEverywhere { literal = LiteralText.ranges(in: bytes) }
      lines = MarkedText.lines(of: bytes)[...]
    }

    /// The parts of the whole text; nil if markers do not pair.
    mutating func parts() -> [Part]? {
      var parts: [Part] = []
      // The text so far with the first version of each conflict.
      var text: [UInt8] = []
      while let line = lines.first {
        let isLiteral = literal.holds(line.startIndex)
        if !isLiteral, let size = Self.marker(line, "<") {
          let opening = Self.name(line)
          guard let conflict = conflict(size) else { return nil }
          parts.append(conflict)
          if case .conflict(_, let versions) = conflict {
            sideNames.append(versions.count == 2 ? [opening, Self.name(of: closing)] : [])
            hasOnlyMarkers = hasOnlyMarkers && versions.allSatisfy(\.isEmpty)
            read(versions, into: &text)
          }
          continue
        }
        lines.removeFirst()
        if !isLiteral, let size = Self.marker(line, ">") {
          guard isTolerant else { return nil }
          dropSeparator(size, before: &parts)
        } else {
          parts.append(.shared(line))
          text += line
        }
      }
      return parts
    }

    /// Drops a separator that a conflict or nothing but blank lines precede: it belongs to the closing marker after it, which
    /// has no opening one. Below other text it underlines a heading.
    private func dropSeparator(_ size: Int, before parts: inout [Part]) {
      guard case .shared(let line)? = parts.last, Self.marker(line, "=") == size else { return }
      guard case .shared(let above)? = parts.dropLast().last else {
        parts.removeLast()
        return
      }
      if MarkedText.withoutEnd(above).isEmpty { parts.removeLast() }
    }

    /// Adds the first version of a conflict to the text so far. Code and comments that begin or end in it hold for the rest.
    private mutating func read(_ versions: [[UInt8]], into text: inout [UInt8]) {
      text += versions[0]
      guard !isEverywhere, let next = lines.first?.startIndex,
        versions.contains(where: { LiteralText.mayChange(by: $0) })
      else { return }
      let before = text.count
      literal = LiteralText.ranges(in: text + bytes[next...]).filter { $0.upperBound > before }
        .map { max(next, $0.lowerBound - before + next)..<$0.upperBound - before + next }
    }

    /// Reads a conflict from its first marker to its last; nil if it has none.
    /// - Parameter size: the number of signs of its markers.
    private mutating func conflict(_ size: Int) -> Part? {
      let opening = Self.label(lines.removeFirst())
      var sides: [[[UInt8]]] = [[[]]]
      var base: [UInt8]?
      var isBase = false
      // The lines of conflicts inside the base.
      var inBase: [ArraySlice<UInt8>] = []
      // The labels of opening markers in the base that another marker than their own closes, with the lines after them.
      var crossing: [(label: [UInt8], lines: [ArraySlice<UInt8>])] = []
      while let line = lines.first {
        if Self.marker(line, ">") == size {
          lines.removeFirst()
          guard isTolerant || sides.count == 2 else { return nil }
          closing = Self.label(line)
          // Lines that only a conflict inside the base has are deleted, or were written there.
          let known = Set((sides.joined() + [base ?? []]).flatMap { MarkedText.lines(of: $0) })
          // If the markers of two conflicts cross, they are lines of a side.
          for lines in crossing where lines.label == closing && opening != closing {
            let own = lines.lines.filter { !known.contains($0) }
            inBase.removeAll { own.contains($0) }
            if !own.isEmpty { sides.append([own.flatMap(\.self)]) }
          }
          base?.append(contentsOf: inBase.filter { !known.contains($0) }.joined())
          // Without a marker between them, the base may have lines of a side.
          if isBase, let base { sides.append([base]) }
          return .conflict(base: isBase ? nil : base, versions: sides.flatMap(\.self))
        }
        if isBase, readsBases, let inner = Self.marker(line, "<") {
          guard case .conflict(_, let versions)? = conflict(inner) else { return nil }
          base?.append(contentsOf: Self.common(of: versions))
          let own = versions.flatMap { MarkedText.lines(of: $0) }
          inBase += own
          let label = Self.label(line)
          if inner == size, !label.isEmpty, label != closing { crossing.append((label, own)) }
          continue
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

    /// The lines of the first version that all others have too: of a base only these count as deleted if a side lacks them.
    private static func common(of versions: [[UInt8]]) -> [UInt8] {
      let others = versions.dropFirst().map { Set(MarkedText.lines(of: $0)) }
      return MarkedText.lines(of: versions[0]).filter { line in others.allSatisfy { $0.contains(line) } }
        .flatMap(\.self)
    }

    /// The label of a marker: the text after its signs.
    private static func label(_ line: ArraySlice<UInt8>) -> [UInt8] {
      Array(MarkedText.withoutEnd(line).drop { $0 == line.first }.drop { $0 == 0x20 })
    }

    /// The name of a side in a marker as one word, without the path and the subject of a commit that git adds.
    private static func name(_ line: ArraySlice<UInt8>) -> String { name(of: label(line)) }

    private static func name(of label: [UInt8]) -> String {
      let text = String(decoding: label, as: UTF8.self)
      let name = text.split(separator: " (", maxSplits: 1).first ?? ""
      let isPart = { (character: Character) in
        character.isLetter || character.isNumber || "/._".contains(character)
      }
      return name.prefix { $0 != ":" }.split { !isPart($0) }.joined(separator: "-")
    }

    /// The number of signs with which a line begins, seven or more, alone or before a blank; nil for another line.
    fileprivate static func marker(_ line: ArraySlice<UInt8>, _ sign: Character) -> Int? {
      let size = line.prefix { $0 == sign.asciiValue }.count
      let next = line.dropFirst(size).first
      return size > 6 && (next == nil || next == 0x20 || next == 0x0A || next == 0x0D) ? size : nil
    }
  }
}
