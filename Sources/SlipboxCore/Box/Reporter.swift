import Synchronization

/// Receives what the user should know while a command goes on. Safe for several threads.
package final class Reporter: Sendable {
  /// A stage that is done for all files of a change, one stage after the other.
  package enum Stage: Sendable {
    /// Notes are read of which nothing is kept.
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

  private let receiveWarning: @Sendable (String) -> Void
  private let receiveProgress: @Sendable (Stage, _ done: Int, _ total: Int) -> Void
  private let given = Mutex<Set<String>>([])

  /// - Parameters:
  ///   - warn: receives each warning, one line without a full stop.
  ///   - progress: receives how many files of a stage are done, from any thread.
  package init(
    warn: @escaping @Sendable (String) -> Void,
    progress: @escaping @Sendable (Stage, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) {
    receiveWarning = warn
    receiveProgress = progress
  }

  /// Gives a warning, although the command goes on.
  package func warn(_ message: String) { receiveWarning(message) }

  /// Gives a warning the first time in a command.
  package func warnOnce(_ message: String) {
    if given.withLock({ $0.insert(message).inserted }) { receiveWarning(message) }
  }

  /// Counts a warning as given: the command says it in words of its own.
  func silence(_ message: String) { given.withLock { _ = $0.insert(message) } }

  /// Tells how far a stage has come.
  package func report(_ stage: Stage, _ done: Int, of total: Int) { receiveProgress(stage, done, total) }
}
