import Bytes
import Platform
import Presentation
import SlipboxCore
import Synchronization
import Text

/// The streams of a command: results to standard output, messages to standard error.
///
/// The one place where words leave for a terminal: of messages everything that would act on it is spelt out, and of
/// results on a terminal all but the sequences of our own styling, wherever the words come from.
///
/// It can keep both back, for an answer that is compared or drawn as a whole.
final class Console: Sendable {
  /// Output and messages that were kept back.
  struct Captured: Equatable {
    var output: [UInt8] = []
    var messages: [String] = []
  }

  private struct Streams {
    let output = Output(descriptor: StandardStream.output)
    /// Output and messages while they are kept back.
    var captured: Captured?
  }

  private let streams = Mutex(Streams())
  /// The line that messages must not be written into.
  private let progress: ProgressLine

  /// Makes a console on the streams of the process.
  init(_ progress: ProgressLine) { self.progress = progress }

  /// Runs a body and keeps back its output and messages.
  func keepingBack<Result>(_ body: () throws -> Result) rethrows -> (Captured, Result) {
    streams.withLock { $0.captured = Captured() }
    defer { streams.withLock { $0.captured = nil } }
    let result = try body()
    return (streams.withLock { $0.captured ?? Captured() }, result)
  }

  /// Adds to the results, which are buffered.
  func write(_ text: String) { write(Array(text.utf8)) }

  /// Adds to the results, which are buffered.
  func write(_ bytes: [UInt8]) {
    streams.withLock { streams in
      guard streams.captured == nil else {
        streams.captured?.output += bytes
        return
      }
      streams.output.write(outputIsTerminal ? TerminalText.spellingOut(bytes) : bytes)
    }
  }

  /// Draws a frame of a screen, whose parts went through `TerminalText`, and makes sure that it arrived.
  func draw(_ frame: [UInt8]) throws(SlipboxError) {
    streams.withLock { $0.output.write(frame) }
    try flush()
  }

  /// Flushes the buffer.
  /// - Throws: `.inputOutput` if the device is full or gone.
  func flush() throws(SlipboxError) {
    let failure: SystemError? = streams.withLock { streams in
      guard streams.captured == nil else { return nil }
      do throws(SystemError) {
        try streams.output.flush()
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw SlipboxError(.inputOutput, "standard output: \(failure.reason)") }
  }

  /// Writes a message of one line for the user. If standard error is closed it is lost, which is no reason to stop.
  func complain(_ line: String) {
    let text = Visible.escape(line)
    let isKept = streams.withLock { streams in
      streams.captured?.messages.append(text)
      return streams.captured != nil
    }
    if !isKept { writeMessage(Array("\(text)\n".utf8)) }
  }

  /// Writes a text of the user's that could be kept nowhere between two lines, byte for byte, so that it can be copied.
  /// Control characters are spelt out on a terminal.
  func complain(handingBack text: [UInt8]) {
    let shown = errorsAreTerminal ? Array(Visible.escape(text, keepingLines: true).utf8) : text
    let end = shown.last == UInt8(ascii: "\n") ? "" : "\n"
    writeMessage(
      Array("----- your text -----\n".utf8) + shown + Array("\(end)----- end of your text -----\n".utf8))
  }

  private func writeMessage(_ bytes: [UInt8]) {
    progress.putAside {
      let errors = Output(descriptor: StandardStream.errors)
      errors.write(bytes)
      // A lost message stops nothing.
      try? errors.flush()
    }
  }
}

extension Console {
  /// Writes results and makes sure that they arrived.
  func print(_ text: String) throws(SlipboxError) { try print(bytes: Array(text.utf8)) }

  /// Writes results and makes sure that they arrived.
  func print(bytes: [UInt8]) throws(SlipboxError) {
    write(bytes)
    try flush()
  }

  /// Writes the bytes of a file, escaped if a terminal would interpret them, and flushes them.
  func print(verbatim bytes: [UInt8]) throws(SlipboxError) {
    if outputIsTerminal { return try print(Visible.escape(bytes, keepingLines: true)) }
    try print(bytes: bytes)
  }

  /// Writes lines and makes sure that they arrived.
  func print(_ lines: [String]) throws(SlipboxError) {
    try print(bytes: Self.bytes(of: lines, end: UInt8(ascii: "\n")))
  }

  /// Lines with an end behind each.
  static func bytes(of lines: [String], end: UInt8) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(lines.count) { $0 + $1.utf8.count })
    for line in lines {
      bytes.append(contentsOf: line.utf8)
      bytes.append(end)
    }
    return bytes
  }

  /// Reads all of standard input.
  func readInput() throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.readAll(descriptor: StandardStream.input)
    } catch {
      throw SlipboxError(.inputOutput, "standard input: \(error.reason)")
    }
  }

  /// Asks on the controlling terminal; nil without a terminal, empty at the end of input.
  func ask(_ question: String) -> String? {
    Terminal.ask(Visible.escape(question)) ?? (Terminal.isControlled ? "" : nil)
  }

  /// Asks a question that only a "y" or "yes" agrees to, on the controlling terminal; nil without a terminal.
  func agrees(to question: String) -> Bool? {
    ask("\(question) [y/N] ").map { ["y", "yes"].contains($0.lowercased()) }
  }

  var outputIsTerminal: Bool { Terminal.isTerminal(StandardStream.output) }
  var inputIsTerminal: Bool { Terminal.isTerminal(StandardStream.input) }
  var errorsAreTerminal: Bool { Terminal.isTerminal(StandardStream.errors) }
}

/// Draws lines from the top of the terminal on, over the earlier ones.
struct Screen {
  private let console: Console
  private let end: UInt8
  private let hasLinePerNote: Bool

  /// - Parameters:
  ///   - end: the byte that ends a line.
  ///   - hasLinePerNote: whether each line is a note, so that those left out can be counted.
  init(_ console: Console, end: UInt8, hasLinePerNote: Bool) {
    self.console = console
    self.end = end
    self.hasLinePerNote = hasLinePerNote
  }

  /// The lines of the terminal, less one for the cursor.
  var rows: Int { max(2, (Terminal.rows(StandardStream.output) ?? 24) - 1) }

  /// Draws results, and messages under them; lines that there is no room for are left out.
  func draw(_ captured: Console.Captured, leftOut: Int) throws {
    var lines = captured.output.split(separator: end, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let messages = captured.messages.prefix(rows / 2)
    let room = rows - messages.count
    if lines.count > room || leftOut > 0 {
      let cut = max(0, lines.count - room + 1)
      lines.removeLast(cut)
      lines.append(Array((hasLinePerNote ? "and \(leftOut + cut) more" : "and more").utf8))
    }
    lines = lines.map { TerminalText.spellingOut($0) }
    lines += messages.map { Array(Visible.escape($0).utf8) }
    // Long lines end at the edge while this is drawn; all of it is one write, so that nothing flickers.
    var frame = Array("\u{1B}[?7l\u{1B}[H".utf8)
    // A line is erased before it is written: after a full line the cursor is still on its last cell.
    for line in lines { frame += Array("\u{1B}[K".utf8) + line + Array("\r\n".utf8) }
    frame += Array("\u{1B}[J\u{1B}[?7h".utf8)
    try write(frame)
  }

  private func write(_ frame: [UInt8]) throws(SlipboxError) {
    try Signals.deferring { () throws(SlipboxError) in
      try console.draw(frame)
    }
  }
}

/// The target path of files that are not notes.
enum OutputPath {
  /// Refuses a path in a folder of git, whose files are git's alone.
  ///
  /// - Throws: `.cannotCreate` if a folder of the path is named `.git`, or is a repository without a work tree.
  static func refuseGitFolder(_ path: [UInt8]) throws(SlipboxError) {
    var folder = path
    var rest: [UInt8] = []
    var real = Files.realPath(folder)
    while real == nil, folder.count > 1 {
      rest = BytePath.join(BytePath.name(of: folder), rest)
      folder = BytePath.folder(of: folder)
      real = Files.realPath(folder.isEmpty ? [UInt8(ascii: "/")] : folder)
    }
    let parts = BytePath.join(real ?? folder, rest).split(separator: UInt8(ascii: "/"))
    var ancestor: [UInt8] = []
    for part in parts {
      ancestor += [UInt8(ascii: "/")] + part
      guard String(decoding: part, as: UTF8.self).lowercased() == ".git" || isRepository(ancestor) else {
        continue
      }
      throw SlipboxError(
        .cannotCreate, "\(Visible.escape(path)) is in a folder of git; nothing was written",
        hints: ["use another folder"])
    }
  }

  /// The path in a box that a path resolves to; nil if it is outside of the box.
  static func inBox(_ path: [UInt8], _ box: Box) -> [UInt8]? {
    let folder = Files.realPath(BytePath.folder(of: path)) ?? BytePath.folder(of: path)
    let real = Files.realPath(path) ?? BytePath.join(folder, BytePath.name(of: path))
    return BytePath.relative(real, to: Files.realPath(box.root) ?? box.root)
  }

  /// Whether a path in a box is hidden, so that no note is in it.
  static func isHidden(_ path: [UInt8]) -> Bool {
    path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
  }

  private static func isRepository(_ folder: [UInt8]) -> Bool {
    let kinds = ["HEAD", "objects", "refs"].map { name in
      ((try? Files.status(BytePath.join(folder, Array(name.utf8)))) ?? nil)?.kind
    }
    return kinds == [.file, .directory, .directory]
  }
}
