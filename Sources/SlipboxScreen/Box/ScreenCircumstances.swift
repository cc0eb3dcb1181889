package import Presentation
package import SlipboxCore

/// What the screen is told by the command that starts it.
package struct ScreenCircumstances: Sendable {
  /// Makes the circumstances of a question of now.
  let context: @Sendable () -> CommandContext
  /// The words of a program that runs a command of slip on the box.
  let slip: @Sendable (_ words: [String]) -> [[UInt8]]
  let style: Style
  let usesMouse: Bool
  /// The keys that the user has set, as in `delete=X`, with blanks between them.
  let keys: String
  /// What a line of words may go on with.
  let complete: @Sendable (_ words: [String]) -> [Candidate]
  /// Whether a command asks or opens a program on the terminal.
  let needsTerminal: @Sendable (_ words: [String]) -> Bool
  /// Whether a command can show its patch and be run without a question.
  let showsPatch: @Sendable (_ words: [String]) -> Bool

  package init(
    slip: @escaping @Sendable (_ words: [String]) -> [[UInt8]], style: Style, usesMouse: Bool, keys: String,
    context: @escaping @Sendable () -> CommandContext,
    complete: @escaping @Sendable (_ words: [String]) -> [Candidate],
    needsTerminal: @escaping @Sendable (_ words: [String]) -> Bool,
    showsPatch: @escaping @Sendable (_ words: [String]) -> Bool
  ) {
    self.context = context
    self.slip = slip
    self.style = style
    self.usesMouse = usesMouse
    self.keys = keys
    self.complete = complete
    self.needsTerminal = needsTerminal
    self.showsPatch = showsPatch
  }
}
