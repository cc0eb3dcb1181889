import Glibc
import NoteIndex
import Notes
import Platform
import SlipboxCore

/// Answers a question, and answers it anew whenever the box changes, until Ctrl-C or until nobody reads any more.
///
/// No mode of the terminal is changed, so that a command that is killed leaves it as it was.
struct Watching {
  private let global: GlobalOptions
  private let options: ListOptions
  private let answer: (Session, Slipbox, _ most: Int?) throws -> Int
  private let screen: Screen?

  init(
    _ global: GlobalOptions, _ options: ListOptions, hasLinePerNote: Bool,
    answer: @escaping (Session, Slipbox, _ most: Int?) throws -> Int
  ) {
    var global = global
    // There is no end at which a pager could take over.
    global.noPager = true
    self.global = global
    self.options = options
    self.answer = answer
    screen =
      Console.outputIsTerminal && environment("TERM") != "dumb"
      ? Screen(end: options.nulSeparated ? 0 : UInt8(ascii: "\n"), hasLinePerNote: hasLinePerNote) : nil
  }

  func run() throws {
    if screen != nil { Signals.endWaitsForRedrawing() }
    var session = Session(global)
    var box = try session.openBox()
    var watch = BoxWatch(box)
    if !watch.isComplete {
      session.say("the system can't watch this box: looking at all of it every 2 seconds")
    }
    // The first answer fails as it would without an eye on the box.
    var shown = try captured(session, box)
    try show(shown, since: nil)
    while true {
      try watch.watchLinkedFiles(of: box)
      let awakening = watch.next(output: STDOUT_FILENO, now: session.surroundings.clock.now.seconds)
      session = Session(global)
      switch awakening {
      case .outputClosed:
        raise(SIGPIPE)
        throw Silent(code: 128 + SIGPIPE)
      case .resized: try box.refresh(BoxNews(), session.surroundings)
      case .news(let news) where news.isEverythingNew:
        box = try reopened(box, session)
        // Notes are read when they are first asked for: after the watch is there.
        if watch.isComplete { watch = BoxWatch(box) }
      case .news(let news): try box.refresh(news, session.surroundings)
      }
      let next = answered(session, box)
      try show(next, since: awakening == .resized ? nil : shown)
      shown = next
    }
  }

  /// The box with its settings read again; as it was while these can't be read.
  private func reopened(_ box: Slipbox, _ session: Session) throws -> Slipbox {
    do throws(SlipboxError) {
      return try session.openBox()
    } catch {
      guard error.kind == .configuration else { throw error }
      for line in Failure.lines(of: error) { Console.complain(line) }
      try box.refresh(BoxNews(everything: true), session.surroundings)
      return box
    }
  }
}

extension Watching {
  /// An answer as it is shown.
  private struct Shown: Equatable {
    var captured = Console.Captured()
    var leftOut = 0
  }

  private func captured(_ session: Session, _ box: Slipbox) throws -> Shown {
    let (captured, leftOut) = try Console.capturing { try answer(session, box, screen?.rows) }
    return Shown(captured: captured, leftOut: leftOut)
  }

  /// An answer, or what keeps it from being given for now: a file of settings that is half written, say.
  private func answered(_ session: Session, _ box: Slipbox) -> Shown {
    var shown = Shown()
    do {
      return try captured(session, box)
    } catch let error as SlipboxError {
      shown.captured.messages = Failure.lines(of: error)
    } catch let error as QueryError {
      shown.captured.messages = Failure.lines(of: SlipboxError(error))
    } catch let error as SystemError {
      shown.captured.messages = Failure.lines(of: SlipboxError(error))
    } catch {
      shown.captured.messages = ["slip: \(error)"]
    }
    return shown
  }

  private func show(_ shown: Shown, since last: Shown?) throws {
    guard shown != last else { return }
    if let screen { return try screen.draw(shown.captured, leftOut: shown.leftOut) }
    if shown.captured.messages != last?.captured.messages ?? [] {
      for message in shown.captured.messages { Console.complain(message) }
    }
    guard last == nil || shown.captured.output != last?.captured.output else { return }
    Console.write(shown.captured.output)
    try Console.print(options.nulSeparated ? "\0" : "\n")
  }
}
