extension Bench {
  private static let sedAndGit = "sed and git, synced"

  /// A field of the first 1,000 notes, in one commit.
  func setWhere(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let before = try commitCount(box)
    let query = "created:..\(try box.text("earliest-until"))"
    let changed = box.facts.earliestPaths.count
    return Row(
      slip: .programs("slip", in: box.path, expecting: { _ in .success }) { [slip] round in
        [[slip, "set", "--where", query, "mood:many\(round)", "--yes"]]
      },
      others: [try sedFields(count)],
      goals: Goal.goals(count, [Self.sedAndGit: 2], megabytes: Goal.fewNotes),
      remark: "slip set --where QUERY FIELD:VALUE --yes, against sed -i and git commit -a",
      finish: { rounds in
        try self.checkCommits(of: box, expected: before + rounds)
        let found = try Command(
          [self.slip, "list", "mood:=many\(rounds - 1)", "--count"], in: box.path
        ).checked()
        guard found == "\(changed)" else { throw BenchError("wrong answer: \(found) set, not \(changed)") }
      })
  }

  private func sedFields(_ count: Int) throws -> Contender {
    let box = try copy(.notes(count), for: "git")
    let list = box.path + ".earliest"
    try TextFile.write(box.facts.earliestPaths.map { $0 + "\n" }.joined(), to: list)
    return .programs(Self.sedAndGit, in: box.path, expecting: { _ in .success }) { [git] round in
      let script =
        "xargs sed -i -e '/^mood: /d' -e '/^created: /a mood: many\(round)' < '\(list)' && exec \"$@\""
      return [
        ["/bin/sh", "-c", script, "sh", git] + Self.durable + ["commit", "-q", "-a", "-m", "Set a field"]
      ]
    }
  }

  /// Another name for a tag that half of the records of a sample bear.
  func tagRename(_ count: Int) throws -> Row {
    let box = try copy(.records(count), for: "slip")
    let before = try commitCount(box)
    let tagged = try box.count("tagged")
    return Row(
      slip: .programs("slip", in: box.path, expecting: { _ in .success }) { [slip] round in
        [[slip, "tags", "rename", "qxhalf\(round)", "qxhalf\(round + 1)", "--yes"]]
      },
      others: [
        try sedRename(count, "sed and git", [], 0), try sedRename(count, Self.sedAndGit, Self.durable, 1),
      ],
      goals: [.ratio(to: Self.sedAndGit, below: 2)],
      remark: "slip tags rename OLD NEW --yes, against sed -i and git commit -a",
      finish: { rounds in
        try self.checkCommits(of: box, expected: before + rounds)
        let count = try Command([self.slip, "list", "+qxhalf\(rounds)", "--count"], in: box.path).checked()
        guard count == "\(tagged)" else { throw BenchError("wrong answer: \(count) renamed, not \(tagged)") }
      })
  }

  /// - Parameter turn: 0 or 1; both change the tag of the same box by turns.
  private func sedRename(_ count: Int, _ name: String, _ options: [String], _ turn: Int) throws -> Contender {
    let box = try copy(.records(count), for: "git")
    return .programs(name, in: box.path, expecting: { _ in .success }) { [git] round in
      let number = round * 2 + turn
      let script =
        "\(git) grep -lz qxhalf\(number) | xargs -0 sed -i s/qxhalf\(number)/qxhalf\(number + 1)/ && exec \"$@\""
      return [["/bin/sh", "-c", script, "sh", git] + options + ["commit", "-q", "-a", "-m", "Rename a tag"]]
    }
  }

  /// 1,000 sample records in one commit.
  func sample() throws -> Row {
    let (box, files) = (try workplace.emptyFolder("sample"), try workplace.emptyFolder("sampled"))
    let count = 1_000
    let thousand = "1,000 files, synced"
    let slip = slip
    let git = git
    let begin = { [workplace] (_: Int) in
      _ = try workplace.emptyFolder("sample")
      try Command([slip, "init"], in: box).checked()
    }
    return Row(
      slip: .programs("slip", in: box, prepare: begin, expecting: { _ in .success }) { _ in
        [[slip, "sample", "--count", "\(count)", "--seed", "1", "--one-commit"]]
      },
      others: [
        .programs(
          Self.addAndCommitSynced, in: files,
          prepare: { [workplace] _ in
            _ = try workplace.emptyFolder("sampled")
            try Command(["/bin/cp", "-a", box + "/.", files], in: "/").checked()
            try Command([git, "reset", "-q", "HEAD~1"], in: files).checked()
          }, expecting: { _ in .success }
        ) { _ in
          [[git] + Self.durable + ["add", "-A"], [git] + Self.durable + ["commit", "-q", "-m", "Sample"]]
        }, durableFile(),
      ],
      goals: [.ratio(to: thousand, below: 0.5), .megabytes(Goal.fewNotes)],
      derived: .init(name: thousand, base: Self.syncedFile, factor: Double(count)),
      remark:
        "slip sample --count 1000 --one-commit, against git add -A and git commit of the files that it made",
      finish: { _ in
        let found = try Command([slip, "list", "--count"], in: box).checked()
        guard found == "\(count)" else { throw BenchError("wrong answer: \(found) records, not \(count)") }
      })
  }

  private static let addAndCommitSynced = "git add -A, commit, synced"
}
