/// The style of results, and the width of the terminal where they go to one.
package struct Display: Sendable {
  package let style: Style
  /// The cells of a line on the terminal; nil in a pipe or a file, where nothing is cut.
  package let width: Int?

  package init(style: Style, width: Int?) {
    self.style = style
    self.width = width
  }

  /// The same for lines that stand two cells further in.
  var indented: Display { Display(style: style, width: width.map { max(1, $0 - 2) }) }

  /// Whether results go to a terminal, so that control characters in them are escaped.
  package var isTerminal: Bool { width != nil }
}
