import SlipboxBench

/// Boxes and programs for the rows.
final class Bench {
  let workplace: Workplace
  private var boxes: [String: Result<Box, any Error>] = [:]
  private var copies: [String: Box] = [:]

  init(_ workplace: Workplace) { self.workplace = workplace }

  var programs: Programs { workplace.programs }
  var slip: String { programs.slip }
  var git: String { programs.git }

  /// The box of a kind, made and looked at once; what can't be made is not tried again for the next row.
  func box(_ kind: BoxKind) throws -> Box {
    if let box = boxes[kind.name] { return try box.get() }
    let box = Result { try workplace.box(kind) }
    boxes[kind.name] = box
    return try box.get()
  }

  /// A copy of a box for the rows that change something, made once.
  func copy(_ kind: BoxKind, for purpose: String) throws -> Box {
    let key = kind.name + purpose
    if let box = copies[key] { return box }
    let box = try workplace.copy(of: try box(kind), purpose)
    copies[key] = box
    return box
  }

  /// The floor that most goals are held against.
  func walk(_ box: Box, atLeast count: Int) -> Contender {
    .own(Report.walk) { _ in
      let found = try Floor.walk(box.path)
      guard found >= count else { throw BenchError("only \(found) files") }
    }
  }

  /// The number of commits of a box.
  func commitCount(_ box: Box) throws -> Int {
    Int(try Command([git, "rev-list", "--count", "HEAD"], in: box.path).checked()) ?? 0
  }

  /// Checks that the runs of a row have made one commit each, and left nothing behind.
  func checkCommits(of box: Box, expected: Int) throws {
    let commits = try commitCount(box)
    guard commits == expected else { throw BenchError("wrong answer: \(commits) commits, not \(expected)") }
    let changes = try Command([git, "status", "--porcelain"], in: box.path).checked()
    guard changes.isEmpty else { throw BenchError("left behind: \(changes.prefix { $0 != "\n" })") }
  }
}

extension Bench {
  /// `slip --version`: what every command pays.
  func start() -> Row {
    Row(
      slip: .program("slip", in: "/", expecting: .lines(1).beginning(with: "slip "), [slip, "--version"]),
      others: [
        .program("git", in: "/", expecting: .lines(1), [git, "--version"]),
        .program("rg", ifInstalled: programs.ripgrep, in: "/", expecting: .success) { [$0, "--version"] },
        .program("true", in: "/", expecting: .lines(0), ["/bin/true"]),
      ],
      goals: [.ratio(to: "git", below: 3)])
  }
}
