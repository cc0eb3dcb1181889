package import SlipboxCore
package import Text

/// A message as a window shows it, in which nobody types commands of slip: the page, or an editor.
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

  /// A message in an editor, whose user has a terminal too: if each hint has a command of slip, the first is named.
  package init(inEditor message: Phrase, hints: [Phrase]) {
    let window = WindowMessage(message, hints: hints)
    // The editor itself changes texts.
    let commands = hints.flatMap(\.commands).filter { !$0.hasPrefix("slip edit") }
    let isOnlyWay = hints.allSatisfy(\.isForShell)
    self.message = window.message
    self.hints =
      window.hints + (isOnlyWay ? commands.prefix(1).map { "run: \($0) in a terminal" } : [])
  }

  package var lines: [String] { [message] + hints }
}
