/// Boxes and programs for the rows.
final class Bench {
  let workplace: Workplace
  private var boxes: [String: Result<BenchBox, any Error>] = [:]
  private var copies: [String: BenchBox] = [:]

  init(_ workplace: Workplace) { self.workplace = workplace }

  var programs: Programs { workplace.programs }
  var slip: String { programs.slip }
  var git: String { programs.git }

  /// The box of a kind, made and checked once; one that can't be made is not tried again for the next row.
  func box(_ kind: BoxKind) throws -> BenchBox {
    if let box = boxes[kind.name] { return try box.get() }
    let box = Result { try workplace.box(kind) }
    boxes[kind.name] = box
    return try box.get()
  }

  /// A copy of a box for the rows that change something, made once.
  func copy(_ kind: BoxKind, for purpose: String) throws -> BenchBox {
    let key = kind.name + purpose
    if let box = copies[key] { return box }
    let box = try workplace.copy(of: try box(kind), purpose)
    copies[key] = box
    return box
  }

  /// The walk, which most goals are compared with.
  func walk(_ box: BenchBox, atLeast count: Int) -> Contender {
    .own(Report.walk) { _ in
      let found = try Floor.walk(box.path)
      guard found >= count else { throw BenchError("only \(found) files") }
    }
  }

  /// A row of a command that changes nothing, compared with the stat scan.
  /// - Parameters:
  ///   - walks: the largest ratio to the stat scan from 100,000 notes on.
  ///   - megabytes: the largest memory at 100,000 notes.
  func reading(
    _ count: Int, _ words: [String], expecting expectation: Expectation, walks: Double,
    megabytes: Int = Goal.fewNotes
  ) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: .program("slip", in: box.path, expecting: expectation, [slip] + words),
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: walks], megabytes: megabytes))
  }

  /// The number of commits of a box.
  func commitCount(_ box: BenchBox) throws -> Int {
    Int(try Command([git, "rev-list", "--count", "HEAD"], in: box.path).checked()) ?? 0
  }

  /// Checks that the runs of a row have made one commit each, and left nothing behind.
  func checkCommits(of box: BenchBox, expected: Int) throws {
    let commits = try commitCount(box)
    guard commits == expected else { throw BenchError("wrong answer: \(commits) commits, not \(expected)") }
    let changes = try Command([git, "status", "--porcelain"], in: box.path).checked()
    guard changes.isEmpty else { throw BenchError("left behind: \(changes.prefix { $0 != "\n" })") }
  }
}

/// An operation at one size, ready to be measured.
struct Row {
  let slip: Contender
  let others: [Contender]
  var goals: [Goal] = []
  /// A figure that is not measured here but computed from another contender's.
  var derived: Derived?
  var remark: String?
  /// Checks the box after the runs and cleans up; throws if the box has unexpected content.
  /// - Parameter rounds: the number of runs, warm-up included.
  var finish: (_ rounds: Int) throws -> Void = { _ in }

  /// So many times the median of another.
  struct Derived {
    let name: String
    let base: String
    let factor: Double
  }
}

extension Bench {
  /// A line to the note of a day, with its commit.
  func daily(_ count: Int) throws -> Row {
    try changing(count, remark: "slip daily --append TEXT") { round in
      ["daily", "2026-01-02", "--append", "Done in round \(round)."]
    }
  }

  /// A line to the inbox, with its commit.
  func capture(_ count: Int) throws -> Row {
    try changing(count, remark: "slip capture TEXT") { round in
      ["capture", "Thought of in round \(round)."]
    }
  }
}
