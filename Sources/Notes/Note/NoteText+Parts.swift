/// Changes of a part of a note; the bytes outside of it stay, but for a line end that a last line lacks.
extension NoteText {
  /// Returns the note with text on lines of its own at the end of a part, before its next heading.
  ///
  /// The text follows the last line that is not blank. Blank lines separate it from a heading on either side.
  package func appending(_ addition: [UInt8], to span: PartSpan) -> NoteText {
    guard !addition.isEmpty else { return self }
    if span.blockName != nil { return appending(addition, toBlock: span) }
    let place = end(of: span)
    let isFirst = span.content != span.whole && place <= span.content.lowerBound
    let isApart = !isFirst && continuesBlock(addition[...], at: place)
    return inserting((isApart ? [0x0A] : []) + addition, at: place..<place, isFirst: isFirst)
  }

  /// The place of text that is added to a part: after its last line that is not blank, before its next heading.
  package func end(of span: PartSpan) -> Int {
    let end = span.own.upperBound
    guard span.blockName == nil else { return span.whole.upperBound }
    let isSection = span.content != span.whole
    let start = isSection ? min(span.content.lowerBound, end) : span.own.lowerBound
    let text = trimmed(start..<end)
    let place = !text.isEmpty ? text.upperBound : isSection ? start : end
    // Nothing goes between a heading and its underline.
    let heading = BodyHeading.all(in: self).first { heading in
      heading.isUnderlined && place > heading.lines.lowerBound && place < heading.lines.upperBound
    }
    return heading.map { nextLine(after: $0.lines.upperBound) } ?? place
  }

  /// Returns the note with another text in the place of a part; its heading stays, as do the blank lines around the text.
  package func replacing(_ span: PartSpan, with text: [UInt8]) -> NoteText {
    let isSection = span.content != span.whole
    let old = trimmed(span.content)
    if text.allSatisfy(isSpaceByte) {
      return NoteText(Array(bytes[..<old.lowerBound]) + bytes[old.upperBound...])
    }
    if let name = span.blockName {
      if let item = span.itemText, !Self.isItem(text[...]) {
        return replacingItem(item, of: span.whole, named: name, with: text)
      }
      return replacingBlock(old, named: name, with: text)
    }
    let place = old.isEmpty ? span.content.lowerBound..<span.content.lowerBound : old
    return inserting(text, at: place, isFirst: isSection && old.isEmpty)
  }

  /// Returns the note with text behind a block: the name stays at the end of the block. The text becomes a paragraph of
  /// its own, within the list item if the block is one; a list item follows a list item directly.
  private func appending(_ addition: [UInt8], toBlock span: PartSpan) -> NoteText {
    let (block, end) = (bytes[span.whole], span.whole.upperBound)
    guard Self.isItem(block) else {
      return inserting([0x0A] + addition, at: end..<end, isFirst: false, isApart: true)
    }
    if Self.isItem(addition[...]) { return inserting(addition, at: end..<end, isFirst: false) }
    let margin = Self.margin(ofItem: block)
    let lines = addition.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.allSatisfy { isSpaceByte($0) } ? Array(line) : margin + line
    }
    return inserting(
      [0x0A] + Array(lines.joined(separator: [0x0A])), at: end..<end, isFirst: false)
  }

  /// The blanks before the text of a list item on its further lines.
  private static func margin(ofItem block: ArraySlice<UInt8>) -> [UInt8] {
    let indent = Array(block.prefix(while: isBlankByte))
    let mark = block.dropFirst(indent.count).prefix { !isSpaceByte($0) }
    return indent + Array(repeating: 0x20, count: mark.count + 1)
  }

  /// Returns the note with another text in a list item: its mark, its check box, its name and its nested lines stay.
  private func replacingItem(
    _ item: Range<Int>, of whole: Range<Int>, named name: Range<Int>, with text: [UInt8]
  ) -> NoteText {
    let label = Array(bytes[name])
    let margin = Self.margin(ofItem: bytes[whole])
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      Array($0.last == 0x0D ? $0.dropLast() : $0)
    }
    while let last = lines.last, last.allSatisfy(isSpaceByte) { lines.removeLast() }
    var added: [UInt8] = []
    for (number, line) in lines.enumerated() {
      if number > 0 { added += lineEnd + (line.allSatisfy(isSpaceByte) ? [] : margin) }
      added += line
    }
    let name = [0x20] + label
    if Array(added.suffix(name.count)) != name { added += name }
    return NoteText(Array(bytes[..<item.lowerBound]) + added + bytes[item.upperBound...])
  }

  /// Returns the note with another text in the place of a block: the name goes to the end of the text. It gets a line of its
  /// own if it had one, or if it would be code on the last line.
  private func replacingBlock(_ old: Range<Int>, named name: Range<Int>, with text: [UInt8]) -> NoteText {
    let label = Array(bytes[name])
    var text = text
    while let last = text.last, isSpaceByte(last) { text.removeLast() }
    if text.count > label.count, text.suffix(label.count) == label[...],
      isSpaceByte(text[text.count - label.count - 1])
    {
      return inserting(text, at: old, isFirst: false)
    }
    let isAlone = bytes[lineStart(before: name.lowerBound)..<name.lowerBound].allSatisfy(isBlankByte)
    let apart = inserting(text + [0x0A, 0x0A] + label, at: old, isFirst: false)
    if isAlone { return apart }
    let joined = inserting(text + [0x20] + label, at: old, isFirst: false)
    let isFound = (try? joined.span(of: .block(String(decoding: label, as: UTF8.self)))) != nil
    return isFound ? joined : apart
  }

  /// Returns the note without a part.
  package func removing(_ span: PartSpan) -> NoteText {
    NoteText(Array(bytes[..<span.whole.lowerBound]) + bytes[span.whole.upperBound...])
  }

  /// Returns this text with a blank line before it if it begins with lines that only now would be front matter.
  package func keepingBody(of old: NoteText) -> NoteText {
    old.block == nil && block != nil ? NoteText(lineEnd + bytes) : self
  }

  /// Puts whole lines in the place of whole lines.
  ///
  /// - Parameters:
  ///   - isFirst: whether the text is the first below its heading.
  ///   - isApart: whether a blank line follows the text.
  private func inserting(
    _ text: [UInt8], at place: Range<Int>, isFirst: Bool, isApart: Bool = false
  ) -> NoteText {
    var added = withOwnLineEnds(text)
    if added.last != 0x0A { added += lineEnd }
    var before: [UInt8] = []
    if place.lowerBound > 0, lineStart(before: place.lowerBound) < place.lowerBound { before += lineEnd }
    if isFirst { before += lineEnd }
    let rest = bytes[place.upperBound...]
    let nextLine = rest.prefix { $0 != 0x0A }
    // Without a blank line, an underlined heading would take the text for a part of it.
    let needsBlank =
      !nextLine.allSatisfy(isSpaceByte) && (isFirst || isApart || beginsHeading(at: place.upperBound))
    return NoteText(bytes[..<place.lowerBound] + before + added + (needsBlank ? lineEnd : []) + rest)
  }

  private func beginsHeading(at offset: Int) -> Bool {
    BodyHeading.all(in: self).contains { heading in
      heading.lines.lowerBound >= offset && bytes[offset..<heading.lines.lowerBound].allSatisfy(isBlankByte)
    }
  }

  /// A range of whole lines without the blank ones at its ends.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end {
      let next = min(nextLine(after: start), end)
      guard bytes[start..<next].allSatisfy(isSpaceByte) else { break }
      start = next
    }
    while end > start {
      let line = max(lineStart(before: end - 1), start)
      guard bytes[line..<end].allSatisfy(isSpaceByte) else { break }
      end = line
    }
    return start..<end
  }
}
