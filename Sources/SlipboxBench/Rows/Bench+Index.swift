import Glibc

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
    let goals =
      count == 10_000 ? [.ratio(to: scaled, below: 1)] : Goal.goals(count, [scaled: 0.3], megabytes: 250)
    return Row(
      slip: slip,
      others: [
        .own("read all") { _ in
          let bytes = try Floor.readAll(box.path)
          guard try bytes >= box.count("bytes") else { throw BenchError("only \(bytes) bytes") }
        }
      ] + (count <= Self.largestDatabase ? [sqliteIndex(box)] : []),
      goals: goals, derived: Self.tantivy(count, scaled),
      remark:
        "slip search WORD without .git/slipbox. tantivy took 590 ms at 10,000 notes and 9,300 at 100,000 "
        + "where reading all took 26 and 252: held against that times what reading all takes here",
      finish: { _ in
        unlink(Self.newDatabase(box))
        // An answer that keeps nothing would be a fast first index and leave the work to every later one.
        let (kept, read) = try (TextFile.byteCount(in: cache), box.count("bytes"))
        guard kept > read / 50 else { throw BenchError("nothing indexed: .git/slipbox has \(kept) bytes") }
      })
  }

  private static func tantivy(_ count: Int, _ name: String) -> Row.Derived? {
    switch count {
    case 10_000: .init(name: name, base: "read all", factor: 590.0 / 26)
    case 100_000...: .init(name: name, base: "read all", factor: 9_300.0 / 252)
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
}
