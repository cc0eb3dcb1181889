extension NoteText {
  /// Returns the note with another body, taken as it is.
  ///
  /// A line end is added only where the body would otherwise join the closing fence or be read as
  /// front-matter.
  package func replacingBody(_ body: [UInt8]) -> NoteText {
    NoteText(Array(bytes[..<self.body.lowerBound]) + separator(before: body) + body)
  }

  /// Returns the note with text after its end, on lines of its own, with the line ends of the file.
  package func appending(_ addition: [UInt8]) -> NoteText {
    guard !addition.isEmpty else { return self }
    var added = withOwnLineEnds(addition)
    if added.last != 0x0A { added += lineEnd }
    if body.isEmpty { return replacingBody(added) }
    return NoteText(bytes + (bytes.last == 0x0A ? [] : lineEnd) + added)
  }

  /// Returns the line end that must come before a new body, or nothing.
  private func separator(before body: [UInt8]) -> [UInt8] {
    guard !body.isEmpty else { return [] }
    if block != nil { return bytes[self.body.lowerBound - 1] == 0x0A ? [] : lineEnd }
    return Fences(in: body).format == .none ? [] : lineEnd
  }

  /// Returns text with every line end written as in the file.
  package func withOwnLineEnds(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 16)
    for (index, byte) in text.enumerated() {
      if byte == 0x0A {
        result += lineEnd
      } else if byte != 0x0D || index + 1 == text.count || text[index + 1] != 0x0A {
        result.append(byte)
      }
    }
    return result
  }
}
