/// Takes how far a long command has come.
package struct Progress: Sendable {
  /// What is done to all files of a change, one stage after the other.
  package enum Stage: Sendable {
    /// The notes are read that nothing is kept of.
    case reading
    /// The new bytes are worked out.
    case preparing
    /// They become objects of git that nobody refers to yet.
    case storing
    /// The files are replaced.
    case writing
    /// Git's index and the branch follow.
    case committing
  }

  /// The one that listens to the running command, where somebody does.
  @TaskLocal package static var current: Progress?

  /// Is told how many are done, and of how many.
  package let report: @Sendable (_ stage: Stage, _ done: Int, _ total: Int) -> Void

  package init(_ report: @escaping @Sendable (_ stage: Stage, _ done: Int, _ total: Int) -> Void) {
    self.report = report
  }

  /// Tells the listener, where there is one.
  static func report(_ stage: Stage, _ done: Int, of total: Int) { current?.report(stage, done, total) }
}
