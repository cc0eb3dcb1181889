import Bytes
import Notes
import Text

/// The uses of definitions of links: `[text][label]`, `[label][]` and `[label]`.
enum ReferenceUse {
  /// The use at a place of a text, with the definition that it means; nil for none.
  ///
  /// - Parameter definitions: links of the form `.reference`.
  static func at(
    _ offset: Int, in bytes: [UInt8], _ line: Range<Int>, definitions: [FoundLink]
  ) -> FoundLink? {
    guard !definitions.isEmpty else { return nil }
    for use in uses(in: bytes, line) where use.range.lowerBound <= offset && offset <= use.range.upperBound {
      let definition = definitions.first { link in
        link.link.flatMap { Self.label(of: $0, in: bytes) } == use.label
      }
      if let definition { return definition.standing(at: use.range) }
    }
    return nil
  }

  private static func uses(in bytes: [UInt8], _ line: Range<Int>) -> [(range: Range<Int>, label: [UInt8])] {
    var found: [(range: Range<Int>, label: [UInt8])] = []
    var position = line.lowerBound
    while position < line.upperBound {
      guard let text = bracketed(bytes, position..<line.upperBound) else {
        position += 1
        continue
      }
      position = text.upperBound
      let next = position < line.upperBound ? bytes[position] : 0
      if next == UInt8(ascii: "(") { continue }
      if next == UInt8(ascii: "["), let label = bracketed(bytes, position..<line.upperBound) {
        found.append((text.lowerBound..<label.upperBound, key(bytes, label.count > 2 ? label : text)))
        position = label.upperBound
      } else {
        found.append((text, key(bytes, text)))
      }
    }
    return found
  }

  /// Brackets without others in them at the beginning of a stretch.
  private static func bracketed(_ bytes: [UInt8], _ stretch: Range<Int>) -> Range<Int>? {
    guard bytes[stretch.lowerBound] == UInt8(ascii: "[") else { return nil }
    for position in stretch.dropFirst() {
      if bytes[position] == UInt8(ascii: "[") { return nil }
      if bytes[position] == UInt8(ascii: "]") { return stretch.lowerBound..<position + 1 }
    }
    return nil
  }

  private static func label(of definition: BodyScan.Link, in bytes: [UInt8]) -> [UInt8]? {
    let range = definition.range.clamped(to: 0..<bytes.count)
    return range.isEmpty ? nil : bracketed(bytes, range).map { key(bytes, $0) }
  }

  /// What is equal for labels that are the same: without regard to case and blanks.
  private static func key(_ bytes: [UInt8], _ brackets: Range<Int>) -> [UInt8] {
    let inside = bytes[brackets.lowerBound + 1..<brackets.upperBound - 1]
    return Folding.fold(Array(inside.split { $0 <= 0x20 }.joined(separator: [0x20]))[...])
  }
}
