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

  /// A merge as git asks for it, of a field that one side changed and a paragraph that the other did.
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
