import Glibc
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
    let output = Output(descriptor: STDOUT_FILENO)
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

  /// Hands over what is buffered.
  /// - Throws: `.inputOutput` where the device is full or gone.
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

  /// Writes a message of one line for the user. Where standard error is closed it is lost, which is no reason to stop.
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
      let errors = Output(descriptor: STDERR_FILENO)
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

  /// Writes the bytes of a file, or what a terminal may see of them, and makes sure that they arrived.
  func print(verbatim bytes: [UInt8]) throws(SlipboxError) {
    if outputIsTerminal { return try print(Visible.escape(bytes, keepingLines: true)) }
    try print(bytes: bytes)
  }

  /// Writes lines and makes sure that they arrived.
  func print(_ lines: [String]) throws(SlipboxError) {
    for line in lines { write(line + "\n") }
    try flush()
  }

  /// Reads all of standard input.
  func readInput() throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.readAll(descriptor: STDIN_FILENO)
    } catch {
      throw SlipboxError(.inputOutput, "standard input: \(error.reason)")
    }
  }

  /// Asks on the controlling terminal; nil without a terminal, empty at the end of input.
  func ask(_ question: String) -> String? {
    Terminal.ask(Visible.escape(question)) ?? (Terminal.isControlled ? "" : nil)
  }

  var outputIsTerminal: Bool { Terminal.isTerminal(STDOUT_FILENO) }
  var inputIsTerminal: Bool { Terminal.isTerminal(STDIN_FILENO) }
  var errorsAreTerminal: Bool { Terminal.isTerminal(STDERR_FILENO) }
}
