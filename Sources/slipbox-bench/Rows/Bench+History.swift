import SlipboxBench

extension Bench {
  /// The commits of one note in a long history.
  func history(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    let path = try box.text("hot-path")
    let touches = try box.count("touches")
    let log = ["log", "--format=%h %ai %s", "--", path]
    let filtered = "git, path filters"
    return Row(
      slip: .program("slip", in: box.path, expecting: .lines(touches), [slip, "log", try box.text("hot")]),
      others: [
        .program(filtered, in: box.path, expecting: .lines(touches), [git] + log),
        .program(
          "git, no commit-graph", in: box.path, expecting: .lines(touches),
          [git, "-c", "core.commitGraph=false"] + log),
      ],
      goals: commits == 100_000 ? [.ratio(to: filtered, below: 0.25)] : [],
      remark:
        "slip log ID of a note that \(touches) commits changed, against git log -- PATH with a commit-graph "
        + "that has changed-path filters")
  }
}
