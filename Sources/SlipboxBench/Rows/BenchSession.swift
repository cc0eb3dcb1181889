import Glibc

/// One run of the bench: the rows that were asked for, at each size.
struct BenchSession {
  private let options: BenchOptions
  private let workplace: Workplace
  private let plans: [RowPlan]

  /// - Throws: Where no row has the name that was asked for.
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
        exit(0)
      }
      exit(try run(options))
    } catch let error as UsageError {
      Progress.say(error.message)
      exit(64)
    } catch {
      Progress.say(RowRunner.reason(error))
      exit(error as? BenchError == .interrupted ? 130 : 70)
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
    fflush(nil)
    return Interruption.isRequested ? 130 : report.hasFailures ? 1 : 0
  }
}
