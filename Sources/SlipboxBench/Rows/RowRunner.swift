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
      // The first run may be that which reads a box anew: it has a row of its own.
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
