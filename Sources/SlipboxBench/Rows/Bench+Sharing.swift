/// Rows of the commands that exchange commits with another place.
extension Bench {
  private static let gitFetch = "git fetch"
  private static let statusAndFetch = "git status, git fetch"
  private static let gitPull = "git pull, git push, synced"
  private static let gitRemote = "git remote"

  /// A sync without anything to commit, fetch or push.
  func syncNothing(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "sync")
    let hub = try workplace.emptyFolder("hub-\(count)")
    try Command([git, "clone", "-q", "--bare", box.path, hub], in: "/", timeoutSeconds: 600).checked()
    try Command([git, "remote", "add", "origin", hub], in: box.path).checked()
    try Command([slip, "sync"], in: box.path, timeoutSeconds: 600).checked()
    let before = try commitCount(box)
    let fetch = [git, "fetch", "--quiet", "origin", "main"]
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .lines(1).beginning(with: "level with origin/main"), [slip, "sync"]),
      others: [
        .program(Self.gitFetch, in: box.path, expecting: .success, fetch),
        .programs(Self.statusAndFetch, in: box.path, expecting: { _ in .success }) { [git] _ in
          [[git, "status", "--porcelain"], fetch]
        },
        walk(box, atLeast: count),
      ],
      goals: Goal.goals(count, [Self.statusAndFetch: 1.5], megabytes: Goal.fewNotes),
      remark:
        "slip sync with nothing to do and a bare folder as remote, against git fetch alone, and after git status",
      finish: { _ in try self.checkCommits(of: box, expected: before) })
  }

  /// A sync that merges 1,000 notes which both sides changed.
  func syncThousand(_ count: Int) throws -> Row {
    let own = try diverged(count, "merge-slip")
    let gits = try diverged(count, "merge-git")
    let script = "\"$@\" pull -q --no-rebase --no-edit origin main && \"$@\" push -q origin HEAD:main"
    return Row(
      slip: .programs("slip", in: own.path, prepare: own.begin, expecting: { _ in .success }) { [slip] _ in
        [[slip, "sync"]]
      },
      others: [
        .programs(Self.gitPull, in: gits.path, prepare: gits.begin, expecting: { _ in .success }) {
          [git] _ in [["/bin/sh", "-c", script, "sh", git] + Self.durable]
        }
      ],
      goals: Goal.goals(count, [Self.gitPull: 3]),
      remark:
        "a field of 1,000 notes set here, a line added to each there: slip sync, against git pull and push",
      finish: { _ in
        let left = try Command([self.slip, "list", "is:conflicted", "--count"], in: own.path).checked()
        guard left == "0" else { throw BenchError("wrong answer: \(left) notes in conflict") }
      })
  }

  /// A box and a bare folder that it syncs with.
  ///
  /// - Returns: the path of the box, and a function that gives each of both a new commit before a round.
  private func diverged(
    _ count: Int, _ purpose: String
  ) throws -> (path: String, begin: @Sendable (Int) throws -> Void) {
    let box = try copy(.notes(count), for: purpose)
    let hub = try workplace.emptyFolder("hub-\(purpose)-\(count)")
    let list = box.path + ".earliest"
    try TextFile.write(box.facts.earliestPaths.map { $0 + "\n" }.joined(), to: list)
    let (git, path) = (git, box.path)
    let run = { @Sendable (words: [String]) throws -> String in
      try Command([git] + words, in: path, timeoutSeconds: 600).checked()
    }
    let edit = { @Sendable (expression: String) throws -> Void in
      let script = "xargs sed -i -e '\(expression)' < '\(list)'"
      try Command(["/bin/sh", "-c", script], in: path, timeoutSeconds: 600).checked()
      _ = try run(["commit", "-q", "-a", "-m", "Changed"])
    }
    try Command([git, "clone", "-q", "--bare", path, hub], in: "/", timeoutSeconds: 600).checked()
    _ = try run(["remote", "add", "origin", hub])
    let base = try run(["rev-parse", "HEAD"])
    try edit("$a Added there.")
    let theirs = try run(["rev-parse", "HEAD"])
    _ = try run(["push", "-q", "origin", "HEAD:refs/heads/main"])
    let begin = { @Sendable (round: Int) throws -> Void in
      _ = try run(["reset", "-q", "--hard", base])
      try edit("/^created: /a mood: here\(round)")
      _ = try run(["--git-dir", hub, "update-ref", "refs/heads/main", theirs])
      for name in ["slipbox/synced/origin/main", "remotes/origin/main"] {
        _ = try run(["update-ref", "refs/" + name, base])
      }
    }
    return (path, begin)
  }

  /// The list of remotes.
  func remotes(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "remotes")
    try Command([git, "remote", "add", "origin", "ada@example.org:notes.git"], in: box.path).checked()
    return Row(
      slip: .program("slip", in: box.path, expecting: .lines(1), [slip, "remote"]),
      others: [.program(Self.gitRemote, in: box.path, expecting: .success, [git, "remote", "-v"])],
      goals: Goal.goals(count, [Self.gitRemote: 5], megabytes: Goal.fewNotes))
  }

  /// A remote named.
  func addRemote(_ count: Int) throws -> Row {
    let words = ["remote", "add", "hub", "ada@example.org:notes.git"]
    return try remoteRow(count, "remote-add", preparing: ["remote", "rm", "hub"], words, words)
  }

  /// A remote forgotten.
  func removeRemote(_ count: Int) throws -> Row {
    try remoteRow(
      count, "remote-rm", preparing: ["remote", "add", "hub", "ada@example.org:notes.git"],
      ["remote", "rm", "hub"], ["remote", "remove", "hub"])
  }

  /// A row of a change of git's settings. Each change is undone before the next one.
  private func remoteRow(
    _ count: Int, _ purpose: String, preparing: [String], _ words: [String], _ gitWords: [String]
  ) throws -> Row {
    let contender = { (name: String, program: String, words: [String]) throws -> Contender in
      let box = try self.copy(.notes(count), for: purpose + name)
      return .programs(
        name, in: box.path,
        prepare: { _ in _ = try Command([self.git] + preparing, in: box.path).run() },
        expecting: { _ in .success }
      ) { _ in [[program] + words] }
    }
    return Row(
      slip: try contender("slip", slip, words),
      others: [try contender("git", git, gitWords)],
      goals: Goal.goals(count, ["git": 5], megabytes: Goal.fewNotes))
  }
}

/// Rows of `slip import`.
extension Bench {
  private static let importing = 10_000
  private static let copyAddCommit = "cp -r, git add -A, commit, synced"

  /// The files of a box in another one, in one commit.
  func importFolder() throws -> Row {
    let source = try box(.notes(Self.importing)).path
    let (box, files) = (try workplace.emptyFolder("imported"), try workplace.emptyFolder("copied"))
    let (slip, git) = (slip, git)
    let copy = "cp -r \(source)/20* . && \"$@\" add -A && \"$@\" commit -q -m Import"
    return Row(
      slip: .programs("slip", in: box, prepare: beginning(box), expecting: { _ in .success }) { _ in
        [[slip, "import", source, "--into", "notes", "-q"]]
      },
      others: [
        .programs(
          Self.copyAddCommit, in: files,
          prepare: { [workplace] _ in
            _ = try workplace.emptyFolder("copied")
            try Command([git, "init", "-q"], in: files).checked()
          }, expecting: { _ in .success }
        ) { _ in [["/bin/sh", "-c", copy, "sh", git] + Self.durable] }
      ],
      goals: [.ratio(to: Self.copyAddCommit, below: 2)],
      remark: "slip import FOLDER, against cp -r, git add -A and git commit",
      finish: { _ in try Self.check(box, slip, count: Self.importing) })
  }

  /// An export of taskwarrior in a new box, in one commit.
  func importTasks() throws -> Row {
    let box = try workplace.emptyFolder("tasks")
    let file = try writeTasks(beside: box)
    let slip = slip
    return Row(
      slip: .programs("slip", in: box, prepare: beginning(box), expecting: { _ in .success }) { _ in
        [[slip, "import", file, "-q"]]
      },
      others: [], remark: "slip import FILE of taskwarrior",
      finish: { _ in try Self.check(box, slip, count: Self.importing + Self.groups) })
  }

  /// The same import if the box has the tasks already.
  func importTasksAgain() throws -> Row {
    let box = try workplace.emptyFolder("tasks-again")
    let file = try writeTasks(beside: box)
    let slip = slip
    try Command([slip, "init"], in: box).checked()
    try Command([slip, "import", file, "-q"], in: box, timeoutSeconds: 600).checked()
    return Row(
      slip: .programs("slip", in: box, expecting: { _ in .success }) { _ in [[slip, "import", file, "-q"]] },
      others: [], remark: "slip import FILE of taskwarrior, nothing of which is new",
      finish: { _ in try Self.check(box, slip, count: Self.importing + Self.groups) })
  }

  private static let groups = 20

  private func beginning(_ box: String) -> (Int) throws -> Void {
    { [workplace, slip] _ in
      _ = try workplace.emptyFolder(box.split(separator: "/").last.map(String.init) ?? box)
      try Command([slip, "init"], in: box).checked()
    }
  }

  private func writeTasks(beside box: String) throws -> String {
    let path = box + ".json"
    let tasks = (0..<Self.importing).map { number in
      let depends = number.isMultiple(of: 10) && number > 0 ? ",\"depends\":[\"task-\(number - 1)\"]" : ""
      return
        "{\"uuid\":\"task-\(number)\",\"description\":\"Task of number \(number)\",\"status\":\"pending\","
        + "\"entry\":\"2026010\(1 + number % 9)T093000Z\",\"project\":\"Project \(number % Self.groups)\","
        + "\"priority\":\"H\",\"tags\":[\"tag-\(number % 50)\"]\(depends)}"
    }
    try TextFile.write("[" + tasks.joined(separator: ",\n") + "]\n", to: path)
    return path
  }

  private static func check(_ box: String, _ slip: String, count: Int) throws {
    let found = try Command([slip, "list", "--count"], in: box).checked()
    guard found == "\(count)" else { throw BenchError("wrong answer: \(found) notes, not \(count)") }
  }
}

extension Bench {
  /// Every note with its text as one object.
  func exportJSON(_ count: Int) throws -> Row {
    let expected = Expectation.occurrences(of: "\"path\":", count).beginning(with: "{\"schema\":2")
    return try exporting(count, ["export", "json"], expecting: expected, reads: 3)
  }

  /// Every note with its text as a line of CSV.
  func exportCSV(_ count: Int) throws -> Row {
    try exporting(count, ["export", "csv"], expecting: .success.beginning(with: "id,path,title"), reads: 3)
  }

  private func exporting(
    _ count: Int, _ words: [String], expecting expectation: Expectation, reads: Double
  ) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: .program("slip", in: box.path, expecting: expectation, [slip] + words),
      others: [readAll(box), walk(box, atLeast: count)],
      goals: Goal.goals(count, [Self.allRead: reads], megabytes: 2 * Goal.allNotes))
  }

  /// Every note as a page of a new site, against Hugo, which makes of the same notes a page each and lists of tags, without
  /// links between notes, backlinks and search.
  func exportSite(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let (site, hugo) = ("\(workplace.home)/site", "\(workplace.home)/hugo")
    try writeLayouts(of: hugo)
    return Row(
      slip: .programs(
        "slip", in: box.path, rounds: 3, prepare: { [workplace] _ in try workplace.remove(site) },
        expecting: { _ in .occurrences(of: "\"notes\":\(count),", 1) }
      ) { [slip] _ in
        [[slip, "export", "html", "-o", site, "--json"]]
      },
      others: [
        .program("hugo", ifInstalled: programs.hugo, in: box.path, expecting: .success) { program in
          [program, "--quiet", "--source", hugo, "--contentDir", box.path, "--destination", "\(hugo)/public"]
        },
        readAll(box),
      ],
      goals: Goal.goals(count, [Self.allRead: 100], megabytes: 4 * Goal.allNotes),
      remark: "slip export html into a new folder, against hugo with a page a note, lists and tags alone",
      finish: { [workplace] _ in
        try workplace.remove(site)
        try workplace.remove(hugo)
      })
  }

  /// The site once more after changes of ten notes.
  func exportSiteAgain(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let site = "\(workplace.home)/site"
    let paths = Self.spread(box.facts.paths, 10).map { "\(box.path)/\($0)" }
    let texts = try paths.map { try TextFile.read($0) }
    try Command([slip, "export", "html", "-o", site, "-q"], in: box.path).checked()
    return Row(
      slip: .programs(
        "slip", in: box.path,
        prepare: { round in
          for (path, text) in zip(paths, texts) {
            try TextFile.write(text + "\nA late thought: \(round).\n", to: path)
          }
        }, expecting: { _ in .occurrences(of: "\"notes\":\(count),", 1) }
      ) { [slip] _ in
        [[slip, "export", "html", "-o", site, "--json"]]
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 2], megabytes: 4 * Goal.allNotes),
      remark: "slip export html into the folder of the last export, after ten notes were changed",
      finish: { [workplace] _ in
        for (path, text) in zip(paths, texts) { try TextFile.write(text, to: path) }
        try workplace.remove(site)
      })
  }

  /// The least that Hugo takes to make pages.
  private func writeLayouts(of folder: String) throws {
    let head = "<!DOCTYPE html><title>{{ .Title }}</title><h1>{{ .Title }}</h1>"
    let files = [
      "config.toml": "title = 'notes'\nbaseURL = 'https://example.org/'\n",
      "layouts/_default/single.html": head
        + "{{ .Content }}{{ range .GetTerms \"tags\" }}<a href='{{ .Permalink }}'>{{ .Title }}</a>{{ end }}",
      "layouts/_default/list.html": head
        + "{{ range .Pages }}<p><a href='{{ .RelPermalink }}'>{{ .Title }}</a>{{ end }}",
    ]
    try Command(["/bin/mkdir", "-p", "\(folder)/layouts/_default"], in: "/").checked()
    for (path, text) in files { try TextFile.write(text, to: "\(folder)/\(path)") }
  }

  private static let allRead = "read all"

  /// All notes, read.
  private func readAll(_ box: BenchBox) -> Contender {
    .own(Self.allRead) { _ in _ = try Floor.readAll(box.path) }
  }
}
