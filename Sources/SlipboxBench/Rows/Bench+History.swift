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
      goals: Goal.goals(commits, [filtered: 0.25], megabytes: Goal.fewNotes),
      remark:
        "slip log ID of a note that \(touches) commits changed, against git log -- PATH with a commit-graph "
        + "that has changed-path filters")
  }

  /// The last commits of the whole box.
  func newestCommits(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    return Row(
      slip: .program("slip", in: box.path, expecting: .lines(20), [slip, "log", "-n", "20"]),
      others: [
        .program(
          "git log", in: box.path, expecting: .lines(20), [git, "log", "-n", "20", "--format=%h %ai %s"])
      ],
      goals: Goal.goals(commits, ["git log": 3], megabytes: Goal.fewNotes),
      remark: "slip log -n 20, against git log -n 20")
  }

  /// The issues of each day of a long history, by their status.
  func chart(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .success.beginning(with: "date,total,"),
        [slip, "chart", "kind:issue", "--by", "status", "--csv"]),
      others: [
        .program(
          Self.namedLog, in: box.path, expecting: .success, [git, "log", "--name-only", "--format=%ct"])
      ],
      goals: Goal.goals(commits, [Self.namedLog: 10], megabytes: 2 * Goal.allNotes),
      remark: "slip chart kind:issue --by status, a point a day, against git log --name-only of all commits")
  }

  /// The last tenth of a history, told.
  func review(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    let count = max(1, commits / 10)
    let day = try Command(
      [git, "log", "-1", "--format=%cs", "--skip", "\(count)"], in: box.path
    ).checked()
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .success.beginning(with: "{\"schema\":2,\"first\":\"\(day)\""),
        [slip, "review", "--since", day, "--json"]),
      others: [
        .program(
          Self.namedLog, in: box.path, expecting: .success,
          [git, "log", "--name-only", "--format=%ct", "-n", "\(count)"])
      ],
      goals: Goal.goals(commits, [Self.namedLog: 10], megabytes: Goal.allNotes),
      remark: "slip review of a tenth of the commits, against git log --name-only of them")
  }

  private static let namedLog = "git log --name-only"
}
