import SlipboxBench

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
      others: [walk(box, atLeast: count), try gitCommit(count, of: paths.count)], goals: goals,
      remark: "slip search WORD --count, for a word that was written into the files before each run",
      finish: { _ in for (path, text) in zip(paths, texts) { try TextFile.write(text, to: path) } })
  }

  /// What git takes to look for changes and to keep them.
  private func gitCommit(_ count: Int, of files: Int) throws -> Contender {
    let box = try copy(.notes(count), for: "git")
    let paths = Self.spread(box.facts.paths, files).map { "\(box.path)/\($0)" }
    return .programs(
      "git add -A, commit", in: box.path,
      prepare: { round in
        for path in paths { try TextFile.write("Round \(round) of \(files) for \(path).\n", to: path) }
      }, expecting: { _ in .success }
    ) { [git] round in
      [[git, "add", "-A"], [git, "commit", "-q", "-m", "Round \(round)"]]
    }
  }

  /// Some of the paths, evenly spread.
  private static func spread(_ paths: [String], _ count: Int) -> [String] {
    let count = min(count, paths.count)
    return (0..<count).map { paths[$0 * paths.count / count + paths.count / (2 * count)] }
  }
}
