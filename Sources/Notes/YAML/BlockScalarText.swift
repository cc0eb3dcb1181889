/// Reads the text of a block scalar from its bytes, for those whose first line libyaml refuses: a tab after the spaces
/// that indent it.
///
/// Source: YAML 1.2.2, section 8.1.
struct BlockScalarText {
  /// The lines without what indents them.
  private var lines: [ArraySlice<UInt8>] = []
  private let isFolded: Bool
  private let chomping: UInt8?

  /// The text of a scalar that begins with `|` or `>`.
  ///
  /// - Complexity: O(n).
  static func read(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: BlockScalarText(bytes).text, as: UTF8.self)
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    isFolded = bytes.first == UInt8(ascii: ">")
    let all = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.last == 0x0D ? line.dropLast() : line
    }
    let header = all[0].prefix { $0 != UInt8(ascii: "#") }
    chomping = header.first { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let content = all.dropFirst()
    let first = content.first { line in line.contains { $0 != 0x20 } } ?? []
    let indent = first.prefix { $0 == 0x20 }.count
    lines = content.map { $0.dropFirst(min(indent, $0.prefix { $0 == 0x20 }.count)) }
  }

  private var text: [UInt8] {
    let last = lines.lastIndex { !$0.isEmpty }
    guard let last else { return [] }
    var result = isFolded ? folded(lines[...last]) : Array(lines[...last].joined(separator: [0x0A]))
    switch chomping {
    case UInt8(ascii: "-"): break
    case UInt8(ascii: "+"): result += [UInt8](repeating: 0x0A, count: max(1, lines.count - last - 1))
    default: result.append(0x0A)
    }
    return result
  }

  /// Joins lines with blanks; breaks stay beside lines that begin with a blank or a tab, and for each empty line.
  private func folded(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
    var result: [UInt8] = []
    var empty = 0
    var before: ArraySlice<UInt8>?
    for line in lines {
      if line.isEmpty {
        empty += 1
        continue
      }
      if let before {
        let keeps = [before, line].contains { $0.first == 0x20 || $0.first == 0x09 }
        if keeps || empty > 0 {
          result += [UInt8](repeating: 0x0A, count: empty + (keeps ? 1 : 0))
        } else {
          result.append(0x20)
        }
      } else {
        result += [UInt8](repeating: 0x0A, count: empty)
      }
      result += line
      before = line
      empty = 0
    }
    return result
  }
}
