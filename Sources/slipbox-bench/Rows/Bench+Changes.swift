import SlipboxBench

extension Bench {
  /// Options of git that promise what slip promises: a commit survives a power cut.
  private static let durable = ["-c", "core.fsync=committed,reference,index", "-c", "core.fsyncMethod=fsync"]

  /// A new note, with its commit.
  func newNote(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let before = try commitCount(box)
    return Row(
      slip: .programs("slip", in: box.path, expecting: { _ in .newID }) { [slip] round in
        [[slip, "new", "A thought of round \(round)", "+tag-bench", "-b", Self.thought(round)]]
      },
      others: try gitChanges(count, "new") { round, _ in
        "---\ntitle: A thought of round \(round)\n---\n\(Self.thought(round))\n"
      } + [durableFile()],
      goals: Self.changeGoals(count),
      remark: "slip new TITLE +TAG -b TEXT, against git add PATH and git commit",
      finish: { try self.checkCommits(of: box, expected: before + $0) })
  }

  /// A field of one note, with its commit.
  func setField(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let before = try commitCount(box)
    let id = try box.text("plain")
    return Row(
      slip: .programs("slip", in: box.path, expecting: { _ in .success }) { [slip] round in
        [[slip, "set", id, "mood:fine\(round)"]]
      },
      others: try gitChanges(count, nil) { round, text in text + "Mood of round \(round).\n" } + [
        durableFile()
      ],
      goals: Self.changeGoals(count), remark: "slip set ID FIELD:VALUE, against git add PATH and git commit",
      finish: { rounds in
        try self.checkCommits(of: box, expected: before + rounds)
        let note = try Command([self.slip, "show", id, "--raw"], in: box.path).checked()
        guard note.contains("\nmood: fine\(rounds - 1)\n") else { throw BenchError("wrong answer: not set") }
      })
  }

  private static func thought(_ round: Int) -> String {
    "Salt, time and patience are what it takes. This was the \(round)th time.\n\nSee [[Household]]."
  }

  private static func changeGoals(_ count: Int) -> [Goal] {
    let limits = [10_000: 0.7, 100_000: 0.5]
    guard let limit = limits[count] else { return [] }
    return [.ratio(to: "git", below: limit), .ratio(to: "git, synced", below: limit)]
  }

  /// The same change with git, as it comes and with every file synced; the file is written before.
  /// - Parameters:
  ///   - name: The beginning of the names of new files; nil: one file is changed.
  ///   - text: The text for a round, made from that before.
  private func gitChanges(
    _ count: Int, _ name: String?, _ text: @escaping (_ round: Int, _ before: String) -> String
  ) throws -> [Contender] {
    let box = try copy(.notes(count), for: "git")
    let old = box.facts.paths[box.facts.paths.count / 2]
    let original = try TextFile.read("\(box.path)/\(old)")
    return [("git", [String]()), ("git, synced", Self.durable)].map { contender, options in
      let suffix = options.isEmpty ? "" : "-synced"
      let path = { (round: Int) in name.map { "2025/12/\($0)-\(round)\(suffix).md" } ?? old }
      return .programs(
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
  }

  /// What the disk takes for one file.
  private func durableFile() -> Contender {
    .own("a file, synced") { [workplace] round in
      try Floor.writeDurably(in: workplace.home, name: "synced-\(round % 2)")
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
        try sedRename(count, "sed and git", [], 0),
        try sedRename(count, "sed and git, synced", Self.durable, 1),
      ],
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
}
