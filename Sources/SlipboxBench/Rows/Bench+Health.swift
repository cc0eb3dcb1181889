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

  /// A commit without changes.
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

  private func gitStatus(of box: BenchBox) -> Contender {
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

  /// Notes without damage.
  func healNothing(_ count: Int) throws -> Row {
    try reading(count, ["heal"], expecting: .lines(0), walks: 3, megabytes: Goal.allNotes)
  }

  /// A repository of notes that becomes a box. The commit of the settings is undone before each run.
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
        TextFile.remove(Self.newDatabase(box))
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
  private func sqliteIndex(_ box: BenchBox) -> Contender {
    guard let sqlite = programs.sqlite else {
      return Contender(name: "sqlite") { _, _ in throw BenchError("not installed") }
    }
    let path = Self.newDatabase(box)
    return .programs(
      "sqlite", in: box.path, rounds: 1, prepare: { _ in TextFile.remove(path) }, expecting: { _ in .success }
    ) { _ in
      [Workplace.indexing(box, into: path, sqlite)]
    }
  }

  private static func newDatabase(_ box: BenchBox) -> String { box.path + ".fts.new" }
}

extension Bench {
  /// `slip --version`: the start of every command.
  func start() -> Row {
    Row(
      slip: .program("slip", in: "/", expecting: .lines(1).beginning(with: "slip "), [slip, "--version"]),
      others: [
        gitVersion,
        .program("rg", ifInstalled: programs.ripgrep, in: "/", expecting: .success) { [$0, "--version"] },
        .program("true", in: "/", expecting: .lines(0), ["/bin/true"]),
      ],
      goals: [.ratio(to: "git", below: 3)])
  }

  /// The help of a command.
  func help() -> Row {
    Row(
      slip: .program(
        "slip", in: "/", expecting: .occurrences(of: "USAGE: slip list", 1), [slip, "help", "list"]),
      others: [gitVersion], goals: [.ratio(to: "git", below: 10)])
  }

  /// The script that a shell reads when it starts.
  func completionScript() -> Row {
    Row(
      slip: .program(
        "slip", in: "/", expecting: .occurrences(of: "COMPREPLY=()", 1), [slip, "completions", "bash"]),
      others: [gitVersion], goals: [.ratio(to: "git", below: 5)])
  }

  /// All pages of the manual, each file synced.
  func manual() throws -> Row {
    let folder = try workplace.emptyFolder("manual")
    return Row(
      slip: .program("slip", in: "/", expecting: .lines(0), [slip, "manual", folder, "--quiet"]),
      others: [gitVersion], goals: [])
  }

  private var gitVersion: Contender {
    .program("git", in: "/", expecting: .lines(1), [git, "--version"])
  }

  /// A merge by the merge driver: one side changed a field, the other a paragraph.
  func mergeDriver() throws -> Row {
    let folder = try workplace.emptyFolder("merge")
    let base = "---\nid: kqzmvtrp\ntitle: Bread\ncreated: 2026-01-01T10:00:00Z\nrating: 3\n---\n\nFlour.\n"
    let write = { (_: Int) in
      try TextFile.write(base, to: folder + "/base.md")
      try TextFile.write(base + "\nSalt.\n", to: folder + "/theirs.md")
      let ours = base.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0 == "rating: 3" ? "rating: 5" : $0 }
      try TextFile.write(ours.joined(separator: "\n"), to: folder + "/ours.md")
    }
    return Row(
      slip: .programs("slip", in: folder, prepare: write, expecting: { _ in .success }) { [slip] _ in
        [[slip, "merge-driver", "base.md", "ours.md", "theirs.md"]]
      },
      others: [
        .programs("git merge-file", in: folder, prepare: write, expecting: { _ in .success }) { [git] _ in
          [[git, "merge-file", "ours.md", "base.md", "theirs.md"]]
        }
      ],
      goals: [.ratio(to: "git merge-file", below: 5)], remark: "slip merge-driver BASE OURS THEIRS",
      finish: { _ in
        try write(0)
        try Command([self.slip, "merge-driver", "base.md", "ours.md", "theirs.md"], in: folder).checked()
        let merged = try TextFile.read(folder + "/ours.md")
        guard merged.contains("rating: 5"), merged.contains("Salt.") else {
          throw BenchError("wrong answer: the merge is \(merged)")
        }
      })
  }

  /// A new box with its first commit, in a folder that does not exist yet.
  func initNew() throws -> Row {
    let folder = try workplace.emptyFolder("init")
    let empty = { [workplace] (_: Int) in _ = try workplace.emptyFolder("init") }
    let script = "\(git) init -q . && echo x > x && \(git) add x && exec \"$@\""
    return Row(
      slip: .programs("slip", in: "/", prepare: empty, expecting: { _ in .success }) { [slip] _ in
        [[slip, "init", folder + "/new"]]
      },
      others: [
        .programs("git, synced", in: folder, prepare: empty, expecting: { _ in .success }) { [git] _ in
          [["/bin/sh", "-c", script, "sh", git] + Self.durable + ["commit", "-q", "-m", "First"]]
        }
      ],
      goals: [.ratio(to: "git, synced", below: 3)],
      remark: "slip init FOLDER, against git init, git add and git commit of one file")
  }
}
