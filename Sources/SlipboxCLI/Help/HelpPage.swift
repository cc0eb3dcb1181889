/// A text of help: on a terminal it fits the width, and longer than the screen it goes through the pager.
struct HelpPage {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Wider than any line: where lines are broken is settled afterwards.
  private static let unbroken = 1_000

  /// Shows a text that is made for a number of columns; nil where the output is no terminal.
  func show(_ text: (_ columns: Int?) -> String) throws {
    guard let width = session.width else {
      return try session.console.print(HelpText.lines(text(nil), width: nil))
    }
    let columns = width < HelpText.usualWidth ? Self.unbroken : width
    try session.page(HelpText.lines(text(columns), width: width))
  }
}
