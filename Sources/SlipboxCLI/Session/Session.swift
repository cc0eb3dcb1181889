import Glibc
import Notes
import Platform
import Presentation
import SlipboxCore
import SlipboxHost

/// One run of a command: its options, its streams, and the clock and settings as they are read when it starts.
struct Session {
  let options: GlobalOptions
  let context: CommandContext
  let console: Console
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
        if !quiet { console.complain(message) }
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

  /// Runs a body and shows how far it is, unless quiet is asked for.
  func showingProgress<Result>(_ body: () throws -> Result) rethrows -> Result {
    try options.quiet ? body() : progress.showing(body)
  }

  /// Runs a body, then gives the warnings that waited for its end; a refusal that tells the same is told alone.
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
  /// - Parameter fetchesHistory: whether the command may fetch what a partial clone left at its remote.
  func openBox(isLenient: Bool = false, fetchesHistory: Bool = true) throws(SlipboxError) -> BoxSnapshot {
    var context = context
    if !fetchesHistory { context.historyFetch = .never }
    return try BoxSnapshot.open(named: options.box?.bytes, isLenient: isLenient, context)
  }

  /// Opens the box of the command at the time that is asked for: now, or a point in the past.
  ///
  /// - Parameter isLenient: whether settings that can't be read are taken to be the standard ones.
  func openBox(_ past: PastOptions, isLenient: Bool = false) throws(SlipboxError) -> BoxSnapshot {
    guard let point = past.asOf else { return try openBox(isLenient: isLenient) }
    return try BoxSnapshot.open(
      named: options.box?.bytes, asOf: point.text, isLenient: isLenient, context)
  }

  /// Says that history is not whole, where it is not.
  func sayIfShallow(_ snapshot: BoxSnapshot) {
    if snapshot.isShallow { say("this clone is shallow: earlier history is missing") }
  }

  /// The writer of the box of the command.
  func writer(after snapshot: BoxSnapshot) -> BoxWriter {
    BoxWriter(snapshot.box, context, after: snapshot)
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

  /// The width to lay out for, or nil where nothing is cut.
  var width: Int? { console.outputIsTerminal ? Terminal.columns(STDOUT_FILENO) ?? 80 : nil }

  /// How results are shown on this output.
  var display: Display { Display(style: style, width: width) }

  /// Says something unless quiet is asked for.
  func say(_ message: String) { context.reporter.warn(message) }

  /// Says each of some things unless quiet is asked for.
  func say(_ messages: [String]) { for message in messages { say(message) } }

  /// Names the files that are notes by name but could not be read.
  func warnOfUnreadableNotes(in snapshot: BoxSnapshot) {
    // A box that can't be read at all fails where its notes are asked for.
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
