import Platform

/// One run of the bench: the chosen rows at each size.
struct BenchSession {
  private let options: BenchOptions
  private let workplace: Workplace
  private let plans: [RowPlan]

  /// - Throws: if no row has the chosen name.
  init(_ options: BenchOptions, _ workplace: Workplace) throws {
    self.options = options
    self.workplace = workplace
    let keys = RowPlan.all.map(\.key)
    plans = RowPlan.all.filter { options.wants($0.key, $0.title, among: keys) }
    guard !plans.isEmpty else { throw BenchError("no row is called \(options.rows.joined(separator: ","))") }
  }

  /// Measures size by size, since a box and its copies are then warm, and reports row by row; after an
  /// interruption the rows that were done.
  func report() -> Report {
    let setting = Machine.setting(workplace.programs)
    var results: [RowResult] = []
    measure(.none, [1], unit: nil, into: &results)
    measure(.notes, options.notes, unit: "notes", into: &results)
    measure(.commits, options.commits, unit: "commits", into: &results)
    measure(.records, [10_000], unit: "records", into: &results)
    let order = Dictionary(uniqueKeysWithValues: plans.enumerated().map { ($1.key, $0) })
    let rows = results.enumerated().sorted { left, right in
      (order[left.element.key] ?? 0, left.offset) < (order[right.element.key] ?? 0, right.offset)
    }
    let goals = plans.compactMap { plan in plan.growth.map { (plan.key, $0) } }
    return Report(
      setting: setting + [Machine.memoryNote()], rows: rows.map(\.element),
      growthGoals: Dictionary(uniqueKeysWithValues: goals))
  }

  /// A box of this size and above is measured less often.
  private static let huge = 1_000_000
  private static let runsOfHuge = 3

  private func measure(
    _ axis: RowPlan.Axis, _ sizes: [Int], unit: String?, into results: inout [RowResult]
  ) {
    let plans = plans.filter { $0.axis == axis }
    guard !plans.isEmpty else { return }
    for size in sizes {
      let runner = RowRunner(runs: size < Self.huge ? options.runs : min(options.runs, Self.runsOfHuge))
      let bench = Bench(workplace)
      let scale = unit.map { Scale(size, $0) }
      for plan in plans {
        let result = runner.measure(plan, scale) { try plan.make(bench, size) }
        if Interruption.isRequested { return }
        results.append(result)
        Progress.say(Self.line(result))
      }
    }
  }

  private static func line(_ result: RowResult) -> String {
    let box = result.scale.map { ", \(Figures.grouped($0.count)) \($0.unit)" } ?? ""
    let time = result.slip.statistics.map { "\(Figures.milliseconds($0.median)) ms in \($0.count) runs" }
    return "\(result.title)\(box): \(time ?? "failed: \(result.slip.failure ?? "")")"
  }
}

/// The program `slipbox-bench`.
package enum BenchProgram {
  /// Runs it to its end, which ends the process.
  package static func main() -> Never {
    do {
      let options = try BenchOptions(arguments: Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp {
        print(BenchOptions.help(rows: RowPlan.all.map(\.key)), terminator: "")
        CurrentProcess.exit(0)
      }
      CurrentProcess.exit(try run(options))
    } catch let error as UsageError {
      Progress.say(error.message)
      CurrentProcess.exit(64)
    } catch {
      Progress.say(RowRunner.reason(error))
      CurrentProcess.exit(error as? BenchError == .interrupted ? 130 : 70)
    }
  }

  /// Measures the chosen rows and prints the report; after an interruption the report of the rows that were done.
  /// - Returns: The exit code.
  private static func run(_ options: BenchOptions) throws -> Int32 {
    let workplace = try Workplace(programs: try Programs(slip: options.slip), folder: options.folder)
    Interruption.watch()
    defer { Interruption.cleaningUp { workplace.close() } }
    if let make = options.make {
      guard let kind = BoxKind(make) else { throw BenchError("--make takes notes:N, commits:N or records:N") }
      try workplace.make(kind)
      return 0
    }
    let report = try BenchSession(options, workplace).report()
    print(options.isJSON ? report.json : report.text, terminator: options.isJSON ? "\n" : "")
    // Cleaning up takes a while.
    Progress.flushOutput()
    return Interruption.isRequested ? 130 : report.hasFailures ? 1 : 0
  }
}

/// The options of the bench.
package struct BenchOptions: Equatable, Sendable {
  /// The sizes of the boxes.
  package var notes = [1_000, 10_000, 100_000]
  /// The lengths of the histories.
  package var commits = [10_000, 100_000]
  /// The program to measure; nil: the one beside the bench.
  package var slip: String?
  /// The folder in which boxes are kept; nil for a temporary folder, which is removed at the end.
  package var folder: String?
  /// Parts of the names of rows; empty: all rows.
  package var rows: [String] = []
  /// How often each command runs, the first and uncounted time left out.
  package var runs = 7
  package var isJSON = false
  package var wantsHelp = false
  /// The box to make, and nothing else: `notes:10000`.
  package var make: String?

  package init() {}

  /// - Throws: `UsageError` if an option is unknown or lacks its value.
  package init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": isJSON = true
      case "--help", "-h": wantsHelp = true
      case "--notes", "--commits", "--slip", "--dir", "--rows", "--runs", "--make":
        guard let value = rest.popFirst(), !value.isEmpty else { throw UsageError("\(word) needs a value") }
        try set(word, value)
      default: throw UsageError("there is no option \(word)")
      }
    }
  }

  private mutating func set(_ option: String, _ value: String) throws(UsageError) {
    switch option {
    case "--notes": notes = try Self.sizes(value, option)
    case "--commits": commits = try Self.sizes(value, option)
    case "--runs": runs = try Self.number(value, option, 1...1_000)
    case "--rows": rows = value.split(separator: ",").map(String.init)
    case "--slip": slip = value
    case "--dir": folder = value
    default: make = value
    }
  }

  private static func sizes(_ value: String, _ option: String) throws(UsageError) -> [Int] {
    var sizes: [Int] = []
    for part in value.split(separator: ",") {
      sizes.append(try number(String(part), option, 100...1_000_000))
    }
    return Array(Set(sizes)).sorted()
  }

  private static func number(
    _ value: String, _ option: String, _ range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw UsageError(
        "\(option) takes numbers from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
    return number
  }

  /// Whether a row is wanted. A part that is the whole name of a row means only that.
  package func wants(_ key: String, _ title: String, among keys: [String]) -> Bool {
    rows.isEmpty
      || rows.contains { part in
        keys.contains(part) ? key == part : key.contains(part) || title.contains(part)
      }
  }

  /// The text of `--help`.
  package static func help(rows: [String]) -> String {
    """
    Measures slip on boxes of made-up notes, beside git, rg and sqlite3 where they are installed, and beside
    the least that anyone has to do: looking at every file. Prints medians, ratios and goals.

    slipbox-bench [--notes N,...] [--commits N,...] [--rows PART,...] [--runs K] [--slip FILE] [--dir FOLDER] [--json]

      --notes N,...    sizes of the boxes (1000,10000,100000); one of 1000000 takes an hour and 20 GB of disk
      --commits N,...  lengths of the histories for the row "log" (10000,100000)
      --rows PART,...  only rows whose name or title has one of these parts; the names:
                       \(rows.joined(separator: " "))
      --runs K         how often each command is measured (7; fewer where it is slow, 3 from 1000000 notes on)
      --slip FILE      the program to measure (slip beside slipbox-bench)
      --dir FOLDER     keep the boxes there, and use those that are there
      --json           the report as JSON
      --make KIND:N    only make a box in --dir: notes:N, commits:N or records:N

    """
  }
}

/// An option that is not known, or a value that it does not take.
package struct UsageError: Error, Equatable, Sendable {
  package let message: String

  init(_ message: String) { self.message = message }
}
