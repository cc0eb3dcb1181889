import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import SlipboxHost
import Synchronization
import Text

/// A value that copies of a session share.
final class Switch: Sendable {
  private let state = Mutex(false)

  var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// One run of a command: its options, its streams, and the clock and settings as they are read when it starts.
struct Session {
  let options: GlobalOptions
  let context: CommandContext
  let console: Console
  /// Whether the box has the setting `bake: commit`; known once there is a writer.
  let bakesAfterCommits = Switch()
  private let commandEnvironment: CommandEnvironment
  private let progress: ProgressLine

  /// Makes the session of the process.
  init(
    _ options: GlobalOptions, _ commandEnvironment: CommandEnvironment, _ progress: ProgressLine,
    _ console: Console
  ) {
    self.options = options
    self.commandEnvironment = commandEnvironment
    self.progress = progress
    self.console = console
    let quiet = options.quiet
    let reporter = Reporter(
      waitsForEnd: true,
      warn: { message in
        if !quiet { console.complain(message.description) }
      },
      progress: { stage, done, total in
        if !quiet { progress.report(stage, done, of: total) }
      })
    var context = commandEnvironment.context(in: Files.currentDirectory(), reporter)
    context.historyFetch = Terminal.isControlled ? .asking : .silently
    self.context = context
  }

  /// The circumstances of one change of many that a session makes, as in an editor: in a folder, at the time of now.
  var contextOfEachChange: @Sendable (_ folder: [UInt8], Reporter) -> CommandContext {
    { [commandEnvironment] folder, reporter in commandEnvironment.context(in: folder, reporter) }
  }

  /// The same session with the clock and the user's settings read again.
  func renewed(_ options: GlobalOptions? = nil) -> Session {
    Session(options ?? self.options, commandEnvironment, progress, console)
  }

  /// Runs a body and shows its progress, except with `--quiet`.
  func showingProgress<Result>(_ body: () throws -> Result) rethrows -> Result {
    try options.quiet ? body() : progress.showing(body)
  }

  /// Runs a body, then prints the deferred warnings. A warning with the text of the error is not printed.
  func givingWarnings<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      context.reporter.giveWaiting()
      return result
    } catch {
      context.reporter.giveWaiting(besides: error as? SlipboxError)
      throw error
    }
  }

  /// Opens the box of the command.
  /// - Parameter fetchesHistory: whether the command may fetch objects that a partial clone lacks.
  func openBox(isLenient: Bool = false, fetchesHistory: Bool = true) throws(SlipboxError) -> BoxSnapshot {
    var context = context
    if !fetchesHistory { context.historyFetch = .never }
    return try BoxOpening.snapshot(named: options.box?.bytes, isLenient: isLenient, context)
  }

  /// Opens the box of the command at the requested time: now, or a point in the past.
  ///
  /// - Parameter isLenient: whether unreadable settings are replaced by the defaults.
  func openBox(_ past: PastOptions, isLenient: Bool = false) throws(SlipboxError) -> BoxSnapshot {
    guard let point = past.asOf else { return try openBox(isLenient: isLenient) }
    return try BoxOpening.snapshot(
      named: options.box?.bytes, asOf: point.text, isLenient: isLenient, context)
  }

  /// Warns if the history is incomplete.
  func sayIfShallow(_ snapshot: BoxSnapshot) {
    if snapshot.box.isShallow { say("this clone is shallow: earlier history is missing") }
  }

  /// Says that changes of notes are not in history, if they would belong to a last day; nil is today.
  func sayIfUncommitted(_ snapshot: BoxSnapshot, lastDay: CivilDate?) throws {
    guard lastDay ?? context.clock.today >= context.clock.today else { return }
    let count = Set(try OutsideChanges(in: snapshot).notes().map(\.path)).count
    guard count > 0 else { return }
    say(
      "\(count == 1 ? "1 uncommitted note is" : "\(count) uncommitted notes are") not counted; run slip commit"
    )
  }

  /// Reports how many links broke when another program moved notes or files, and the command that repairs them.
  func sayWhatMovesBroke() throws {
    let count = try LinksCheck(in: try openBox()).countOfLinksBrokenByMoves()
    guard count > 0 else { return }
    say(
      "\(count == 1 ? "1 link" : "\(count) links") to moved files broke; slip doctor --fix=links repairs them"
    )
  }

  /// Names notes that have one id, which new files of other programs may bring.
  func saySharedIDs() throws {
    for (id, paths) in try RecordsCheck(in: try openBox()).sharedIDs().prefix(3) {
      say(
        "\(paths.count) notes have the id \(id): \(paths.map { Visible.escape($0) }.joined(separator: ", ")); "
          + "slip doctor --fix=duplicates gives all but one a new id")
    }
  }

  /// Reports how many notes are in conflict, and the command that resolves them.
  func sayConflicts(_ count: Int) {
    guard count > 0 else { return }
    say(Count.conflicts(count))
  }

  /// The writer of the box of the command.
  func writer(after snapshot: BoxSnapshot) -> BoxWriter {
    bakesAfterCommits.isOn = snapshot.settings["bake"] == "commit"
    return BoxWriter(snapshot.box, context, after: snapshot)
  }

  /// The style of results on this output.
  var style: Style {
    let isTerminal = console.outputIsTerminal
    let colour: Bool
    switch options.color {
    case .always: colour = true
    case .never: colour = false
    case .auto:
      colour = isTerminal && !options.noColor && isEmpty("NO_COLOR") && environment("TERM") != "dumb"
    }
    return Style(
      colour: colour && !options.noColor, unicode: Self.isUnicode, hyperlinks: colour && isTerminal)
  }

  /// The width to lay out for, or nil if nothing is cut.
  var width: Int? { console.outputIsTerminal ? Terminal.columns(StandardStream.output) ?? 80 : nil }

  /// How results are shown on this output.
  var display: Display { Display(style: style, width: width) }

  /// Prints a message, except with `--quiet`.
  func say(_ message: Phrase) { context.reporter.warn(message) }

  /// Prints a line, except with `--quiet`.
  func say(_ line: String) { context.reporter.warn(Phrase(line)) }

  /// Prints messages, except with `--quiet`.
  func say(_ messages: [Phrase]) { for message in messages { say(message) } }

  /// Prints lines, except with `--quiet`.
  func say(_ lines: [String]) { for line in lines { say(line) } }

  /// Asks for agreement before a change.
  ///
  /// - Parameter refusal: what a call without a terminal for the question fails with.
  /// - Throws: `refusal`; `EarlyExit` with 130 if the answer is no.
  func confirm(_ question: String, orFail refusal: SlipboxError? = nil) throws {
    let agrees = console.agrees(to: question)
    if agrees == nil, let refusal { throw refusal }
    if agrees == true { return }
    console.complain("nothing was changed")
    throw EarlyExit(code: ExitCode.interrupted)
  }

  /// Names the files that are notes by name but could not be read.
  func warnOfUnreadableNotes(in snapshot: BoxSnapshot) {
    // A box that can't be read at all fails when its notes are read.
    say(UnreadableNotes.lines((try? snapshot.unreadableNotes()) ?? []))
  }

  private func isEmpty(_ variable: String) -> Bool { (environment(variable) ?? "").isEmpty }

  private static var isUnicode: Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment($0) }.first { !$0.isEmpty } ?? ""
    let name = locale.uppercased()
    return name.contains("UTF-8") || name.contains("UTF8")
  }
}

/// A command of slip, which is handed the session that it runs in.
protocol SlipCommand: ParsableCommand {
  /// The options that every command has.
  var global: GlobalOptions { get }

  /// Runs the command.
  func run(in session: Session) throws
}

/// Ends a command with an exit code and nothing more to say.
struct EarlyExit: Error {
  let code: Int32
}

/// REFs from standard input.
extension Session {
  /// REFs with those from standard input in the place of `-`.
  ///
  /// - Parameter nulSeparated: whether names on standard input end in NUL.
  func expandingInput(_ references: [String], nulSeparated: Bool) throws(SlipboxError) -> [String] {
    var names: [String] = []
    for reference in references {
      names += reference == "-" ? try referencesFromInput(nulSeparated: nulSeparated) : [reference]
    }
    return names
  }

  /// The single REF of a word; `-` reads it from standard input.
  func reference(_ word: Word, nulSeparated: Bool = false) throws(SlipboxError) -> String {
    let names = try expandingInput([word.text], nulSeparated: nulSeparated)
    guard names.count == 1 else {
      guard !names.isEmpty else { throw SlipboxError.emptyInput("a REF on a line names the note") }
      throw SlipboxError(.usage, "\(names.count) notes were named, but this command takes one")
    }
    return names[0]
  }

  /// The first column of each line of standard input.
  private func referencesFromInput(nulSeparated: Bool) throws(SlipboxError) -> [String] {
    let input = try console.readInput()
    let lines = input.split(separator: nulSeparated ? 0 : UInt8(ascii: "\n"))
    return lines.compactMap { line in
      let end = nulSeparated ? nil : line.firstIndex(of: UInt8(ascii: "\t"))
      let name = ByteText.text(of: line[..<(end ?? line.endIndex)])
      return name.isEmpty || name == "\r" ? nil : name
    }
  }
}

/// Text from standard input, which can't be typed again.
extension Session {
  /// Opens the box and runs a body with it. If either throws, the piped text is kept. Without a box to keep it in, it is
  /// printed.
  ///
  /// - Parameters:
  ///   - text: the text from standard input; nil if none was read.
  ///   - name: the name of the file in which it is kept.
  ///   - folder: the folder of the box for a note of it; nil for the usual one.
  ///   - again: a hint how to use it from that file.
  func withBox<Result>(
    keeping text: [UInt8]?, name: String, in folder: (BoxSnapshot) -> [UInt8]?,
    again: @escaping (_ file: Phrase) -> Phrase,
    _ body: (BoxSnapshot) throws -> Result
  ) throws -> Result {
    let snapshot: BoxSnapshot
    do throws(SlipboxError) {
      snapshot = try openBox()
    } catch {
      throw SlipboxError(error.kind, error.message, hints: error.hints, unsavedText: text ?? [])
    }
    do {
      return try body(snapshot)
    } catch {
      let refusal = error as? SlipboxError ?? (error as? QueryError).map { SlipboxError($0) }
      guard let text, let refusal else { throw error }
      throw snapshot.box.keeping(
        text, name: name, in: folder(snapshot), at: snapshot.clock.now, refusal, again: again)
    }
  }
}

/// Long output on a terminal goes through the user's pager.
extension Session {
  /// Writes lines, through the pager if they are more than the terminal has.
  func page(_ lines: [String]) throws {
    let text = lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    guard console.outputIsTerminal, console.inputIsTerminal, !options.noPager,
      lines.count >= Terminal.rows(StandardStream.output) ?? Int.max, let command = pager
    else {
      return try console.print(text)
    }
    try console.flush()
    let script = "LESS=\"${LESS-FRX}\"; export LESS; \(command)"
    let arguments = ["sh", "-c", script].map { Array($0.utf8) }
    let exit = try ChildProcess.run(arguments, input: .bytes(TerminalText.spellingOut(Array(text.utf8))))
    if exit == .code(127) { try console.print(text) }
  }

  /// The user's pager; nil if none is wanted.
  private var pager: String? {
    let own = Settings.user(context)["pager"] ?? environment("SLIP_PAGER")
    let pager = own ?? environment("PAGER") ?? "less"
    return pager.isEmpty || pager == "cat" ? nil : pager
  }
}
