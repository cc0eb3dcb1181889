extension BodyBlocks {
  /// Skips a comment, or an element whose insides are no Markdown, over as many lines as it takes.
  mutating func takeHTML(_ line: Line) -> Int? {
    if starts("<!--", at: line.position) {
      interrupt(at: line)
      guard let close = find("-->", from: line.position + 2) else { return end }
      let next = offset(of: 0x0A, from: close, to: end) ?? end
      inline.scan(close, next)
      return next < end ? next + 1 : end
    }
    for name: StaticString in ["script", "style", "pre", "textarea"] where isElement(name, line) {
      interrupt(at: line)
      let close = findClosing(name, from: line.position)
      return close.flatMap { offset(of: 0x0A, from: $0, to: end) }.map { $0 + 1 } ?? end
    }
    return nil
  }

  /// Whether a line begins with the opening tag of an element.
  private func isElement(_ name: StaticString, _ line: Line) -> Bool {
    let after = line.position + 1 + name.utf8CodeUnitCount
    guard starts(name, at: line.position + 1, ignoringCase: true), after <= line.end else { return false }
    return after == line.end || isBlank(bytes[after]) || bytes[after] == UInt8(ascii: ">")
  }

  private func findClosing(_ name: StaticString, from start: Int) -> Int? {
    var position = start
    while let close = find("</", from: position) {
      if starts(name, at: close + 2, ignoringCase: true) { return close }
      position = close + 2
    }
    return nil
  }

  private func find(_ text: StaticString, from start: Int) -> Int? {
    let first = text.utf8Start[0]
    var position = start
    while let candidate = offset(of: first, from: position, to: end) {
      if starts(text, at: candidate) { return candidate }
      position = candidate + 1
    }
    return nil
  }

  private func starts(_ text: StaticString, at position: Int, ignoringCase: Bool = false) -> Bool {
    guard end - position >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount {
      let byte = bytes[position + index]
      guard (ignoringCase ? byte | 0x20 : byte) == text.utf8Start[index] else { return false }
    }
    return true
  }

  /// The offset of the first such byte in a range.
  func offset(of byte: UInt8, from start: Int, to end: Int) -> Int? {
    bytes.offset(of: byte, from: start, to: end)
  }

  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
