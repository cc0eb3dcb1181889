extension Bench {
  private static let gitStatus = "git status"

  /// The status of a box in which all is committed.
  func status(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: "everything is committed", 1), [slip, "status"]),
      others: [gitStatus(of: box), walk(box, atLeast: count)],
      goals: Goal.goals(count, [Self.gitStatus: 1.2], megabytes: Goal.fewNotes))
  }

  /// A commit where there is nothing to commit.
  func commitNothing(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let before = try commitCount(box)
    return Row(
      slip: .program("slip", in: box.path, expecting: .lines(0), [slip, "commit"]),
      others: [gitStatus(of: box), walk(box, atLeast: count)],
      goals: Goal.goals(count, [Self.gitStatus: 1.2], megabytes: Goal.fewNotes),
      remark: "slip commit with nothing to do, against git status",
      finish: { _ in try self.checkCommits(of: box, expected: before) })
  }

  private func gitStatus(of box: Box) -> Contender {
    .program(Self.gitStatus, in: box.path, expecting: .lines(0), [git, "status", "--porcelain"])
  }

  /// A commit of one file that another program has changed.
  func commitOne(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let before = try commitCount(box)
    let path = box.path + "/" + box.facts.paths[box.facts.paths.count / 3]
    let text = try TextFile.read(path)
    return Row(
      slip: .programs(
        "slip", in: box.path, prepare: { try TextFile.write(text + "\nLate thought \($0).\n", to: path) },
        expecting: { _ in .success }
      ) { [slip] _ in
        [[slip, "commit"]]
      },
      others: [try gitCommit(count, of: 1), walk(box, atLeast: count)],
      goals: Goal.goals(count, [Self.addAndCommit: 1.2], megabytes: Goal.fewNotes),
      remark: "slip commit, against git add -A and git commit",
      finish: { try self.checkCommits(of: box, expected: before + $0) })
  }

  /// Everything that is not as it should be.
  func doctor(_ count: Int) throws -> Row {
    try reading(count, ["doctor"], expecting: .lines(0), walks: 12, megabytes: Goal.allNotes)
  }

  /// A repository of notes that becomes a box: its commit of the settings is taken back before each run.
  func initExisting(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "init")
    let before = try commitCount(box)
    return Row(
      slip: .programs(
        "slip", in: box.path,
        prepare: { [git, workplace] _ in
          try Command([git, "reset", "-q", "--hard", "HEAD~1"], in: box.path).checked()
          try workplace.remove(box.path + "/.git/slipbox")
        }, expecting: { _ in .success }
      ) { [slip] _ in
        [[slip, "init"]]
      },
      others: [
        walk(box, atLeast: count),
        .own("read all") { _ in _ = try Floor.readAll(box.path) },
      ],
      goals: Goal.goals(count, [Report.walk: 8], megabytes: 250),
      remark: "slip init in a repository of notes without .slipbox and .git/slipbox",
      finish: { _ in try self.checkCommits(of: box, expected: before) })
  }

  /// A look whether the repository needs to be tidied, which it does not.
  func tidyNothing(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .lines(1).beginning(with: "nothing to tidy"),
        [slip, "tidy", "--dry-run"]),
      others: [
        .program("git count-objects", in: box.path, expecting: .success, [git, "count-objects", "-v"])
      ],
      goals: Goal.goals(count, ["git count-objects": 5], megabytes: Goal.fewNotes),
      remark: "slip tidy --dry-run, against git count-objects -v")
  }
}
