import Platform
import Presentation
import SlipboxCore
import Synchronization
import Text

/// Runs the effects of the state on threads beside the one that draws, and reports their results.
final class ScreenWork: Sendable {
  private let answers: ScreenAnswers
  private let circumstances: ScreenCircumstances
  private let tell: @Sendable (ScreenEvent) -> Void
  private let lists = LatestWorker()
  private let previews = LatestWorker()
  private let sidebars = LatestWorker()
  private let completions = LatestWorker()
  private let histories = LatestWorker()
  private let looks = LatestWorker()
  private let titles = LatestWorker()

  /// - Parameter tell: receives the events, on any thread.
  init(
    _ answers: ScreenAnswers, _ circumstances: ScreenCircumstances,
    tell: @escaping @Sendable (ScreenEvent) -> Void
  ) {
    self.answers = answers
    self.circumstances = circumstances
    self.tell = tell
  }

  /// Starts an effect that can run beside the drawing; false for the others.
  func take(_ effect: ScreenEffect) -> Bool {
    switch effect {
    case .load: answer(effect, by: lists)
    case .preview: answer(effect, by: previews)
    case .readSidebar: answer(effect, by: sidebars)
    case .completeQuery, .completeCommand, .findTitles: answer(effect, by: completions)
    case .readHistory, .readConflicts, .readNextConflict, .readParts: answer(effect, by: histories)
    case .refresh: answer(effect, by: looks)
    case .run(let run, let size):
      guard !circumstances.needsTerminal(run.words) else { return false }
      let isStarted = Threads.detach { [self] in tell(.ran(capture(run, size))) }
      if !isStarted { tell(.ran(capture(run, size))) }
    case .copy, .redraw, .suspend, .quit: return false
    }
    return true
  }

  private func answer(_ effect: ScreenEffect, by worker: LatestWorker) {
    worker.ask { [self] in
      guard let event = answers.event(for: effect) else { return }
      tell(event)
      // Rows further down may show titles of other records; the key that scrolls there does not wait for them.
      if case .listed(_, let listing, _) = event { titles.ask { listing.rows.readTitles() } }
    }
  }

  /// Runs a command that writes for a terminal of the size of the screen, and can't ask.
  private func capture(_ run: CommandRun, _ size: (columns: Int, rows: Int)) -> CommandResult {
    do throws(SystemError) {
      let (exit, output, errors) = try ChildProcess.capture(
        words(of: run), input: run.lines, onTerminal: size)
      return CommandResult(
        run: run, output: Self.lines(of: output), messages: Self.lines(of: errors),
        isSuccess: exit == .code(0))
    } catch {
      return CommandResult(run: run, output: [], messages: [error.reason], isSuccess: false)
    }
  }

  /// The words of a child that runs a command of slip.
  func words(of run: CommandRun) -> [[UInt8]] { circumstances.slip(run.words) }

  private static func lines(of bytes: [UInt8]) -> [String] {
    var lines = TerminalText.spellingOut(bytes).split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false)
        .joined(separator: "  ")
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// A thread that does only the latest requested work; older pending work is dropped.
final class LatestWorker: Sendable {
  private struct State {
    var waiting: (@Sendable () -> Void)?
    var isRunning = false
  }

  private let state = Mutex(State())

  func ask(_ work: @escaping @Sendable () -> Void) {
    let isNeeded = state.withLock { state in
      state.waiting = work
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isNeeded else { return }
    let isStarted = Threads.detach { [self] in
      while let work = next() { work() }
    }
    // Without a thread it is done here.
    if !isStarted { while let work = next() { work() } }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      defer { state.waiting = nil }
      if state.waiting == nil { state.isRunning = false }
      return state.waiting
    }
  }
}
