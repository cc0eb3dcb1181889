import SlipboxCore

/// Help on a terminal: it fits the width, and longer than the screen it goes through the pager.
extension Session {
  /// Wider than any line: where lines are broken is settled afterwards.
  private static let unbroken = 1_000

  /// Shows a text of help that is made for a number of columns; nil where the output is no terminal.
  func showHelp(_ text: (_ columns: Int?) -> String) throws {
    guard let width else { return try console.print(HelpText.lines(text(nil), width: nil)) }
    try page(HelpText.lines(text(width < HelpText.usualWidth ? Self.unbroken : width), width: width))
  }
}
