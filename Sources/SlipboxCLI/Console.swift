import Glibc
import Platform
import Rendering
import SlipboxCore

/// The streams of the command: results to standard output, messages to standard error.
enum Console {
  /// The command is one thread as far as it writes.
  private nonisolated(unsafe) static let output = Output(descriptor: STDOUT_FILENO)

  /// What was written while it is kept back.
  struct Captured: Equatable {
    var output: [UInt8] = []
    var messages: [String] = []
  }

  private nonisolated(unsafe) static var captured: Captured?

  /// Runs a body and keeps back what it writes and complains of.
  static func capturing<Result>(_ body: () throws -> Result) rethrows -> (Captured, Result) {
    captured = Captured()
    defer { captured = nil }
    let result = try body()
    return (captured ?? Captured(), result)
  }

  /// Puts results into the buffer.
  static func write(_ text: String) {
    if captured == nil { output.write(text) } else { captured?.output.append(contentsOf: text.utf8) }
  }

  /// Puts results into the buffer.
  static func write(_ bytes: [UInt8]) {
    if captured == nil { output.write(bytes) } else { captured?.output.append(contentsOf: bytes) }
  }

  /// Writes results and makes sure that they arrived.
  static func print(_ text: String) throws {
    write(text)
    try flush()
  }

  /// Hands over what is buffered.
  /// - Throws: `.inputOutput` where the device is full or gone.
  static func flush() throws(SlipboxError) {
    guard captured == nil else { return }
    do throws(SystemError) {
      try output.flush()
    } catch {
      throw SlipboxError(.inputOutput, "standard output: \(error.reason)")
    }
  }

  /// A message for the user. Where nobody listens it is lost, which is no reason to stop.
  static func complain(_ text: String) {
    guard captured == nil else {
      captured?.messages.append(text)
      return
    }
    ProgressLine.putAside {
      let errors = Output(descriptor: STDERR_FILENO)
      errors.write(text + "\n")
      try? errors.flush()
    }
  }

  /// All of standard input.
  static func readInput() throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.readAll(descriptor: STDIN_FILENO)
    } catch {
      throw SlipboxError(.inputOutput, "standard input: \(error.reason)")
    }
  }

  static var outputIsTerminal: Bool { Terminal.isTerminal(STDOUT_FILENO) }
  static var inputIsTerminal: Bool { Terminal.isTerminal(STDIN_FILENO) }
}
