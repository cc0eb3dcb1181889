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

  /// Where a footnote ends whose first line ends at an offset: its further lines are indented.
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
