import Platform
import SlipboxCore
import Synchronization

/// A line on standard error that says how far a command has come, once it has taken half a second.
///
/// It is painted at each report, and by a thread in between, because a long stage may be one system call. A process has
/// one.
final class ProgressLine: Sendable {
  private struct State {
    var isRunning = false
    /// Whether it runs only as long as notes are read.
    var isForReading = false
    var hasThread = false
    var isShown = false
    /// The last report.
    var report: (stage: Reporter.Stage, done: Int, total: Int)?
    var shownStage: Reporter.Stage?
    /// The time before which nothing is painted.
    var start: Int64 = 0
    /// The time before which the same stage is not painted again.
    var next: Int64 = 0
  }

  private static let intervalMilliseconds: Int64 = 100
  private let state = Mutex(State())
  /// The time for which a command works before the line is shown.
  private let patienceMilliseconds: Int64
  private let isPossible = Terminal.isTerminal(StandardStream.errors) && environment("TERM") != "dumb"

  init(patienceMilliseconds: Int64) { self.patienceMilliseconds = patienceMilliseconds }

  /// Runs a body with the line where standard error is a terminal, and takes the line away at its end.
  func showing<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard isPossible else { return try body() }
    begin()
    defer { end() }
    return try body()
  }

  /// Takes how far a stage has come; may be called on any thread.
  ///
  /// Notes may have to be read by any command, so that this stage alone shows the line outside of `showing`.
  func report(_ stage: Reporter.Stage, _ done: Int, of total: Int) {
    guard isPossible else { return }
    if stage == .reading, done == 0, !state.withLock({ $0.isRunning }) { begin(forReading: true) }
    state.withLock { state in
      state.report = (stage, done, total)
      paint(&state)
    }
    if stage == .reading, done >= total, state.withLock({ $0.isForReading }) { end() }
  }

  private func begin(forReading isForReading: Bool = false) {
    state.withLock { state in
      state.isRunning = true
      state.isForReading = isForReading
      state.report = nil
      state.shownStage = nil
      state.start = Waiting.now() + patienceMilliseconds
    }
    startThread()
  }

  /// Clears the line and runs a body that writes to the terminal.
  func putAside(_ body: () -> Void) {
    state.withLock { state in
      clear(&state)
      body()
    }
  }

  /// Paints the line again if it is time to; false if it is no longer needed.
  fileprivate func paintAgain() -> Bool {
    state.withLock { state in
      if !state.isRunning { state.hasThread = false }
      paint(&state)
      return state.isRunning
    }
  }

  private func end() {
    state.withLock { state in
      state.isRunning = false
      state.isForReading = false
      clear(&state)
    }
  }

  private func paint(_ state: inout State) {
    let time = Waiting.now()
    guard state.isRunning, let report = state.report, time >= state.start else { return }
    guard time >= state.next || report.stage != state.shownStage else { return }
    state.next = time + Self.intervalMilliseconds
    state.shownStage = report.stage
    state.isShown = true
    Self.write("\r\(Self.words(report.stage, report.done, report.total))\u{1B}[K")
  }

  private func clear(_ state: inout State) {
    if state.isShown { Self.write("\r\u{1B}[K") }
    state.isShown = false
  }

  private static func words(_ stage: Reporter.Stage, _ done: Int, _ total: Int) -> String {
    switch stage {
    case .reading: "reading \(done) of \(total)"
    case .preparing: "preparing \(done) of \(total)"
    case .storing: "storing \(done) of \(total)"
    case .writing: "writing \(total) files"
    case .committing: "committing \(total) \(total == 1 ? "file" : "files")"
    case .fetching: "fetching \(done) of \(total) objects"
    case .sending: "sending \(done) of \(total) objects"
    }
  }

  private static func write(_ text: String) {
    let errors = Output(descriptor: StandardStream.errors)
    errors.write(text)
    // Without a terminal that takes it there is nothing to show.
    try? errors.flush()
  }
}

extension ProgressLine {
  /// Starts the thread that paints, unless it runs. It takes no signals: these are the command's own.
  private func startThread() {
    let isNeeded = state.withLock { state in
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard isNeeded else { return }
    // If the system refuses a thread, the line moves only when progress is reported.
    _ = Threads.detach { [self] in
      while paintAgain() { Waiting.pause(milliseconds: 100) }
    }
  }
}
