import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

/// Answers a question again whenever the box changes, until Ctrl-C or until the output is closed.
///
/// No mode of the terminal is changed, so that a command that is killed leaves it as it was.
struct Watching {
  /// The session that it was started in; each answer has one of its own, with the clock read again.
  private let session: Session
  private let options: ListOptions
  private let answer: (Session, BoxSnapshot, _ most: Int?) throws -> Int
  private let screen: Screen?

  init(
    _ session: Session, _ options: ListOptions, hasLinePerNote: Bool,
    answer: @escaping (Session, BoxSnapshot, _ most: Int?) throws -> Int
  ) {
    var global = session.options
    // There is no end at which a pager could take over.
    global.noPager = true
    self.session = session.renewed(global)
    self.options = options
    self.answer = answer
    screen =
      session.console.outputIsTerminal && environment("TERM") != "dumb"
      ? Screen(
        session.console, end: options.nulSeparated ? 0 : UInt8(ascii: "\n"), hasLinePerNote: hasLinePerNote)
      : nil
  }

  func run() throws {
    if screen != nil { Signals.endWaitsForRedrawing() }
    var session = session
    var snapshot = try session.openBox()
    var watch = BoxWatch(snapshot.box)
    if !watch.isComplete {
      session.say("the system can't watch this box: polling it every 2 seconds")
    }
    // The first answer fails as it would without an eye on the box.
    var shown = try captured(session, snapshot)
    try show(shown, since: nil)
    while true {
      try watch.watchLinkedFiles(of: snapshot)
      let event = watch.next(output: StandardStream.output, now: session.context.clock.now.seconds)
      session = self.session.renewed()
      switch event {
      case .outputClosed:
        Signals.raise(Signals.brokenPipe)
        throw EarlyExit(code: 128 + Signals.brokenPipe)
      case .resized: snapshot = try next(after: snapshot, WatchedChanges(), session)
      case .changes(let changes) where changes.isEverythingNew:
        snapshot = try reopened(snapshot, session)
        // Notes are read at their first use: after the watch exists.
        if watch.isComplete { watch = BoxWatch(snapshot.box) }
      case .changes(let changes): snapshot = try next(after: snapshot, changes, session)
      }
      let answer = answered(session, snapshot)
      try show(answer, since: event == .resized ? nil : shown)
      shown = answer
    }
  }

  /// The box with its settings read again; as it was while these can't be read.
  private func reopened(_ snapshot: BoxSnapshot, _ session: Session) throws -> BoxSnapshot {
    do throws(SlipboxError) {
      return try session.openBox()
    } catch {
      guard error.kind == .configuration else { throw error }
      for line in error.lines { session.console.complain(line) }
      return try next(after: snapshot, WatchedChanges(everything: true), session)
    }
  }

  private func next(
    after snapshot: BoxSnapshot, _ changes: WatchedChanges, _ session: Session
  ) throws(SlipboxError) -> BoxSnapshot {
    try WorkTreeReader(snapshot.box, session.context).snapshot(after: snapshot, changes)
  }
}

extension Watching {
  /// An answer as it is shown.
  private struct Shown: Equatable {
    var captured = Console.Captured()
    var leftOut = 0
  }

  private func captured(_ session: Session, _ snapshot: BoxSnapshot) throws -> Shown {
    let (captured, leftOut) = try session.console.keepingBack {
      try session.givingWarnings { try answer(session, snapshot, screen?.rows) }
    }
    return Shown(captured: captured, leftOut: leftOut)
  }

  /// An answer, or the reason why there is none now, such as a half-written settings file.
  private func answered(_ session: Session, _ snapshot: BoxSnapshot) -> Shown {
    var shown = Shown()
    do {
      return try captured(session, snapshot)
    } catch let error as SlipboxError {
      shown.captured.messages = error.lines
    } catch let error as QueryError {
      shown.captured.messages = SlipboxError(error).lines
    } catch let error as SystemError {
      shown.captured.messages = SlipboxError(error).lines
    } catch {
      shown.captured.messages = ["slip: \(error)"]
    }
    return shown
  }

  private func show(_ shown: Shown, since last: Shown?) throws {
    guard shown != last else { return }
    if let screen { return try screen.draw(shown.captured, leftOut: shown.leftOut) }
    if shown.captured.messages != last?.captured.messages ?? [] {
      for message in shown.captured.messages { session.console.complain(message) }
    }
    guard last == nil || shown.captured.output != last?.captured.output else { return }
    session.console.write(shown.captured.output)
    try session.console.print(options.lineEnd)
  }
}
