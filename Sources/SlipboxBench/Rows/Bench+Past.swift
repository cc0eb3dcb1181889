extension Bench {
  /// The number of deleted notes, for the rows about deleted notes.
  private static let deletedNotes = 1_000

  /// All notes as they were in the middle of a long history, once their contents are known.
  func listAsOf(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    let (revision, list) = ("HEAD~\(commits / 2)", "slip list")
    let expected = Expectation.lines(BoxMaker.historyNotes)
    return Row(
      slip: .program("slip", in: box.path, expecting: expected, [slip, "list", "--as-of", revision]),
      others: [
        .program(list, in: box.path, expecting: expected, [slip, "list"]),
        .program(
          "git ls-tree -r", in: box.path, expecting: .success, [git, "ls-tree", "-r", revision]),
      ],
      goals: Goal.goals(commits, [list: 3], megabytes: Goal.allNotes),
      remark: "slip list --as-of HEAD~\(commits / 2) of \(BoxMaker.historyNotes) notes, against slip list")
  }

  /// A note as it was in the middle of a long history.
  func showAt(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    let (revision, path) = ("HEAD~\(commits / 2)", try box.text("hot-path"))
    let show = [slip, "show", try box.text("hot"), "--raw", "--at", revision]
    return Row(
      slip: .program("slip", in: box.path, expecting: .success.beginning(with: "---\n"), show),
      others: [
        .program("git show", in: box.path, expecting: .success, [git, "show", "\(revision):\(path)"])
      ],
      goals: Goal.goals(commits, ["git show": 3], megabytes: Goal.fewNotes),
      remark: "slip show ID --at \(revision), against git show \(revision):PATH")
  }

  /// The notes that were deleted in a long history.
  func listDeleted(_ commits: Int) throws -> Row {
    let box = try copy(.commits(commits), for: "deleted")
    let count = Self.deletedNotes
    let gone = "git ls-files '*.md' | head -n \(count) | xargs git rm -q && git commit -q -m 'Delete notes'"
    try Command(["/bin/sh", "-c", gone], in: box.path).checked()
    return Row(
      slip: .program("slip", in: box.path, expecting: .lines(count), [slip, "list", "--deleted"]),
      others: [
        .program(
          "git log", in: box.path, expecting: .lines(count),
          [git, "log", "--diff-filter=D", "--no-renames", "--name-only", "--format="])
      ],
      goals: Goal.goals(commits, ["git log": 0.5], megabytes: Goal.fewNotes),
      remark: "slip list --deleted of \(count) notes, against git log --diff-filter=D --name-only")
  }

  /// A word in all that notes ever were.
  func searchHistory(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    let word = "Line \(commits / 2) of the edits."
    let search = [slip, "search", "--history", "\"\(word)\"", "--json"]
    return Row(
      slip: .program("slip", in: box.path, expecting: .occurrences(of: "\"blob\":", 1), search),
      others: [
        .program(
          "git log -S", in: box.path, expecting: .lines(1),
          [git, "log", "-S", word, "--format=%h"])
      ],
      goals: Goal.goals(commits, ["git log -S": 1]),
      remark: "slip search --history '\"\(word)\"', against git log -S with the same line")
  }

  /// A deleted note brought back, with the commit.
  func restore(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let id = try box.text("plain")
    return try changing(
      count, remark: "slip restore ID",
      prepare: { [slip] _ in try Command([slip, "rm", id], in: box.path).checked() }
    ) { _ in
      ["restore", id]
    }
  }

  /// A conflict of one field settled, with the commit.
  func resolve(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let id = try box.text("plain")
    try Command([slip, "set", id, "mood:open"], in: box.path).checked()
    return try changing(
      count, remark: "slip resolve ID --keep 2",
      prepare: { [slip] round in
        try Command([slip, "set", id, "conflicts:mood: other\(round)"], in: box.path).checked()
      }
    ) { _ in
      ["resolve", id, "--keep", "2"]
    }
  }

  /// Undoes the last change, with a commit.
  func undo(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let set = [slip, "set", try box.text("plain")]
    return try changing(
      count, remark: "slip undo of one field",
      prepare: { round in try Command(set + ["mood:undone\(round)"], in: box.path).checked() }
    ) { _ in
      ["undo"]
    }
  }

  /// Redoes an undone change, with a commit.
  func redo(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    try Command([slip, "set", try box.text("plain"), "mood:redone"], in: box.path).checked()
    return try changing(
      count, remark: "slip redo of one field",
      prepare: { [slip] _ in try Command([slip, "undo"], in: box.path).checked() }
    ) { _ in
      ["redo"]
    }
  }

  /// The changes of a note since the middle of a long history.
  func diff(_ commits: Int) throws -> Row {
    let box = try box(.commits(commits))
    let (revision, path) = ("HEAD~\(commits / 2)", try box.text("hot-path"))
    let words = [slip, "diff", try box.text("hot"), revision]
    return Row(
      slip: .program("slip", in: box.path, expecting: .success, words),
      others: [
        .program("git diff", in: box.path, expecting: .success, [git, "diff", revision, "--", path])
      ],
      goals: Goal.goals(commits, ["git diff": 3], megabytes: Goal.fewNotes),
      remark: "slip diff ID \(revision), against git diff \(revision) -- PATH")
  }
}

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

  /// A review of the last tenth of a history.
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
