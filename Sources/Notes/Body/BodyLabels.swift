import Bytes

/// The names in a part of a body by which its own lines refer to each other: labels of links and of footnotes, and blocks.
///
/// They hold within one note alone, so lines that go to another one may lose what they mean.
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
  /// - Complexity: linear.
  package init(_ bytes: ArraySlice<UInt8>) {
    var fence: UInt8?
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
      let text = line.drop { $0 == 0x20 }
      let isMark = [UInt8(ascii: "`"), UInt8(ascii: "~")].first { mark in
        text.prefix(3).count == 3 && text.prefix(3).allSatisfy { $0 == mark }
      }
      if let mark = isMark, fence == nil || fence == mark {
        fence = fence == nil ? mark : nil
      } else if fence == nil {
        take(line, String(decoding: text, as: UTF8.self))
      }
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
