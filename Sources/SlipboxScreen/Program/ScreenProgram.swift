import Bytes
import Git
import Platform
package import SlipboxCore
import Synchronization
import Text

/// The box on all of a terminal, from the first frame to the last.
package final class ScreenProgram {
  private let circumstances: ScreenCircumstances
  private let terminal: RawTerminal
  private let events: TerminalEvents
  private let box: ScreenBox
  private let queue = EventQueue()
  private let work: ScreenWork
  private var state: ScreenState
  /// The frame on the terminal; nil if it is unknown.
  private var shown: Frame?
  private var keys = KeyReader()
  private var isFollowing = false

  /// Events of other threads.
  private final class EventQueue: Sendable {
    private let events = Mutex<[ScreenEvent]>([])

    func put(_ event: ScreenEvent) { events.withLock { $0.append(event) } }

    func all() -> [ScreenEvent] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  /// After an Escape, further bytes of the same key come within this time.
  private static let escapeMilliseconds: Int32 = 40

  /// - Throws: `.usage` if there is no terminal, or a setting of keys can't be used.
  package init(_ snapshot: BoxSnapshot, named name: String, _ circumstances: ScreenCircumstances)
    throws(SlipboxError)
  {
    self.circumstances = circumstances
    guard
      let terminal = RawTerminal(
        input: StandardStream.input, output: StandardStream.output, usesMouse: circumstances.usesMouse)
    else {
      throw SlipboxError(
        .usage, "slip browse needs a terminal", hints: ["in scripts, use slip list and slip show"])
    }
    self.terminal = terminal
    do throws(SystemError) {
      events = try TerminalEvents(input: StandardStream.input)
    } catch {
      throw SlipboxError(error)
    }
    let actions: ActionTable
    do throws(ActionTable.Fault) {
      actions = try ActionTable(keys: circumstances.keys, showsPatch: circumstances.showsPatch)
    } catch {
      throw SlipboxError(.configuration, Phrase(error.message), hints: [Phrase(error.hint)])
    }
    let (queue, events) = (queue, events)
    box = ScreenBox(snapshot, circumstances)
    work = ScreenWork(ScreenAnswers(box, circumstances), circumstances) { event in
      queue.put(event)
      events.wake()
    }
    state = ScreenState(actions: actions, style: circumstances.style, boxName: name, size: terminal.size)
  }

  /// Shows the box until the user leaves.
  ///
  /// - Parameter query: the query of the first list.
  /// - Returns: the exit status: 0, or 128 plus the number of the signal that ended it.
  package func run(_ query: String) -> Int32 {
    state.view.request.query = query
    events.hearSignals()
    let watched = try? TerminalGuard.start(circumstances.slip([TerminalGuard.command]))
    terminal.enter()
    defer {
      terminal.leave()
      watched?.dismiss()
    }
    var code = carryOut(state.start())
    while code == nil {
      draw()
      follow()
      code = wait()
    }
    return code ?? 0
  }

  /// Starts the watch, once a first list is there: until then it would only slow that down. The first check finds the
  /// changes made meanwhile.
  private func follow() {
    guard !isFollowing, state.listing != nil else { return }
    isFollowing = true
    let (queue, events) = (queue, events)
    let hasThread = box.follow {
      queue.put(.changed)
      events.wake()
    }
    if !hasThread { state.say("changes by other programs are not noticed", isError: true) }
  }

  private func draw() {
    let frame = state.frame()
    guard frame != shown else { return }
    terminal.write(FrameWriter.bytes(from: shown, to: frame))
    shown = frame
  }

  /// Waits for events and handles all pending ones.
  ///
  /// - Returns: the exit status if the program ends.
  private func wait() -> Int32? {
    switch events.wait(keys.isUnsure ? Self.escapeMilliseconds : -1) {
    case .keys(let bytes):
      for key in keys.keys(bytes) { if let code = take(.key(key)) { return code } }
    case .timeout:
      for key in keys.flush() { if let code = take(.key(key)) { return code } }
    case .closed: return 0
    case .signals(let signals): if let code = take(signals) { return code }
    case .woken: break
    }
    for event in queue.all() { if let code = take(event) { return code } }
    return nil
  }

  private func take(_ signals: Set<Int32>) -> Int32? {
    let ending = [Signals.terminate, Signals.hangUp, Signals.interrupt, Signals.quit]
    if let signal = ending.first(where: signals.contains) { return 128 + signal }
    if signals.contains(Signals.stop) { suspend() }
    if signals.contains(Signals.resume) {
      // Somebody else may have used the terminal meanwhile.
      terminal.leave()
      terminal.enter()
      shown = nil
    }
    let size = terminal.size
    return take(.resized(columns: size.columns, rows: size.rows))
  }

  private func take(_ event: ScreenEvent) -> Int32? { carryOut(state.take(event)) }

  private func carryOut(_ effects: [ScreenEffect]) -> Int32? {
    for effect in effects where !work.take(effect) {
      switch effect {
      case .quit: return 0
      case .suspend: suspend()
      case .redraw: shown = nil
      case .copy(let text): terminal.write(Clipboard.sequence(text))
      case .run(let run, _): if let code = take(.ran(runOnTerminal(run))) { return code }
      default: break
      }
    }
    return nil
  }

  private func suspend() {
    terminal.leave()
    events.suspend()
    terminal.enter()
    shown = nil
    let size = terminal.size
    state.size = size
  }

  /// Hands the terminal to a command that asks or opens a program, and takes it back.
  private func runOnTerminal(_ run: CommandRun) -> CommandResult {
    terminal.leave()
    terminal.write(Array("\(run.line)\r\n".utf8))
    let words = work.words(of: run)
    let tip = box.lastCommit()?.id
    let (isSuccess, failures) = events.handingOver { () -> (Bool, [String]) in
      do throws(SystemError) {
        let exit =
          run.input.isEmpty
          ? try ChildProcess.run(words) : try ChildProcess.run(words, input: .bytes(run.lines))
        let isSuccess = exit == .code(0)
        // The output of the program stays visible until a key; an editor that was left has no output to read.
        if !isSuccess || !Self.isEditor(run) { _ = Terminal.ask("\npress Enter to return to slip browse ") }
        return (isSuccess, [])
      } catch {
        return (false, [error.reason])
      }
    }
    terminal.enter()
    shown = nil
    let size = terminal.size
    state.size = size
    let made = box.lastCommit().flatMap { $0.id == tip ? nil : $0.subject }
    let messages = isSuccess ? [made ?? "nothing changed"] : failures
    return CommandResult(
      run: run, output: [], messages: messages, isSuccess: isSuccess, hadTerminal: true)
  }

  private static func isEditor(_ run: CommandRun) -> Bool { run.words.first == "edit" }
}

/// The clipboard of the terminal, which may be on another machine.
enum Clipboard {
  /// The sequence that copies a text to the clipboard. Source: xterm, OSC 52. Other terminals ignore it.
  static func sequence(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;\(Base64.encoded(Array(text.utf8)))\u{07}".utf8)
  }
}
