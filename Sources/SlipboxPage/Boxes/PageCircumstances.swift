package import SlipboxCore

/// What the server is told by the program that starts it.
package struct PageCircumstances: Sendable {
  private let makeContext: @Sendable (Reporter) -> CommandContext
  /// Whether nothing may be changed.
  package let isReadOnly: Bool

  /// - Parameter context: makes the circumstances of a command in the folder of the box, with the clock read now.
  package init(isReadOnly: Bool = false, context: @escaping @Sendable (Reporter) -> CommandContext) {
    self.isReadOnly = isReadOnly
    makeContext = context
  }

  /// The circumstances of a change or a question of now.
  ///
  /// - Parameter warn: receives each warning.
  func context(warn: @escaping @Sendable (String) -> Void = { _ in }) -> CommandContext {
    var context = makeContext(Reporter(warn: warn))
    context.face = "page"
    return context
  }
}
