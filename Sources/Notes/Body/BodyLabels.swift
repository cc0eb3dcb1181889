import Bytes

/// The names in a part of a body by which its own lines refer to each other: labels of links and of footnotes, and blocks.
///
/// They are local to one note, so lines that are moved to another note may lose their targets.
package struct BodyLabels: Sendable {
  /// The lines that define labels, by the labels in small letters; a footnote's begins with `^`.
  package private(set) var definitions: [String: [UInt8]] = [:]
  /// The labels, without `^`, of the lines that define footnotes, and their bytes in the file.
  package private(set) var footnotes: [(label: String, range: Range<Int>)] = []
  /// The labels between brackets, in small letters, whether or not anything defines them.
  package private(set) var uses: Set<String> = []
  /// The names of blocks, such as `figure` in a line that ends with ` ^figure`.
  package private(set) var blocks: Set<String> = []

  /// - Parameter bytes: whole lines. Fenced code is left out.
  /// - Complexity: that of a scan of the blocks.
  package init(_ bytes: ArraySlice<UInt8>) {
    var fences = FencedCode.all(in: bytes)[...]
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
      while let fence = fences.first, fence.upperBound <= line.startIndex { fences.removeFirst() }
      if let fence = fences.first, fence.lowerBound < line.endIndex { continue }
      take(line, String(decoding: line.drop { $0 == 0x20 }, as: UTF8.self))
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ text: String) {
    var rest = text[...]
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]"), rest[end...].hasPrefix("]:") {
      let label = rest[rest.index(after: rest.startIndex)..<end].lowercased()
      if definitions[label] == nil { definitions[label] = Array(line) }
      if label.hasPrefix("^"), let mark = line.firstIndex(of: UInt8(ascii: "^")),
        let close = line[mark...].firstIndex(of: UInt8(ascii: "]"))
      {
        footnotes.append((String(label.dropFirst()), mark + 1..<close))
      }
      rest = rest[rest.index(end, offsetBy: 2)...]
    }
    if let block = Self.block(at: rest) { blocks.insert(block) }
    while let open = rest.firstIndex(of: "[") {
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(where: { $0 == "]" || $0 == "[" }) else { return }
      if rest[close] == "]" { uses.insert(rest[..<close].lowercased()) }
      rest = rest[close...]
    }
  }

  /// The name of the block that a line ends with.
  private static func block(at line: Substring) -> String? {
    guard let word = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).last,
      word.first == "^"
    else { return nil }
    let name = word.dropFirst()
    return !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } ? String(name) : nil
  }
}

/// The definitions and uses of the labels of links and footnotes, as a scan of a body finds them.
struct LabelUses {
  var definitions: [(label: String, range: Range<Int>)] = []
  /// The footnotes, whose labels begin with `^`.
  var footnotes: [(label: String, range: Range<Int>)] = []
  /// The labels that links and marks of footnotes use.
  var used: Set<String> = []
  /// The cells behind the last column of a table.
  var excess: [Range<Int>] = []
  /// The numbers of the footnotes that are open.
  var open: [Int] = []

  mutating func beginFootnote(_ label: String, _ range: Range<Int>) {
    open.append(footnotes.count)
    footnotes.append((label, range))
  }

  mutating func endFootnote(at offset: Int) {
    guard let number = open.popLast() else { return }
    footnotes[number].range = footnotes[number].range.lowerBound..<offset
  }
}

/// The parts of a body outside of comments that no page shows. `[//]: # (words)` is the usual comment of Markdown.
package struct UnshownText: Sendable {
  /// The cells behind the last column of a table, and the definitions and footnotes that nothing uses, in order.
  package let unused: [Range<Int>]
  /// These and the definitions that links use, in order.
  package let all: [Range<Int>]

  /// - Complexity: that of a scan of the body.
  package init(_ text: NoteText) {
    let body = text.bytes[text.body]
    guard body.contains(UInt8(ascii: "|")) || body.firstRange(of: "]:".utf8) != nil else {
      (unused, all) = ([], [])
      return
    }
    let found = text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: text.body.upperBound)
      scanner.inline.labelUses = LabelUses()
      scanner.scan(from: text.body.lowerBound)
      return scanner.inline.labelUses ?? LabelUses()
    }
    var known: Set<String> = []
    let isUnused = { (part: (label: String, range: Range<Int>)) in
      !known.insert(part.label).inserted || !found.used.contains(part.label)
    }
    let parts = found.excess + (found.definitions + found.footnotes).filter(isUnused).map(\.range)
    unused = parts.sorted { $0.lowerBound < $1.lowerBound }
    all = (parts + found.definitions.map(\.range)).sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension NoteText {
  /// The text with some bytes replaced by blanks, so that all offsets stay. Line ends stay too.
  package func blanking(_ ranges: [Range<Int>]) -> NoteText {
    guard !ranges.isEmpty else { return self }
    var bytes = bytes
    for place in ranges.joined() where bytes[place] != 0x0A && bytes[place] != 0x0D { bytes[place] = 0x20 }
    return NoteText(bytes)
  }
}

/// The names of blocks, such as `^figure` at the end of a line, by which links lead to them.
package enum BlockNames {
  /// The names with their `^`, and their bytes in the file; those in code are among them.
  ///
  /// - Complexity: O(n).
  package static func all(in text: NoteText) -> [(name: String, range: Range<Int>)] {
    guard text.bytes[text.body].contains(UInt8(ascii: "^")) else { return [] }
    var found: [(name: String, range: Range<Int>)] = []
    var start = text.body.lowerBound
    while start < text.body.upperBound {
      let lineFeed = text.bytes[start..<text.body.upperBound].firstIndex(of: 0x0A) ?? text.body.upperBound
      if let range = name(in: text.bytes[start..<lineFeed]) {
        found.append((String(decoding: text.bytes[range], as: UTF8.self), range))
      }
      start = lineFeed + 1
    }
    return found
  }

  /// The name, without `^`, of the block that the end of a link's target leads to, as in `#^figure`; nil if it leads to
  /// none.
  package static func name(inLink suffix: [UInt8]) -> String? {
    guard let mark = suffix.lastIndex(of: UInt8(ascii: "#")), suffix[(mark + 1)...].first == UInt8(ascii: "^")
    else {
      return nil
    }
    return String(decoding: suffix[(mark + 2)...], as: UTF8.self)
  }

  private static func name(in line: ArraySlice<UInt8>) -> Range<Int>? {
    var end = line.endIndex
    while end > line.startIndex, line[end - 1] <= 0x20 { end -= 1 }
    var start = end
    while start > line.startIndex, isLetter(line[start - 1]) { start -= 1 }
    guard start < end, start > line.startIndex, line[start - 1] == UInt8(ascii: "^"),
      start - 1 == line.startIndex || line[start - 2] <= 0x20
    else { return nil }
    return (start - 1)..<end
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
  }
}

/// The definitions of labels in a part of a note: `[^1]: text` with its indented lines, and `[label]: address`.
struct LabelDefinitions {
  struct Definition {
    /// In small letters; that of a footnote begins with `^`.
    let label: String
    /// The bytes of its lines.
    let lines: Range<Int>
    var isFootnote: Bool { label.hasPrefix("^") }
  }

  private(set) var all: [Definition] = []

  /// - Complexity: that of a scan of the body.
  init(_ text: NoteText, outside part: Range<Int>) {
    let fences = FencedCode.all(in: text)
    var line = text.body.lowerBound
    while line < text.body.upperBound {
      let next = text.nextLine(after: line)
      if part.contains(line) {
        line = part.upperBound
      } else if let label = Self.label(text.bytes[line..<next]),
        !fences.contains(where: { $0.contains(line) })
      {
        let end = label.hasPrefix("^") ? Self.end(of: next, in: text, before: part) : next
        all.append(Definition(label: label, lines: line..<end))
        line = end
      } else {
        line = next
      }
    }
  }

  private static func label(_ line: ArraySlice<UInt8>) -> String? {
    guard line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")),
      line.dropFirst(end + 1 - line.startIndex).first == UInt8(ascii: ":")
    else { return nil }
    return String(decoding: line[(line.startIndex + 1)..<end], as: UTF8.self).lowercased()
  }

  /// The end of a footnote whose first line ends at an offset: its further lines are indented.
  private static func end(of start: Int, in text: NoteText, before part: Range<Int>) -> Int {
    var (end, line) = (start, start)
    while line < text.body.upperBound, !part.contains(line) {
      let next = text.nextLine(after: line)
      let bytes = text.bytes[line..<next]
      if !bytes.allSatisfy(isSpaceByte) {
        guard bytes.first == 0x09 || bytes.starts(with: [0x20, 0x20]) else { break }
        end = next
      }
      line = next
    }
    return end
  }
}

extension NoteText {
  /// Returns the note with the definitions that a part needs at the end of the part, so that it can go to another note:
  /// those that it alone uses are moved, and addresses that other lines use too are copied.
  ///
  /// - Parameter part: the bytes of whole lines.
  /// - Complexity: that of a scan of the body.
  package func gatheringDefinitions(into part: Range<Int>) -> NoteText {
    let inside = BodyLabels(bytes[part])
    let outside = BodyLabels(bytes[body.lowerBound..<part.lowerBound] + bytes[part.upperBound...])
    let needed = LabelDefinitions(self, outside: part).all.filter { definition in
      inside.uses.contains(definition.label) && inside.definitions[definition.label] == nil
        && (!definition.isFootnote || !outside.uses.contains(definition.label))
    }
    guard !needed.isEmpty else { return self }
    var splices = Splices()
    var added: [UInt8] = []
    var removed: [Range<Int>] = []
    for (number, definition) in needed.enumerated() {
      // Behind a footnote, the line of an address would be a part of the footnote.
      if number > 0, needed[number - 1].isFootnote, !definition.isFootnote { added += lineEnd }
      var lines = Array(bytes[definition.lines])
      if lines.last != 0x0A { lines += lineEnd }
      added += lines
      guard !outside.uses.contains(definition.label) else { continue }
      if let last = removed.last, last.upperBound == definition.lines.lowerBound {
        removed[removed.count - 1] = last.lowerBound..<definition.lines.upperBound
      } else {
        removed.append(definition.lines)
      }
    }
    for lines in removed { splices.remove(withoutDoubleBlank(lines)) }
    var end = part.upperBound
    while end > part.lowerBound, isSpaceByte(bytes[end - 1]) { end -= 1 }
    splices.insert(lineEnd + lineEnd + added.dropLast(lineEnd.count), at: end)
    return NoteText(splices.applied(to: bytes))
  }

  /// Whole lines, with the blank line before them if another one or the end of the note follows.
  private func withoutDoubleBlank(_ lines: Range<Int>) -> Range<Int> {
    let isBlank = { (range: Range<Int>) in bytes[range].allSatisfy(isSpaceByte) }
    let start = lineStart(before: max(0, lines.lowerBound - 1))
    guard lines.lowerBound > body.lowerBound, isBlank(start..<lines.lowerBound),
      isBlank(lines.upperBound..<nextLine(after: lines.upperBound))
    else { return lines }
    return start..<lines.upperBound
  }
}

/// Other names for the blocks and footnotes of a text, for a note that has the same names already.
package struct LabelRenames: Sendable, Equatable {
  /// The new names of blocks, without `^`.
  package private(set) var blocks: [String: String] = [:]
  /// The new labels of footnotes, by the old ones in small letters, without `^`.
  private var footnotes: [String: String] = [:]

  /// - Parameters:
  ///   - text: the note of which a part goes to the other one.
  ///   - range: the bytes of the part.
  ///   - other: the note that the part goes to.
  /// - Complexity: linear.
  package init(in text: NoteText, _ range: Range<Int>, beside other: NoteText) {
    let prose = Prose(of: text)
    let own = Set(Self.blocks(in: text, prose).filter { range.contains($0.range.lowerBound) }.map(\.name))
    let present = Set(Self.blocks(in: other, Prose(of: other)).map(\.name))
    blocks = Self.renames(of: own.intersection(present), apartFrom: own.union(present))
    let labels = [BodyLabels(text.bytes[range]), BodyLabels(other.bytes[other.body])].map(Self.footnotes)
    footnotes = Self.renames(of: labels[0].intersection(labels[1]), apartFrom: labels[0].union(labels[1]))
  }

  private var isEmpty: Bool { blocks.isEmpty && footnotes.isEmpty }

  /// Replaces the names in a part of a note. Code and comments stay as they are.
  ///
  /// - Complexity: linear.
  package func rename(in text: NoteText, _ part: Range<Int>, with splices: inout Splices) {
    guard !isEmpty else { return }
    let prose = Prose(of: text)
    for block in Self.blocks(in: text, prose) where part.contains(block.range.lowerBound) {
      if let name = blocks[block.name] { splices.replace(block.range, with: Array("^\(name)".utf8)) }
    }
    guard !footnotes.isEmpty else { return }
    let definitions = BodyLabels(text.bytes[part]).footnotes
    for definition in definitions {
      if let new = footnotes[definition.label] { splices.replace(definition.range, with: Array(new.utf8)) }
    }
    let defined = Set(definitions.map(\.range.lowerBound))
    for stretch in prose.ranges.map({ $0.clamped(to: part) }) {
      var position = stretch.lowerBound
      while let open = text.bytes[position..<stretch.upperBound].firstIndex(of: UInt8(ascii: "[")) {
        position = open + 1
        guard position < stretch.upperBound, text.bytes[position] == UInt8(ascii: "^"),
          let close = text.bytes[position..<stretch.upperBound].firstIndex(of: UInt8(ascii: "]"))
        else { continue }
        let range = (position + 1)..<close
        let label = String(decoding: text.bytes[range], as: UTF8.self).lowercased()
        if let new = footnotes[label], !defined.contains(range.lowerBound) {
          splices.replace(range, with: Array(new.utf8))
        }
      }
    }
  }

  /// The names of blocks without `^`, outside of code.
  private static func blocks(in text: NoteText, _ prose: Prose) -> [(name: String, range: Range<Int>)] {
    BlockNames.all(in: text).filter { prose.holds($0.range) }.map { (String($0.name.dropFirst()), $0.range) }
  }

  private static func footnotes(_ labels: BodyLabels) -> Set<String> {
    Set(labels.footnotes.map(\.label))
  }

  /// A free name for each: the next number for a number, else the name with the first free number after a hyphen.
  private static func renames(of names: Set<String>, apartFrom taken: Set<String>) -> [String: String] {
    var (renames, taken): ([String: String], Set<String>) = ([:], taken)
    for name in names.sorted() {
      let isNumber = name.utf8.count < 10 && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
      let number = isNumber ? Int(name) : nil
      let candidates = (1...).lazy.map { step in number.map { String($0 + step) } ?? "\(name)-\(step + 1)" }
      guard let free = candidates.first(where: { !taken.contains($0) }) else { continue }
      taken.insert(free)
      renames[name] = free
    }
    return renames
  }
}
