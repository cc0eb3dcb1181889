import Glibc
import SlipboxBench

extension Bench {
  /// A search in a box that slip knows nothing of yet: all must be read, and is kept for the next command.
  func firstIndex(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let cache = box.path + "/.git/slipbox"
    let hits = try box.count("rare")
    var slip = Contender.program(
      "slip", in: box.path, expecting: .occurrences(of: "qxrare", hits), [self.slip, "search", "qxrare"])
    slip.prepare = { [workplace] _ in try workplace.remove(cache) }
    let scaled = "tantivy, scaled"
    var goals: [Goal] = []
    if count == 10_000 { goals = [.ratio(to: scaled, below: 1)] }
    if count == 100_000 { goals = [.ratio(to: scaled, below: 0.4), .megabytes(500)] }
    return Row(
      slip: slip,
      others: [
        .own("read all") { _ in
          let bytes = try Floor.readAll(box.path)
          guard try bytes >= box.count("bytes") else { throw BenchError("only \(bytes) bytes") }
        }, sqliteIndex(box),
      ],
      goals: goals, derived: Self.tantivy(count, scaled),
      remark:
        "slip search WORD without .git/slipbox. tantivy took 590 ms at 10,000 notes and 9,300 at 100,000 "
        + "where reading all took 26 and 252: held against that times what reading all takes here",
      finish: { _ in unlink(Self.newDatabase(box)) })
  }

  private static func tantivy(_ count: Int, _ name: String) -> Row.Derived? {
    switch count {
    case 10_000: .init(name: name, base: "read all", factor: 590.0 / 26)
    case 100_000: .init(name: name, base: "read all", factor: 9_300.0 / 252)
    default: nil
    }
  }

  /// The same notes into a new database, once: it takes long.
  private func sqliteIndex(_ box: Box) -> Contender {
    guard let sqlite = programs.sqlite else {
      return Contender(name: "sqlite") { _, _ in throw BenchError("not installed") }
    }
    let path = Self.newDatabase(box)
    return .programs(
      "sqlite", in: box.path, rounds: 1, prepare: { _ in unlink(path) }, expecting: { _ in .success }
    ) { _ in
      [Workplace.indexing(box, into: path, sqlite)]
    }
  }

  private static func newDatabase(_ box: Box) -> String { box.path + ".fts.new" }

  /// The first search after other programs have changed files, for a word that only those have.
  ///
  /// Each round brings another word, so that an answer from before the change is found out.
  func changed(_ count: Int, files: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let paths = Self.spread(box.facts.paths, files).map { "\(box.path)/\($0)" }
    var originals: [String] = []
    for path in paths { originals.append(try TextFile.read(path)) }
    let word = { (round: Int) in "qxfresh\(round)of\(files)" }
    let texts = originals
    let goals: [Goal] =
      count == 100_000 ? [.ratio(to: Report.walk, below: files == 1 ? 0.8 : 1.5)] : []
    return Row(
      slip: .programs(
        "slip", in: box.path,
        prepare: { round in
          for (path, text) in zip(paths, texts) {
            try TextFile.write(text + "\nA late thought: \(word(round)).\n", to: path)
          }
        }, expecting: { _ in .lines(1).beginning(with: "\(paths.count)\n") }
      ) { [slip] round in
        [[slip, "search", word(round), "--count"]]
      },
      others: [walk(box, atLeast: count)], goals: goals,
      remark: "slip search WORD --count, for a word that was written into the files before each run",
      finish: { _ in for (path, text) in zip(paths, texts) { try TextFile.write(text, to: path) } })
  }

  /// Some of the paths, evenly spread.
  private static func spread(_ paths: [String], _ count: Int) -> [String] {
    let count = min(count, paths.count)
    return (0..<count).map { paths[$0 * paths.count / count + paths.count / (2 * count)] }
  }
}
