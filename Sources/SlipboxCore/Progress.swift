/// Takes how far a long command has come.
package struct Progress: Sendable {
  /// The one that listens to the running command, where somebody does.
  @TaskLocal package static var current: Progress?

  /// Is told how many are done, and of how many.
  package let report: @Sendable (_ done: Int, _ total: Int) -> Void

  package init(_ report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) { self.report = report }
}
