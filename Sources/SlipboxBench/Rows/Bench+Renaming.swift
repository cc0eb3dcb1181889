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
  private func linked(_ box: Box) throws -> Box {
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
