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

  /// Renames a tag that half of the records of a sample have.
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

extension Bench {
  /// Options by which a commit of git survives a power cut, as one of slip does.
  static let durable = ["-c", "core.fsync=committed,reference,index", "-c", "core.fsyncMethod=fsync"]

  /// A row of a command that changes one file with a commit, compared with the same change by git.
  /// - Parameters:
  ///   - others: the change with git; nil for a line that is added to a note.
  ///   - note: the id of the note that is changed.
  ///   - leaves: a text that the note has after a round.
  ///   - editor: a script of sh, run as the editor with the file as its first argument.
  ///   - prepare: a command before each run, outside the timing, with a commit of its own.
  func changing(
    _ count: Int, others: [Contender]? = nil, expecting expectation: Expectation = .success, remark: String,
    note: String? = nil, leaves: @escaping (_ round: Int) -> String = { _ in "" },
    editor: ((_ round: Int) -> String)? = nil, prepare: ((_ round: Int) throws -> Void)? = nil,
    _ words: @escaping (_ round: Int) -> [String]
  ) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let before = try commitCount(box)
    let slip = slip
    return Row(
      slip: .programs("slip", in: box.path, prepare: prepare ?? { _ in }, expecting: { _ in expectation }) {
        round in
        let environment = editor.map { ["/usr/bin/env", "EDITOR=sh -c '\($0(round))' editor"] } ?? []
        return [environment + [slip] + words(round)]
      },
      others: try others ?? gitChanges(count, nil) { round, text in text + "Round \(round).\n" },
      goals: Self.changeGoals(count), remark: remark + ", against git add PATH and git commit",
      finish: { rounds in
        try self.checkCommits(of: box, expected: before + rounds * (prepare == nil ? 1 : 2))
        guard let note else { return }
        let text = try Command([slip, "show", note, "--raw"], in: box.path).checked()
        guard (text + "\n").contains(leaves(rounds - 1)) else {
          throw BenchError("wrong answer: \(note) is not as the last run should leave it")
        }
      })
  }

  /// The goals of a change, by the size of the box.
  static func changeGoals(_ count: Int, below limit: Double = 0.5) -> [Goal] {
    if count == 10_000 { return [.ratio(to: "git", below: 0.7), .ratio(to: "git, synced", below: 0.7)] }
    return Goal.goals(count, ["git": limit, "git, synced": limit], megabytes: Goal.fewNotes)
  }

  /// The same change with git, as it comes and with every file synced, and one durable file; the file is
  /// written before.
  /// - Parameters:
  ///   - name: The beginning of the names of new files; nil: one file is changed.
  ///   - text: The text for a round, made from that before.
  func gitChanges(
    _ count: Int, _ name: String?, _ text: @escaping (_ round: Int, _ before: String) -> String
  ) throws -> [Contender] {
    let box = try copy(.notes(count), for: "git")
    let old = box.facts.paths[box.facts.paths.count / 2]
    let original = try TextFile.read("\(box.path)/\(old)")
    let contenders = [("git", [String]()), ("git, synced", Self.durable)].map { contender, options in
      let suffix = options.isEmpty ? "" : "-synced"
      let path = { (round: Int) in name.map { "2025/12/\($0)-\(round)\(suffix).md" } ?? old }
      return Contender.programs(
        contender, in: box.path,
        prepare: { try TextFile.write(text($0, original) + suffix, to: "\(box.path)/\(path($0))") },
        expecting: { _ in .success }
      ) { [git] round in
        [
          [git] + options + ["add", "--", path(round)],
          [git] + options + ["commit", "-q", "-m", "Change of round \(round)"],
        ]
      }
    }
    return contenders + [durableFile()]
  }

  /// The name of one durable file in the report.
  static let syncedFile = "a file, synced"

  /// One durable file: written, synced, renamed.
  func durableFile() -> Contender {
    .own(Self.syncedFile) { [workplace] round in
      try Floor.writeDurably(in: workplace.home, name: "synced-\(round % 2)")
    }
  }
}
