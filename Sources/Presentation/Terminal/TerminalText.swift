import Bytes
import Text

/// Results on their way to a terminal.
package enum TerminalText {
  /// The longest sequence of colours that is taken for one of ours.
  private static let longestColour = 32

  /// Returns bytes in which only the sequences of `Style` and of `MarkdownRendering` act on the terminal.
  ///
  /// Those are colours and weights (SGR) and links (OSC 8) whose address is printable ASCII. Everything else that is a
  /// control character is spelt out as `Visible` does it; line feeds and tabs stay.
  /// - Complexity: O(n).
  package static func spellingOut(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var start = 0
    var index = 0
    while let escape = bytes[index...].firstIndex(of: 0x1B) {
      guard let length = ownSequence(bytes[escape...]) else {
        index = escape + 1
        continue
      }
      Visible.append(bytes.span.extracting(start..<escape), keepingLines: true, to: &result)
      result += bytes[escape..<escape + length]
      start = escape + length
      index = start
    }
    Visible.append(bytes.span.extracting(start..<bytes.count), keepingLines: true, to: &result)
    return result
  }

  /// The length of a sequence of our own at the beginning of the bytes.
  private static func ownSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    let rest = bytes.dropFirst()
    if rest.first == UInt8(ascii: "[") {
      let values = rest.dropFirst().prefix(longestColour).prefix { isDigit($0) || $0 == UInt8(ascii: ";") }
      let end = values.endIndex
      return end < bytes.endIndex && bytes[end] == UInt8(ascii: "m") ? end + 1 - bytes.startIndex : nil
    }
    guard rest.starts(with: Hyperlink.beginning.dropFirst()) else { return nil }
    let address = bytes.dropFirst(Hyperlink.beginning.count).prefix { $0 > 0x20 && $0 < 0x7F }
    let end = address.endIndex
    guard bytes[end...].starts(with: Hyperlink.end) else { return nil }
    return end + Hyperlink.end.count - bytes.startIndex
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// Text in HTML and XML.
enum MarkupText {
  /// A text as it stands in HTML and XML: on one line, with no character that XML does not know.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in Visible.escape(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t": result += " "
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
