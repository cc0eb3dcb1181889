/// The heading that opens the body of a note and gives it its title.
///
/// It is of the first level and the first block: only blank lines, comments, and one line of tags or one image stand before
/// it. A heading further down names a part of the note.
package struct TitleHeading: Sendable, Equatable {
  /// Without markup, not empty, at most about 1,000 bytes of it.
  package let text: String
}

/// Finds the first block of a body.
struct BodyOpening {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int

  /// Returns where the first block begins, behind what may stand before the heading of a title.
  ///
  /// - Complexity: linear in what stands before the block.
  static func offset(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    BodyOpening(bytes: bytes, end: end).offset(from: start)
  }

  private func offset(from start: Int) -> Int {
    var position = start
    var hasLead = false
    while position < end {
      let first = skippingBlanks(position)
      guard first < end else { return end }
      if starts("<!--", at: first) {
        position = lineEnd(behind: find("-->", from: first + 2))
      } else if starts("%%", at: first) {
        position = lineEnd(behind: find("%%", from: first + 2))
      } else if !hasLead, isLead(first..<lineEnd(first)) {
        hasLead = true
        position = lineEnd(first)
      } else {
        return first
      }
    }
    return end
  }

  /// Whether a line is tags alone, or one image.
  private func isLead(_ line: Range<Int>) -> Bool {
    var last = line.upperBound
    while last > line.lowerBound, isBlank(bytes[last - 1]) || bytes[last - 1] == 0x0A { last -= 1 }
    let line = line.lowerBound..<last
    if starts("!", at: line.lowerBound) { return isImage(line) }
    let words = bytes[line].split(whereSeparator: { isBlank($0) || $0 == UInt8(ascii: ",") })
    return words.allSatisfy { word in
      word.first == UInt8(ascii: "#") && word.count > 1
        && !word.dropFirst().contains(UInt8(ascii: "#"))
    }
  }

  private func isImage(_ line: Range<Int>) -> Bool {
    if starts("![[", at: line.lowerBound) {
      return find("]]", from: line.lowerBound + 3).map { $0 + 2 == line.upperBound } ?? false
    }
    guard starts("![", at: line.lowerBound), let close = find("](", from: line.lowerBound + 2),
      close < line.upperBound,
      let target = LinkTarget(bytes, inParenthesesFrom: close + 2, to: line.upperBound)
    else { return false }
    return target.end == line.upperBound
  }

  private func skippingBlanks(_ start: Int) -> Int {
    var position = start
    while position < end, isBlank(bytes[position]) || bytes[position] == 0x0A { position += 1 }
    return position
  }

  /// The beginning of the line after an offset; the end for nil.
  private func lineEnd(behind position: Int?) -> Int { position.map { lineEnd($0) } ?? end }

  private func lineEnd(_ position: Int) -> Int {
    bytes.offset(of: 0x0A, from: position, to: end).map { $0 + 1 } ?? end
  }

  private func starts(_ text: StaticString, at position: Int) -> Bool {
    end - position >= text.utf8CodeUnitCount
      && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  private func find(_ text: StaticString, from start: Int) -> Int? {
    var position = start
    while position < end, let next = bytes.offset(of: text.utf8Start[0], from: position, to: end) {
      if starts(text, at: next) { return next }
      position = next + 1
    }
    return nil
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
