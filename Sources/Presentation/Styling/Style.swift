import Bytes
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

  /// Makes a style from what the terminal can show.
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

  /// Returns the text as a link where the terminal shows links and the address is one that may be followed.
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
