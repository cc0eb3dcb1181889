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
    /// Objects of git come from another repository.
    case fetching
    /// Objects of git go to another repository.
    case sending
  }

  private let receiveWarning: @Sendable (String) -> Void
  private let receiveProgress: @Sendable (Stage, _ done: Int, _ total: Int) -> Void
  private let given = Mutex<Set<String>>([])
  private let waitsForEnd: Bool
  /// The warnings that are given at the end of the command.
  private let waiting = Mutex<[(message: String, fact: String)]>([])

  /// - Parameters:
  ///   - waitsForEnd: whether warnings that a refusal may tell too wait for `giveWaiting(besides:)`.
  ///   - warn: receives each warning, one line without a full stop.
  ///   - progress: receives how many files of a stage are done, from any thread.
  package init(
    waitsForEnd: Bool = false, warn: @escaping @Sendable (String) -> Void,
    progress: @escaping @Sendable (Stage, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) {
    receiveWarning = warn
    receiveProgress = progress
    self.waitsForEnd = waitsForEnd
  }

  /// Gives a warning, although the command goes on.
  package func warn(_ message: String) { receiveWarning(message) }

  /// Gives a warning the first time in a command.
  package func warnOnce(_ message: String) {
    if given.withLock({ $0.insert(message).inserted }) { receiveWarning(message) }
  }

  /// Gives a warning the first time in a command, at its end, unless the command is refused in words that hold the same
  /// fact.
  func warnUnlessRefused(_ message: String, fact: String) {
    guard waitsForEnd else { return warnOnce(message) }
    guard given.withLock({ $0.insert(message).inserted }) else { return }
    waiting.withLock { $0.append((message, fact)) }
  }

  /// Gives the warnings that waited for the end of the command, but for those whose fact its refusal tells.
  package func giveWaiting(besides refusal: SlipboxError? = nil) {
    let messages = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    let told = refusal.map { [$0.message] + $0.hints } ?? []
    for (message, fact) in messages where !told.contains(where: { $0.contains(fact) }) {
      receiveWarning(message)
    }
  }

  /// Counts a warning as given: the command says it in words of its own.
  func silence(_ message: String) {
    given.withLock { _ = $0.insert(message) }
    waiting.withLock { $0.removeAll { $0.message == message } }
  }

  /// Tells how far a stage has come.
  package func report(_ stage: Stage, _ done: Int, of total: Int) { receiveProgress(stage, done, total) }
}
