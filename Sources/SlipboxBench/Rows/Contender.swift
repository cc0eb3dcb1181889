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
    /// nil if it was no program.
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

  /// One program if it is installed.
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

/// The expected output of a command: a fast answer that is wrong must not count.
struct Expectation {
  private var lines: Int?
  private(set) var pattern: String?
  private var occurrences = 0
  private var beginning: String?
  private var wantsID = false

  /// Any answer of a command that succeeds.
  static let success = Expectation()

  /// A number of lines.
  static func lines(_ count: Int) -> Expectation {
    var expectation = Expectation()
    expectation.lines = count
    return expectation
  }

  /// A text that occurs so often in the output.
  static func occurrences(of text: String, _ count: Int) -> Expectation {
    var expectation = Expectation()
    expectation.pattern = text
    expectation.occurrences = count
    return expectation
  }

  /// The same, and a text that the output begins with.
  func beginning(with text: String) -> Expectation {
    var expectation = self
    expectation.beginning = text
    return expectation
  }

  /// The id of a new note in a line of its own.
  static var newID: Expectation {
    var expectation = Expectation.lines(1)
    expectation.wantsID = true
    return expectation
  }

  /// The reason why a result does not count; nil if it counts.
  func refusal(of result: Command.Result) -> String? {
    guard result.exitCode == 0 else {
      return "exit \(result.exitCode)" + (result.complaint.isEmpty ? "" : ": \(result.complaint)")
    }
    let output = result.output
    if let lines, output.lineCount != lines { return "wrong answer: \(output.lineCount) lines, not \(lines)" }
    if let pattern, output.occurrences != occurrences {
      return "wrong answer: \(pattern) \(output.occurrences) times, not \(occurrences)"
    }
    if let beginning, !output.text.hasPrefix(beginning) {
      return "wrong answer: it begins with \(output.text.prefix(20)), not \(beginning)"
    }
    if wantsID {
      let id = output.text.dropLast()
      let isID = id.count == 8 && id.allSatisfy { "bcdfghjklmnpqrstvwxz".contains($0) }
      if !isID { return "wrong answer: \(output.text.prefix(40)) is no id" }
    }
    return nil
  }
}

/// Measures rows: all contenders in turn, so that other load on the machine meets them alike.
struct RowRunner {
  let runs: Int
  /// After this, three counted runs are enough.
  private let patienceSeconds = 20.0
  /// After this none are wanted: the first run of all then has to count.
  private let limitSeconds = 40.0

  /// Measures a row; a failure is in the result, with its reason.
  func measure(_ plan: RowPlan, _ scale: Scale?, _ make: () throws -> Row) -> RowResult {
    do {
      return try measure(plan, scale, try make())
    } catch {
      return RowResult(
        key: plan.key, title: plan.title, scale: scale,
        slip: Measurement(name: "slip", milliseconds: [], failure: Self.reason(error)), others: [], goals: [])
    }
  }

  private func measure(_ plan: RowPlan, _ scale: Scale?, _ row: Row) throws -> RowResult {
    var records = ([row.slip] + row.others).map(Record.init)
    let start = Clock.now()
    var round = 0
    while round <= runs {
      for index in records.indices { records[index].run(round) }
      round += 1
      let elapsed = Clock.now() - start
      if records[0].failure != nil { break }
      if elapsed > patienceSeconds, round > 3 { break }
      if elapsed > limitSeconds { break }
    }
    do {
      try row.finish(round)
    } catch {
      records[0].fail(Self.reason(error))
    }
    var others = records.dropFirst().map(\.measurement)
    if let derived = row.derived, let base = others.first(where: { $0.name == derived.base })?.statistics {
      others.insert(Measurement(name: derived.name, milliseconds: [base.median * derived.factor]), at: 0)
    }
    return RowResult(
      key: plan.key, title: plan.title, scale: scale, slip: records[0].measurement, others: others,
      goals: row.goals, remark: row.remark)
  }

  static func reason(_ error: any Error) -> String { (error as? BenchError)?.reason ?? "\(error)" }
}

/// The runs of one contender.
private struct Record {
  private let contender: Contender
  private var milliseconds: [Double] = []
  private var first: Double?
  private var peakBytes: Int?
  private(set) var failure: String?

  init(_ contender: Contender) { self.contender = contender }

  /// Runs the contender once more, unless it has failed or has run often enough; round 0 does not count.
  mutating func run(_ round: Int) {
    guard failure == nil, round <= contender.rounds else { return }
    // A contender that is to run once can't be tried before.
    if round == 0, contender.rounds == 1 { return }
    do {
      try contender.prepare(round)
      let cost = try contender.perform(round, round == 0 || contender.rounds == 1)
      // The first run may rebuild the caches of a box: it has a row of its own.
      if round == 0 { first = cost.seconds * 1_000 } else { milliseconds.append(cost.seconds * 1_000) }
      if milliseconds.count <= 1 {
        peakBytes = cost.peakBytes
      } else {
        peakBytes = cost.peakBytes.map { max($0, peakBytes ?? 0) }
      }
    } catch {
      fail(RowRunner.reason(error))
    }
  }

  mutating func fail(_ reason: String) { failure = failure ?? reason }

  var measurement: Measurement {
    Measurement(
      name: contender.name, milliseconds: milliseconds.isEmpty ? [first].compactMap(\.self) : milliseconds,
      peakBytes: peakBytes, failure: failure)
  }
}
