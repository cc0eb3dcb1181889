/// Changes of a part of a note; the bytes outside of it stay, but for a line end that a last line lacks.
extension NoteText {
  /// Returns the note with text on lines of its own at the end of a part, before its next heading.
  ///
  /// The text stands behind the last line that is not blank. Blank lines set it off from a heading on either side.
  package func appending(_ addition: [UInt8], to span: PartSpan) -> NoteText {
    guard !addition.isEmpty else { return self }
    var place = span.own.upperBound
    let isSection = span.content != span.whole
    let textStart = isSection ? min(span.content.lowerBound, place) : span.own.lowerBound
    let text = trimmed(textStart..<place)
    if !text.isEmpty { place = text.upperBound } else if isSection { place = textStart }
    return inserting(addition, at: place..<place, isFirst: isSection && text.isEmpty)
  }

  /// Returns the note with another text in the place of a part; its heading stays, as do the blank lines around the text.
  package func replacing(_ span: PartSpan, with text: [UInt8]) -> NoteText {
    let isSection = span.content != span.whole
    let old = trimmed(span.content)
    if text.allSatisfy(isSpaceByte) {
      return NoteText(Array(bytes[..<old.lowerBound]) + bytes[old.upperBound...])
    }
    let place = old.isEmpty ? span.content.lowerBound..<span.content.lowerBound : old
    return inserting(text, at: place, isFirst: isSection && old.isEmpty)
  }

  /// Returns the note without a part.
  package func removing(_ span: PartSpan) -> NoteText {
    NoteText(Array(bytes[..<span.whole.lowerBound]) + bytes[span.whole.upperBound...])
  }

  /// Puts whole lines in the place of whole lines.
  ///
  /// - Parameter isFirst: whether the text is the first below its heading.
  private func inserting(_ text: [UInt8], at place: Range<Int>, isFirst: Bool) -> NoteText {
    var added = withOwnLineEnds(text)
    if added.last != 0x0A { added += lineEnd }
    var before: [UInt8] = []
    if place.lowerBound > 0, bytes[place.lowerBound - 1] != 0x0A { before += lineEnd }
    if isFirst { before += lineEnd }
    let rest = bytes[place.upperBound...]
    let nextLine = rest.prefix { $0 != 0x0A }
    // Without a blank line, an underlined heading would take the text for a part of it.
    let needsBlank = !nextLine.allSatisfy(isSpaceByte) && (isFirst || beginsHeading(at: place.upperBound))
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
      let next = bytes[start..<end].firstIndex(of: 0x0A).map { $0 + 1 } ?? end
      guard bytes[start..<next].allSatisfy(isSpaceByte) else { break }
      start = next
    }
    while end > start {
      let line = bytes[start..<(end - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? start
      guard bytes[line..<end].allSatisfy(isSpaceByte) else { break }
      end = line
    }
    return start..<end
  }
}
