/// A program that a row measures: slip, another one, or the floor.
struct Contender {
  let name: String
  /// The most counted runs.
  var rounds = Int.max
  /// The preparation of each run, outside the timing.
  var prepare: (_ round: Int) throws -> Void = { _ in }
  /// One run. A thorough one, the first, checks all of the answer.
  let perform: (_ round: Int, _ isThorough: Bool) throws -> Cost

  /// The cost of one run.
  struct Cost {
    let seconds: Double
    /// Nil where it was no program.
    let peakBytes: Int?
  }

  /// Code of the bench itself.
  static func own(_ name: String, _ body: @escaping (_ round: Int) throws -> Void) -> Contender {
    Contender(name: name) { round, _ in
      let start = Clock.now()
      try body(round)
      return Cost(seconds: Clock.now() - start, peakBytes: nil)
    }
  }

  /// Programs that run one after the other.
  /// - Parameters:
  ///   - commands: The words of each for a round; the first word of each is a path.
  ///   - expectation: The expected output of the last of them.
  static func programs(
    _ name: String, in folder: String, rounds: Int = .max,
    prepare: @escaping (_ round: Int) throws -> Void = { _ in },
    expecting expectation: @escaping (_ round: Int) -> Expectation,
    _ commands: @escaping (_ round: Int) -> [[String]]
  ) -> Contender {
    let check = AnswerCheck()
    return Contender(name: name, rounds: rounds, prepare: prepare) { round, isThorough in
      var seconds = 0.0
      var peak = 0
      let commands = commands(round)
      for (index, words) in commands.enumerated() {
        let expected = index == commands.count - 1 ? expectation(round) : .success
        let result = try Command(words, in: folder).run(counting: expected.pattern, counts: isThorough)
        try check.check(result, expected, isThorough: isThorough)
        seconds += result.seconds
        peak = max(peak, result.peakBytes)
      }
      return Cost(seconds: seconds, peakBytes: peak)
    }
  }

  /// One program.
  static func program(
    _ name: String, in folder: String, expecting expectation: Expectation, _ words: [String]
  ) -> Contender {
    programs(name, in: folder, expecting: { _ in expectation }) { _ in [words] }
  }

  /// One program where it is installed.
  static func program(
    _ name: String, ifInstalled path: String?, in folder: String, expecting expectation: Expectation,
    _ words: (_ path: String) throws -> [String]
  ) rethrows -> Contender {
    guard let path else { return Contender(name: name) { _, _ in throw BenchError("not installed") } }
    return program(name, in: folder, expecting: expectation, try words(path))
  }
}

/// Checks the answers of one contender.
///
/// Counting the lines of a long answer would take time from the program that writes it: in the counted runs
/// such an answer has to be as long as the one that was looked through.
private final class AnswerCheck {
  private var provenByteCount: Int?

  func check(_ result: Command.Result, _ expectation: Expectation, isThorough: Bool) throws {
    var result = result
    if isThorough || result.output.countHead() {
      if let refusal = expectation.refusal(of: result) { throw BenchError(refusal) }
      provenByteCount = result.output.byteCount
    } else if result.exitCode != 0 || result.output.byteCount != provenByteCount {
      throw BenchError("wrong answer: \(result.output.byteCount) bytes, exit \(result.exitCode)")
    }
  }
}
