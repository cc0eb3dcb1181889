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

  /// A filter removed, with the commit.
  func removeFilter(_ count: Int) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    return try changing(
      count, remark: "slip filter rm NAME",
      prepare: { [slip] _ in
        try Command([slip, "filter", "save", "bench-gone", "+qxtag"], in: box.path).checked()
      }
    ) { _ in
      ["filter", "rm", "bench-gone"]
    }
  }

  /// A row of a command on a note that is made before each run.
  func changingNew(
    _ count: Int, _ making: [String], remark: String, _ words: @escaping (_ id: String) -> [String]
  ) throws -> Row {
    let box = try copy(.notes(count), for: "slip")
    let made = Latest()
    return try changing(
      count, remark: remark,
      prepare: { [slip] _ in made.id = try Command([slip] + making, in: box.path).checked() }
    ) { _ in
      words(made.id)
    }
  }

  /// The id that the preparation of a run has printed.
  private final class Latest { var id = "" }
}
