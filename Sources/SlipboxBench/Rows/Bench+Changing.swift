extension Bench {
  /// Options by which a commit of git survives a power cut, as one of slip does.
  static let durable = ["-c", "core.fsync=committed,reference,index", "-c", "core.fsyncMethod=fsync"]

  /// A row of a command that changes one file with a commit, held against a change with git.
  /// - Parameters:
  ///   - others: The change with git; a line added to a note where nil.
  ///   - note: The id of the note that is changed.
  ///   - leaves: A text that the note holds after a round.
  ///   - editor: A script of sh, run as the editor with the file as its first argument.
  ///   - prepare: A command before each run, outside the timing, with a commit of its own.
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
