import Bytes
import Text

/// The abilities of the reader's terminal: colours, symbols beyond ASCII, and links.
///
/// All escape sequences of the command are written here and by `MarkdownRendering`; the text that they
/// adorn is expected to have gone through `Visible`.
package struct Style: Sendable, Equatable {
  /// Whether colours and weights are written (SGR sequences).
  package let colour: Bool
  /// Whether symbols beyond ASCII may be used.
  package let unicode: Bool
  /// Whether links are written as OSC 8 sequences.
  package let hyperlinks: Bool

  /// Makes a style from the capabilities of the terminal.
  package init(colour: Bool, unicode: Bool, hyperlinks: Bool) {
    self.colour = colour
    self.unicode = unicode
    self.hyperlinks = hyperlinks
  }

  /// The same without links.
  package var withoutLinks: Style { Style(colour: colour, unicode: unicode, hyperlinks: false) }

  /// Text without any escape sequence, for a pipe.
  package static let plain = Style(colour: false, unicode: true, hyperlinks: false)
}

/// The colours are those that can be read on a white terminal as on a black one.
extension Style {
  /// Returns the text in bold.
  package func bold(_ text: String) -> String { adorned(text, "1", "22") }
  /// Returns the text dimmed.
  package func dim(_ text: String) -> String { adorned(text, "2", "22") }
  /// Returns the text in italics.
  package func italic(_ text: String) -> String { adorned(text, "3", "23") }
  /// Returns the text underlined.
  package func underline(_ text: String) -> String { adorned(text, "4", "24") }
  /// Returns the text in red.
  package func red(_ text: String) -> String { adorned(text, "31", "39") }
  /// Returns the text in green.
  package func green(_ text: String) -> String { adorned(text, "32", "39") }
  /// Returns the text in magenta.
  package func magenta(_ text: String) -> String { adorned(text, "35", "39") }

  /// Returns the text in a colour of the terminal, over another one or over its background.
  package func painted(
    _ text: String, _ colour: TerminalColour, over background: TerminalColour? = nil
  ) -> String {
    guard let background else { return adorned(text, colour.foreground, "39") }
    return adorned(text, "\(colour.foreground);\(background.background)", "39;49")
  }

  /// The sign for text that was cut.
  package var ellipsis: String { unicode ? "…" : "..." }

  /// Returns the text as a link if the terminal shows links and the address is allowed.
  ///
  /// - Parameter address: a URL of the web, of mail, or of a file; anything else leaves the text as it is.
  package func link(_ text: String, to address: String) -> String {
    guard hyperlinks, let link = Hyperlink(Array(address.utf8)) else { return text }
    return String(decoding: link.opening, as: UTF8.self) + text
      + String(decoding: Hyperlink.closing, as: UTF8.self)
  }

  private func adorned(_ text: String, _ on: String, _ off: String) -> String {
    colour && !text.isEmpty ? "\u{1B}[\(on)m\(text)\u{1B}[\(off)m" : text
  }
}

/// A colour that every terminal has, in the shade that its owner chose.
package enum TerminalColour: Int, Sendable {
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case magenta = 35
  case cyan = 36
  case silver = 37
  case grey = 90
  case brightYellow = 93
  case brightBlue = 94

  /// The parameter of SGR for text.
  var foreground: String { String(rawValue) }

  /// The SGR parameter of the background.
  var background: String { String(rawValue + 10) }
}

/// An address that may be sent to a terminal.
///
/// Source: OSC 8, "Hyperlinks in terminal emulators"; at most 2,083 bytes, as in VTE and iTerm2.
struct Hyperlink: Equatable {
  private static let schemes = ["https://", "http://", "mailto:", "file://", "ftp://", "ftps://"]
  private static let longest = 2083

  /// The address in printable ASCII, other bytes percent-encoded.
  let address: [UInt8]

  /// Takes an address of one of the schemes that are safe to follow; nil for any other.
  init?(_ address: [UInt8]) {
    guard address.count <= Self.longest, Self.hasScheme(address) else { return nil }
    let encoded = PercentEncoding.encoded(address) { $0 > 0x20 && $0 < 0x7F }
    guard encoded.count <= Self.longest else { return nil }
    self.address = encoded
  }

  /// The sequence that begins the link.
  var opening: [UInt8] { Self.beginning + address + Self.end }

  /// The bytes before an address, and those after it.
  static let beginning = Array("\u{1B}]8;;".utf8)
  static let end = Array("\u{1B}\\".utf8)

  /// The sequence that ends any link.
  static let closing = beginning + end

  private static func hasScheme(_ address: [UInt8]) -> Bool {
    let start = address.prefix(8).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return schemes.contains { start.starts(with: $0.utf8) }
  }
}

extension Hyperlink {
  /// Whether a link's label is its address, but for percent-encoding and `mailto:`.
  static func isSaid(by label: ArraySlice<UInt8>, _ address: [UInt8]) -> Bool {
    let said = PercentEncoding.decoded(label)
    let target = PercentEncoding.decoded(address)
    return target == said || target == Array("mailto:".utf8) + said
  }
}

/// The style of results, and the width of the terminal if they are printed to one.
package struct Display: Sendable {
  package let style: Style
  /// The cells of a line on the terminal; nil in a pipe or a file, if nothing is cut.
  package let width: Int?

  package init(style: Style, width: Int?) {
    self.style = style
    self.width = width
  }

  /// The same for lines that are indented by two cells.
  var indented: Display { Display(style: style, width: width.map { max(1, $0 - 2) }) }

  /// Whether results go to a terminal, so that control characters in them are escaped.
  package var isTerminal: Bool { width != nil }
}

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
  /// A text escaped for HTML and XML: on one line, without characters that XML does not allow.
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
