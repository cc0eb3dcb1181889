/// A formula between `$` and `$` on one line, or between `$$` and `$$` in one paragraph.
package struct Formula: Sendable, Equatable {
  /// The bytes in the file, with the marks.
  package let range: Range<Int>
  /// Whether it has two marks on each side.
  package let isBlock: Bool
}

/// Finds the formulas of a body outside of code.
///
/// Source: tex_math_dollars of Pandoc: no blank follows the first mark or precedes the last, and no digit follows the last.
struct FormulaScan {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int
  private var position: Int
  private var found: [Formula] = []
  /// The links that begin or end after the position.
  private var links: ArraySlice<BodyScan.Link>

  private static let dollar = UInt8(ascii: "$")
  private static let backslash = UInt8(ascii: "\\")

  /// The formulas in order.
  ///
  /// - Parameters:
  ///   - fences: the fenced blocks of code, in order.
  ///   - links: the links in order. The marks of a formula are not inside and outside of one.
  /// - Complexity: O(n).
  static func formulas(
    in bytes: UnsafeBufferPointer<UInt8>, _ body: Range<Int>, fences: [Range<Int>], links: [BodyScan.Link]
  ) -> [Formula] {
    var scan = FormulaScan(bytes, body, links)
    scan.run(fences)
    return scan.found
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ body: Range<Int>, _ links: [BodyScan.Link]) {
    (self.bytes, end, position, self.links) = (bytes, body.upperBound, body.lowerBound, links[...])
  }

  private mutating func run(_ fences: [Range<Int>]) {
    for fence in fences + [end..<end] {
      while position < fence.lowerBound {
        let paragraphEnd = min(paragraphEnd(), fence.lowerBound)
        while position < paragraphEnd { step(to: paragraphEnd) }
        position = max(position, paragraphEnd + 1)
      }
      position = max(position, fence.upperBound)
    }
  }

  private mutating func step(to limit: Int) {
    switch bytes[position] {
    case Self.backslash: position += 2
    case UInt8(ascii: "`"): skipCode(to: limit)
    case Self.dollar:
      if let formula = formula(to: limit), !isCut(formula.range) {
        found.append(formula)
        position = formula.range.upperBound
      } else {
        while position < limit, bytes[position] == Self.dollar { position += 1 }
      }
    default: position += 1
    }
  }

  /// The end of the paragraph at the position: the next blank line.
  private func paragraphEnd() -> Int {
    var offset = position
    while let line = bytes.offset(of: 0x0A, from: offset, to: end) {
      var next = line + 1
      while next < end, isBlankByte(bytes[next]) || bytes[next] == 0x0D || bytes[next] == UInt8(ascii: ">") {
        next += 1
      }
      if next == end || bytes[next] == 0x0A { return line }
      offset = line + 1
    }
    return end
  }

  private mutating func skipCode(to limit: Int) {
    let open = endOfTicks(position, limit)
    let length = open - position
    var start = open
    while let next = bytes.offset(of: UInt8(ascii: "`"), from: start, to: limit) {
      start = endOfTicks(next, limit)
      if start - next == length {
        position = start
        return
      }
    }
    position = open
  }

  private func endOfTicks(_ position: Int, _ limit: Int) -> Int {
    var position = position
    while position < limit, bytes[position] == UInt8(ascii: "`") { position += 1 }
    return position
  }

  private func formula(to limit: Int) -> Formula? {
    let isBlock = position + 1 < limit && bytes[position + 1] == Self.dollar
    let first = position + (isBlock ? 2 : 1)
    guard first < limit, isBlock || bytes[first] > 0x20 else { return nil }
    var place = first
    while place < limit, isBlock || bytes[place] != 0x0A {
      if bytes[place] == Self.backslash {
        place += 2
        continue
      }
      if bytes[place] == Self.dollar {
        if !isBlock { return endsInline(place) ? Formula(range: position..<place + 1, isBlock: false) : nil }
        if place + 1 < limit, bytes[place + 1] == Self.dollar {
          return place > first ? Formula(range: position..<place + 2, isBlock: true) : nil
        }
      }
      place += 1
    }
    return nil
  }

  private func endsInline(_ place: Int) -> Bool {
    bytes[place - 1] > 0x20 && !(place + 1 < end && (0x30...0x39).contains(bytes[place + 1]))
  }

  /// Whether a link holds the first mark of a formula and not the last, as in `[for $5](a.md) or [6$](b.md)`.
  private mutating func isCut(_ range: Range<Int>) -> Bool {
    links = links.drop { $0.range.upperBound <= range.lowerBound }
    return links.first.map {
      $0.range.lowerBound < range.lowerBound && $0.range.upperBound < range.upperBound
    } ?? false
  }
}
