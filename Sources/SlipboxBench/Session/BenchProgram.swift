import Glibc

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
