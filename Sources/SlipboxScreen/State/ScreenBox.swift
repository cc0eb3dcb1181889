import Git
import Notes
import Platform
package import Presentation
package import SlipboxCore
import Synchronization

/// The box that the screen shows: its moment of now, kept up to date by a watch.
final class ScreenBox: Sendable {
  private let circumstances: ScreenCircumstances
  private let current: Mutex<BoxSnapshot>

  /// - Parameter snapshot: the box as it was opened.
  init(_ snapshot: BoxSnapshot, _ circumstances: ScreenCircumstances) {
    self.circumstances = circumstances
    current = Mutex(snapshot)
  }

  /// The box as it is known now.
  var now: BoxSnapshot { current.withLock { $0 } }

  /// Makes the next moment after some changes, and says whether it shows anything else.
  @discardableResult
  func advance(by changes: WatchedChanges) throws(SlipboxError) -> Bool {
    let result = current.withLock { snapshot -> Result<Bool, SlipboxError> in
      do throws(SlipboxError) {
        let reader = WorkTreeReader(snapshot.box, circumstances.context())
        let next =
          changes.isEverythingNew ? try reader.snapshot() : try reader.snapshot(after: snapshot, changes)
        var isSame = !changes.isGitNew && !changes.areOthersNew && next.clock.today == snapshot.clock.today
        if isSame { isSame = try next.hasNotes(of: snapshot) }
        snapshot = next
        return .success(!isSame)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The commit that the box stands on; nil before the first one.
  func lastCommit() -> Commit? {
    let box = now.box
    // What can't be read is said by the command that needs it.
    guard let tip = try? box.tip() else { return nil }
    return try? box.git { repository throws(GitError) in try repository.read(tip) }
  }

  /// Follows what others change on a thread of its own, without end.
  ///
  /// - Parameter tell: called after each change; it has to be done quickly.
  /// - Returns: whether the system gave a thread.
  func follow(_ tell: @escaping @Sendable () -> Void) -> Bool {
    Threads.detach { [self] in
      BoxWatch.follow(now.box, output: -1) { (changes) throws(SlipboxError) in
        if try advance(by: changes) { tell() }
        return now
      }
    }
  }
}

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
