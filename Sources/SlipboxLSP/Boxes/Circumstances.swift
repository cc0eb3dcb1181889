package import SlipboxCore

/// What the server is told by the program that starts it: clock, chance, device and streams.
package struct Circumstances: Sendable {
  private let makeContext: @Sendable (_ folder: [UInt8], Reporter) -> CommandContext
  private let receive: @Sendable (String) -> Void
  /// The descriptor that messages come from.
  package let input: Int32
  /// The descriptor that messages go to.
  package let output: Int32

  /// - Parameters:
  ///   - context: makes the circumstances of a command in a folder, with the clock read now.
  ///   - say: receives warnings, one line each.
  package init(
    input: Int32, output: Int32,
    context: @escaping @Sendable (_ folder: [UInt8], Reporter) -> CommandContext,
    say: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.input = input
    self.output = output
    makeContext = context
    receive = say
  }

  /// The same, with another receiver of warnings.
  func saying(_ say: @escaping @Sendable (String) -> Void) -> Circumstances {
    Circumstances(input: input, output: output, context: makeContext, say: say)
  }

  func context(in folder: [UInt8]) -> CommandContext {
    makeContext(folder, Reporter(warn: { [receive] message in receive(message) }))
  }

  func say(_ message: String) { receive(message) }
}
