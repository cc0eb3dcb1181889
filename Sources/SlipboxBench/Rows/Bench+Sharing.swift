/// Rows of the commands that exchange commits with another place.
extension Bench {
  private static let gitFetch = "git fetch"
  private static let statusAndFetch = "git status, git fetch"
  private static let gitPull = "git pull, git push, synced"
  private static let gitRemote = "git remote"

  /// A sync where nothing is to commit, to fetch or to push.
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
  /// - Returns: the box's path, and what makes both have a commit of their own again, before a round.
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

  /// A row of a change of git's settings, each taken back before the next.
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
