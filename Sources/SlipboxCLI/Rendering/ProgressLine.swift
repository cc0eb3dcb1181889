import Glibc
import Platform
import SlipboxCore
import Synchronization

/// A line on standard error that says how far a command has come, once it has taken half a second.
///
/// It is painted where something is reported, and by a thread of its own while nothing is: a long stage may be one call
/// of the system. There is one such line, as there is one command.
enum ProgressLine {
  private struct State {
    var isRunning = false
    /// Whether it runs only as long as notes are read.
    var isForReading = false
    var hasThread = false
    var isShown = false
    /// What was reported last.
    var report: (stage: Progress.Stage, done: Int, total: Int)?
    var shownStage: Progress.Stage?
    /// The time before which nothing is painted.
    var start: Int64 = 0
    /// The time before which the same stage is not painted again.
    var next: Int64 = 0
  }

  private static let intervalMilliseconds: Int64 = 100
  private static let state = Mutex(State())

  /// Runs a body with the line where standard error is a terminal, and takes the line away at its end.
  static func showing<Result>(unlessQuiet isQuiet: Bool, _ body: () throws -> Result) rethrows -> Result {
    guard !isQuiet, isPossible else { return try body() }
    begin()
    defer { end() }
    return try Progress.$current.withValue(Progress { report($0, $1, of: $2) }, operation: body)
  }

  /// Takes how many notes are read, which any command may have to do first; may be called on any thread.
  static func reading(_ done: Int, of total: Int) {
    guard isPossible else { return }
    if done == 0, !state.withLock({ $0.isRunning }) { begin(forReading: true) }
    report(.reading, done, of: total)
    if done >= total, state.withLock({ $0.isForReading }) { end() }
  }

  private static var isPossible: Bool { Terminal.isTerminal(STDERR_FILENO) && environment("TERM") != "dumb" }

  private static func begin(forReading isForReading: Bool = false) {
    let patience = World.current.patienceMilliseconds
    state.withLock { state in
      state.isRunning = true
      state.isForReading = isForReading
      state.report = nil
      state.shownStage = nil
      state.start = milliseconds() + patience
    }
    startThread()
  }

  /// Writes something else on the terminal, on a line of its own.
  static func putAside(_ body: () -> Void) {
    state.withLock { state in
      clear(&state)
      body()
    }
  }

  /// Paints the line again where it is time to; false where it is not wanted any more.
  fileprivate static func paintAgain() -> Bool {
    state.withLock { state in
      if !state.isRunning { state.hasThread = false }
      paint(&state)
      return state.isRunning
    }
  }

  private static func report(_ stage: Progress.Stage, _ done: Int, of total: Int) {
    state.withLock { state in
      state.report = (stage, done, total)
      paint(&state)
    }
  }

  private static func end() {
    state.withLock { state in
      state.isRunning = false
      state.isForReading = false
      clear(&state)
    }
  }

  private static func paint(_ state: inout State) {
    let time = milliseconds()
    guard state.isRunning, let report = state.report, time >= state.start else { return }
    guard time >= state.next || report.stage != state.shownStage else { return }
    state.next = time + intervalMilliseconds
    state.shownStage = report.stage
    state.isShown = true
    write("\r\(words(report.stage, report.done, report.total))\u{1B}[K")
  }

  private static func clear(_ state: inout State) {
    if state.isShown { write("\r\u{1B}[K") }
    state.isShown = false
  }

  private static func words(_ stage: Progress.Stage, _ done: Int, _ total: Int) -> String {
    switch stage {
    case .reading: "reading \(done) of \(total)"
    case .preparing: "preparing \(done) of \(total)"
    case .storing: "storing \(done) of \(total)"
    case .writing: "writing \(total) files"
    case .committing: "committing \(total) files"
    }
  }

  private static func write(_ text: String) {
    let errors = Output(descriptor: STDERR_FILENO)
    errors.write(text)
    try? errors.flush()
  }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension ProgressLine {
  /// Starts the thread that paints, unless it runs. It takes no signals: these are the command's own.
  private static func startThread() {
    let isNeeded = state.withLock { state in
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard isNeeded else { return }
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    // Where the system refuses one, the line moves with what is reported alone.
    if pthread_create(&thread, nil, keepPainting, nil) == 0 { pthread_detach(thread) }
  }
}

/// The main function of the thread: a free function, for one written in a main-actor context would trap.
private func keepPainting(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  while ProgressLine.paintAgain() { usleep(100_000) }
  return nil
}
