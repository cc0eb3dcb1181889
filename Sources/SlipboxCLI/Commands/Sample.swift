import ArgumentParser
import Glibc
import Platform
import SlipboxCore

struct Sample: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Fill an empty box with sample records.",
    discussion: """
      Issues with five tags, books, groups of tasks and linked notes, spread over the last two years, in one commit. \
      Try things on them; git revert or slip rm --all takes them away again. The same seed gives the same records on \
      the same day and time.

      Examples:
        slip sample --force
        slip sample --count 20 --seed 7 --force
      """, shouldDisplay: false)

  @Option(name: .long, help: ArgumentHelp("How many records in all.", valueName: "n"))
  var count = SampleRequest.usualCount

  @Option(name: .long, help: ArgumentHelp("A number that the records follow from.", valueName: "s"))
  var seed: UInt64?

  @Flag(name: .long, help: "Add them although the box has notes.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...SampleRequest.largestCount).contains(count) else {
      throw ValidationError("--count takes a number from 1 to \(SampleRequest.largestCount).")
    }
  }

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let request = SampleRequest(count: count, seed: seed, isForced: force)
    let recorded = try ProgressLine.showing(verb: "writing", unlessQuiet: global.quiet) {
      try box.record(try box.sampling(request))
    }
    try Changes.report(recorded, session)
  }
}

/// A line on standard error that says how far a command has come, once it has taken half a second.
final class ProgressLine: @unchecked Sendable {
  private static let delayNanoseconds: Int64 = 500_000_000
  private static let intervalNanoseconds: Int64 = 100_000_000

  // One thread reports, the one that carries the command out.
  private let verb: String
  private var next: Int64
  private var isShown = false

  private init(verb: String) {
    self.verb = verb
    next = Self.now() + Self.delayNanoseconds
  }

  /// Runs a body with a progress line where standard error is a terminal, and takes the line away at its end.
  static func showing<Result>(verb: String, unlessQuiet isQuiet: Bool, _ body: () throws -> Result) rethrows
    -> Result
  {
    guard !isQuiet, Terminal.isTerminal(STDERR_FILENO) else { return try body() }
    let line = ProgressLine(verb: verb)
    defer { line.clear() }
    return try Progress.$current.withValue(Progress { line.show($0, of: $1) }, operation: body)
  }

  private func show(_ done: Int, of total: Int) {
    let time = Self.now()
    guard time >= next else { return }
    next = time + Self.intervalNanoseconds
    isShown = true
    Self.write("\r\(verb) \(done) of \(total)\u{1B}[K")
  }

  private func clear() {
    if isShown { Self.write("\r\u{1B}[K") }
  }

  private static func write(_ text: String) {
    let errors = Output(descriptor: STDERR_FILENO)
    errors.write(text)
    try? errors.flush()
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
