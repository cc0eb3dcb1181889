/// Rows of the command that brings in what other programs have.
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

  /// The same export where its tasks are in the box.
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
