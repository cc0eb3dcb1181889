package import SlipboxCore
package import Text

/// A message for a window without a command line: the page, or an editor.
package struct WindowMessage: Sendable {
  /// One line without a full stop.
  package let message: String
  /// The ways out, one line each, without commands and options of slip.
  package let hints: [String]

  package init(_ message: Phrase, hints: [Phrase] = []) {
    self.message = (message.inWindow ?? message).description
    self.hints = hints.compactMap { $0.inWindow?.description }
  }

  package init(_ error: SlipboxError) { self.init(error.message, hints: error.hints) }

  /// A message in an editor, whose user can run the commands of a server, and has a terminal too.
  ///
  /// A command of slip that the server has too is named as that. If there is no other way out, the first of the others is
  /// named for a terminal.
  /// - Parameter serverCommand: the command of the server that does the same as a verb of slip; nil if it has none.
  package init(
    inEditor message: Phrase, hints: [Phrase] = [], serverCommand: (_ verb: String) -> String? = { _ in nil }
  ) {
    let message = message.namingCommands(serverCommand)
    let hints = hints.map { $0.namingCommands(serverCommand) }
    let window = WindowMessage(message, hints: hints)
    let ways = hints.isEmpty && message.inWindow != nil ? [message] : hints
    // The editor itself changes texts.
    let commands = ways.flatMap(\.commands).filter { !$0.hasPrefix("slip edit") }
    let isOnlyWay = ways.allSatisfy(\.isForShell)
    self.message = window.message
    self.hints =
      window.hints + (isOnlyWay ? commands.prefix(1).map { "run: \($0) in a terminal" } : [])
  }

  package var lines: [String] { [message] + hints }
}
