extension Bench {
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
      others: [walk(box, atLeast: count), try gitCommit(count, of: paths.count)],
      goals: Goal.goals(count, [Report.walk: files == 1 ? 0.8 : 1.5], megabytes: Goal.fewNotes),
      remark: "slip search WORD --count, for a word that was written into the files before each run",
      finish: { _ in for (path, text) in zip(paths, texts) { try TextFile.write(text, to: path) } })
  }

  /// The name of git's way to commit all changes in the report.
  static let addAndCommit = "git add -A, commit"

  /// Later rows change its fields.
  private static let head = "---\ncreated: 2016-01-01T00:00:00Z\n---\n"

  /// A commit of all changes with git, of a few files that are written before.
  func gitCommit(_ count: Int, of files: Int) throws -> Contender {
    let box = try copy(.notes(count), for: "git")
    let paths = Self.spread(box.facts.paths, files).map { "\(box.path)/\($0)" }
    return .programs(
      Self.addAndCommit, in: box.path,
      prepare: { round in
        for path in paths {
          try TextFile.write(Self.head + "Round \(round) of \(files) for \(path).\n", to: path)
        }
      }, expecting: { _ in .success }
    ) { [git] round in
      [[git, "add", "-A"], [git, "commit", "-q", "-m", "Round \(round)"]]
    }
  }

  /// The changes of one file put together with the rest of the kept catalogue.
  func fold(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let path = box.path + "/" + box.facts.paths[box.facts.paths.count / 4]
    let text = try TextFile.read(path)
    return Row(
      slip: .programs(
        "slip", in: box.path,
        prepare: { [slip] round in
          try TextFile.write(text + "\nA thought to fold: \(round).\n", to: path)
          try Command([slip, "list", "--count"], in: box.path).checked()
        }, expecting: { _ in .lines(0) }
      ) { [slip] _ in
        [[slip, "fold-catalogue"]]
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 8], megabytes: 250),
      remark: "slip fold-catalogue, which other commands start in the background",
      finish: { _ in try TextFile.write(text, to: path) })
  }

  /// Some of the paths, evenly spread.
  private static func spread(_ paths: [String], _ count: Int) -> [String] {
    let count = min(count, paths.count)
    return (0..<count).map { paths[$0 * paths.count / count + paths.count / (2 * count)] }
  }
}
