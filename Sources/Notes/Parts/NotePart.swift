/// A part of a note, as a reference names it behind the note: `Bread#Second rise`, `Bread#^id`, `Bread:12-20`.
package enum NotePart: Sendable, Equatable {
  /// A heading by its text or its anchor, with the headings above it before it: `Bread#Second rise`.
  case heading(String)
  /// A block by its name, which begins with `^`.
  case block(String)
  /// Lines of the file, counted from 1.
  case lines(ClosedRange<Int>)

  /// The part as it is typed behind a name.
  package var typed: String {
    switch self {
    case .heading(let name): "#\(name)"
    case .block(let name): "#\(name)"
    case .lines(let lines):
      lines.count == 1 ? ":\(lines.lowerBound)" : ":\(lines.lowerBound)-\(lines.upperBound)"
    }
  }

  /// The names and parts that a reference may mean, the longest name first: a title may have a `#` of its own.
  package static func readings(of reference: String) -> [(name: String, part: NotePart)] {
    var readings: [(name: String, part: NotePart)] = []
    if let colon = reference.lastIndex(of: ":"), colon > reference.startIndex,
      let lines = lines(reference[reference.index(after: colon)...])
    {
      readings.append((String(reference[..<colon]), .lines(lines)))
    }
    for mark in reference.indices.reversed() where reference[mark] == "#" && mark > reference.startIndex {
      let part = String(reference[reference.index(after: mark)...])
      guard part.utf8.contains(where: { $0 > 0x20 && $0 != UInt8(ascii: "#") }) else { continue }
      let isBlock = part.hasPrefix("^") && part.utf8.count > 1
      readings.append((String(reference[..<mark]), isBlock ? .block(part) : .heading(part)))
    }
    return readings
  }

  /// Line numbers as `12` or `12-20`; nil for other texts.
  private static func lines(_ text: Substring) -> ClosedRange<Int>? {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard (1...2).contains(numbers.count), let first = numbers.first ?? nil, let last = numbers.last ?? nil,
      first > 0, first <= last
    else { return nil }
    return first...last
  }
}
