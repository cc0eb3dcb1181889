extension Bench {
  /// A new note, with its commit.
  func newNote(_ count: Int) throws -> Row {
    let git = try gitChanges(count, "new") { round, _ in
      "---\ntitle: A thought of round \(round)\n---\n\(Self.thought(round))\n"
    }
    var row = try changing(
      count, others: git, expecting: .newID, remark: "slip new TITLE +TAG -b TEXT"
    ) { round in
      ["new", "A thought of round \(round)", "+tag-bench", "-b", Self.thought(round)]
    }
    row.goals = count < Goal.smallestHeld ? Self.changeGoals(count) : Self.changeGoals(count, below: 0.15)
    return row
  }

  private static func thought(_ round: Int) -> String {
    "Salt, time and patience are what it takes. This was the \(round)th time.\n\nSee [[Household]]."
  }

  /// A field of one note, with its commit.
  func setField(_ count: Int) throws -> Row {
    let id = try box(.notes(count)).text("plain")
    return try changing(
      count, remark: "slip set ID FIELD:VALUE", note: id, leaves: { "\nmood: fine\($0)\n" }
    ) { round in
      ["set", id, "mood:fine\(round)"]
    }
  }

  /// A line at the end of one note, with its commit.
  func append(_ count: Int) throws -> Row {
    let id = try box(.notes(count)).text("plain")
    return try changing(
      count, remark: "slip append ID TEXT", note: id, leaves: { "\nAppended in round \($0).\n" }
    ) { round in
      ["append", id, "Appended in round \(round)."]
    }
  }

  /// A line that an editor adds to one note, with its commit.
  func edit(_ count: Int) throws -> Row {
    let id = try box(.notes(count)).text("plain")
    return try changing(
      count, remark: "slip edit ID with an editor that adds a line", note: id,
      leaves: { "\nEdited in round \($0).\n" }, editor: { "echo Edited in round \($0). >> \"$1\"" }
    ) { _ in
      ["edit", id]
    }
  }

  /// An action of a kind on a new record, with its commit.
  func act(_ count: Int) throws -> Row {
    try changingNew(count, ["new", "task", "A task of the bench"], remark: "slip finish ID") {
      ["finish", $0]
    }
  }

  /// A new note deleted, with the commit.
  func remove(_ count: Int) throws -> Row {
    try changingNew(count, ["new", "A note of the bench"], remark: "slip rm ID --yes") {
      ["rm", $0, "--yes"]
    }
  }

  /// A check box of a new note ticked, with the commit.
  func tick(_ count: Int) throws -> Row {
    try changingNew(count, ["new", "A list of the bench", "-b", "- [ ] a box"], remark: "slip tick ID") {
      ["tick", $0]
    }
  }

  /// A record made of a check box of a new note, with the commit.
  func promote(_ count: Int) throws -> Row {
    try changingNew(
      count, ["new", "A list of the bench", "-b", "- [ ] box ROUND"], remark: "slip promote ID"
    ) {
      ["promote", $0]
    }
  }

  /// A check box of a new note cleared, with the commit.
  func untick(_ count: Int) throws -> Row {
    try changingNew(count, ["new", "A list of the bench", "-b", "- [x] a box"], remark: "slip untick ID") {
      ["untick", $0]
    }
  }

  /// A filter saved, with the commit.
  func saveFilter(_ count: Int) throws -> Row {
    try changing(count, remark: "slip filter save NAME QUERY") { round in
      ["filter", "save", "bench-\(round)", "+qxtag"]
    }
  }

  /// A filter renamed, with the commit.
  func renameFilter(_ count: Int) throws -> Row {
    try changingFilter(count) { ["filter", "rename", "bench-old", "bench-new-\($0)"] }
  }

  /// A filter removed, with the commit.
  func removeFilter(_ count: Int) throws -> Row {
    try changingFilter(count) { _ in ["filter", "rm", "bench-old"] }
  }

  /// A row of a command on a filter that is saved before each run.
  private func changingFilter(_ count: Int, _ words: @escaping (_ round: Int) -> [String]) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    return try changing(
      count, remark: "slip filter \(words(0)[1]) NAME",
      prepare: { [slip] _ in
        try Command([slip, "filter", "save", "bench-old", "+qxtag"], in: box.path).checked()
      }, words)
  }

  /// A view saved, with the commit.
  func saveView(_ count: Int) throws -> Row {
    try changing(count, remark: "slip view save NAME QUERY") { round in
      ["view", "save", "bench-\(round)", "+qxtag"]
    }
  }

  /// A view renamed, with the commit.
  func renameView(_ count: Int) throws -> Row {
    try changingView(count) { ["view", "rename", "bench-old", "bench-new-\($0)"] }
  }

  /// A view removed, with the commit.
  func removeView(_ count: Int) throws -> Row {
    try changingView(count) { _ in ["view", "remove", "bench-old"] }
  }

  /// A row of a command on a view that is saved before each run.
  private func changingView(_ count: Int, _ words: @escaping (_ round: Int) -> [String]) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    return try changing(
      count, remark: "slip view \(words(0)[1]) NAME",
      prepare: { [slip] _ in
        try Command([slip, "view", "save", "bench-old", "+qxtag"], in: box.path).checked()
      }, words)
  }

  /// A row of a command on a note that is made before each run.
  func changingNew(
    _ count: Int, _ making: [String], remark: String, _ words: @escaping (_ id: String) -> [String]
  ) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let made = Latest()
    return try changing(
      count, remark: remark,
      prepare: { [slip] round in
        let words = making.map { $0.replacing("ROUND", with: "\(round)") }
        made.id = try Command([slip] + words, in: box.path).checked()
      }
    ) { _ in
      words(made.id)
    }
  }

  /// The id that the preparation of a run has printed.
  private final class Latest { var id = "" }
}

extension Bench {
  /// The first search after other programs have changed files, for a word that only those have.
  ///
  /// Each round brings another word, so that an answer from before the change is found out.
  func changed(_ count: Int, files: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let paths = Self.spread(box.facts.paths, files).map { "\(box.path)/\($0)" }
    var originals: [String] = []
    for path in paths { originals.append(try TextFile.read(path)) }
    let word = { (round: Int) in "qxfresh\(round)of\(files)" }
    let texts = originals
    return Row(
      slip: .programs(
        "slip", in: box.path,
        prepare: { round in
          for (path, text) in zip(paths, texts) {
            try TextFile.write(text + "\nA late thought: \(word(round)).\n", to: path)
          }
        }, expecting: { _ in .lines(1).beginning(with: "\(paths.count)\n") }
      ) { [slip] round in
        [[slip, "search", word(round), "--count"]]
      },
      others: [walk(box, atLeast: count), try gitCommit(count, of: paths.count)],
      goals: Goal.goals(count, [Report.walk: files == 1 ? 0.8 : 1.5], megabytes: Goal.fewNotes),
      remark: "slip search WORD --count, for a word that was written into the files before each run",
      finish: { _ in for (path, text) in zip(paths, texts) { try TextFile.write(text, to: path) } })
  }

  /// The name of git's way to commit all changes in the report.
  static let addAndCommit = "git add -A, commit"

  /// Later rows change its fields.
  private static let head = "---\ncreated: 2016-01-01T00:00:00Z\n---\n"

  /// A commit of all changes with git, of a few files that are written before.
  func gitCommit(_ count: Int, of files: Int) throws -> Contender {
    let box = try copy(.notes(count), for: "git")
    let paths = Self.spread(box.facts.paths, files).map { "\(box.path)/\($0)" }
    return .programs(
      Self.addAndCommit, in: box.path,
      prepare: { round in
        for path in paths {
          try TextFile.write(Self.head + "Round \(round) of \(files) for \(path).\n", to: path)
        }
      }, expecting: { _ in .success }
    ) { [git] round in
      [[git, "add", "-A"], [git, "commit", "-q", "-m", "Round \(round)"]]
    }
  }

  /// The changes of one file put together with the rest of the kept catalogue.
  func fold(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let path = box.path + "/" + box.facts.paths[box.facts.paths.count / 4]
    let text = try TextFile.read(path)
    return Row(
      slip: .programs(
        "slip", in: box.path,
        prepare: { [slip] round in
          try TextFile.write(text + "\nA thought to fold: \(round).\n", to: path)
          try Command([slip, "list", "--count"], in: box.path).checked()
        }, expecting: { _ in .lines(0) }
      ) { [slip] _ in
        [[slip, "fold-catalogue"]]
      },
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: 8], megabytes: 250),
      remark: "slip fold-catalogue, which other commands start in the background",
      finish: { _ in try TextFile.write(text, to: path) })
  }

  /// Some of the paths, evenly spread.
  static func spread(_ paths: [String], _ count: Int) -> [String] {
    let count = min(count, paths.count)
    return (0..<count).map { paths[$0 * paths.count / count + paths.count / (2 * count)] }
  }
}

extension Bench {
  private static let sedAndGit = "sed and git, synced"

  /// A title that a tenth of all notes link to, changed with every link.
  func retitle(_ count: Int) throws -> Row {
    let box = try linked(try copy(.notes(count), for: "retitle"))
    let before = try commitCount(box)
    return Row(
      slip: .programs("slip", in: box.path, expecting: { _ in .success }) { [slip] round in
        [[slip, "retitle", Self.title(round), Self.title(round + 1), "--no-alias", "-q"]]
      },
      others: [
        try sedTitle(count, "sed and git", [], 0), try sedTitle(count, Self.sedAndGit, Self.durable, 1),
      ],
      goals: [.ratio(to: Self.sedAndGit, below: 2)],
      remark:
        "slip retitle OLD NEW, with a link in every tenth note, against git grep, sed -i and git commit -a",
      finish: { rounds in
        try self.checkCommits(of: box, expected: before + rounds)
        let found = try Command(
          [self.slip, "list", "links:\(Self.title(rounds))", "--count"], in: box.path
        ).checked()
        guard found == "\(count / 10)" else {
          throw BenchError("wrong answer: \(found) link, not \(count / 10)")
        }
      })
  }

  private static func title(_ round: Int) -> String { "Qxlinked \(round)" }

  /// A box with a note and a link to it in every tenth of the others, committed.
  private func linked(_ box: BenchBox) throws -> BenchBox {
    for (index, file) in try TextFile.notes(in: box.path).enumerated() where index.isMultiple(of: 10) {
      try TextFile.write(try TextFile.read(file) + "\nSee [[\(Self.title(0))]].\n", to: file)
    }
    try TextFile.write("---\ntitle: \(Self.title(0))\n---\nText.\n", to: "\(box.path)/linked.md")
    try Command([git, "add", "linked.md"], in: box.path).checked()
    try Command([git, "commit", "-q", "-a", "-m", "Link every tenth note"], in: box.path).checked()
    try Command([slip, "list", "--count"], in: box.path).checked()
    return box
  }

  /// - Parameter turn: 0 or 1; both change the title in the same box by turns.
  private func sedTitle(_ count: Int, _ name: String, _ options: [String], _ turn: Int) throws -> Contender {
    let box = try copy(.notes(count), for: "retitle-git")
    if turn == 0 { _ = try linked(box) }
    return .programs(name, in: box.path, expecting: { _ in .success }) { [git] round in
      let (old, new) = (Self.title(round * 2 + turn), Self.title(round * 2 + turn + 1))
      let script = "\(git) grep -lz '\(old)' | xargs -0 sed -i 's/\(old)/\(new)/' && exec \"$@\""
      return [["/bin/sh", "-c", script, "sh", git] + options + ["commit", "-q", "-a", "-m", "Retitle"]]
    }
  }

  /// A new note moved into another folder, with the commit.
  func move(_ count: Int) throws -> Row {
    try changingNew(count, ["new", "A note of the bench"], remark: "slip mv ID FOLDER/") {
      ["mv", $0, "moved/"]
    }
  }

  /// A new note joined to an old one, with the commit.
  func join(_ count: Int) throws -> Row {
    let id = try box(.notes(count)).text("plain")
    return try changingNew(
      count, ["new", "A note of the bench", "-b", "One line more."], remark: "slip merge ID ID"
    ) {
      ["merge", id, $0]
    }
  }

  /// A section of a new note made a note, with the commit.
  func split(_ count: Int) throws -> Row {
    try changingNew(
      count, ["new", "A note of the bench", "-b", "Text.\n\n## Part\n\nText below.\n"],
      remark: "slip split ID#HEADING"
    ) {
      ["split", "\($0)#Part"]
    }
  }
}
