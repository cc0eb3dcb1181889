extension Bench {
  /// The largest ratio to the walk of a command that needs no walk.
  private static let withoutWalk = 0.1

  /// One note in full.
  func show(_ count: Int) throws -> Row {
    let (path, id) = try note(count)
    return try looking(count, ["show", id, "--raw"], path, expecting: .occurrences(of: "\nid: \(id)\n", 1))
  }

  /// One note in full, by its path.
  func showPath(_ count: Int) throws -> Row {
    let (path, id) = try note(count)
    return try looking(count, ["show", path, "--raw"], path, expecting: .occurrences(of: "\nid: \(id)\n", 1))
  }

  /// One note with its fields as people read them.
  func showFields(_ count: Int) throws -> Row {
    let (path, id) = try note(count)
    return try looking(count, ["show", id], path, expecting: .occurrences(of: id, 2))
  }

  /// A note in the middle of the box.
  private func note(_ count: Int) throws -> (path: String, id: String) {
    let paths = try box(.notes(count)).facts.paths
    let path = paths[paths.count / 2]
    return (path, String(path.dropLast(".md".count).suffix(8)))
  }

  /// A row of `slip show`, held against git's and the walk.
  private func looking(
    _ count: Int, _ words: [String], _ path: String, expecting expectation: Expectation
  ) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: .program("slip", in: box.path, expecting: expectation, [slip] + words),
      others: [
        .program("git show", in: box.path, expecting: .success, [git, "show", "HEAD:\(path)"]),
        walk(box, atLeast: count),
      ],
      goals: Goal.goals(count, [Report.walk: Self.withoutWalk], megabytes: Goal.fewNotes),
      remark: "slip show, against git show HEAD:PATH")
  }

  /// The overview of `slip` alone: filters with counts, tags, the newest notes.
  func overview(_ count: Int) throws -> Row {
    try reading(count, [], expecting: .success.beginning(with: "@all"), walks: 2.5)
  }

  /// All tags with their numbers of notes.
  func tags(_ count: Int) throws -> Row {
    try reading(count, ["tags"], expecting: .occurrences(of: "qxtag\t", 1), walks: 2)
  }

  /// The tags that a note does not bear.
  func missingTags(_ count: Int) throws -> Row {
    let id = try box(.notes(count)).text("plain")
    return try reading(count, ["tags", "missing", id], expecting: .occurrences(of: "qxtag\n", 1), walks: 2)
  }

  /// The notes that are offered on Tab where a note is expected.
  func completionOfNotes(_ count: Int) throws -> Row {
    try reading(count, ["_complete", "zsh", "show", ""], expecting: .lines(200), walks: 2.5)
  }

  /// The tags that are offered on Tab after a plus.
  func completionOfTags(_ count: Int) throws -> Row {
    try reading(
      count, ["_complete", "zsh", "list", "+qx"], expecting: .lines(1).beginning(with: "+qxtag"), walks: 2.5)
  }

  /// The kinds of records.
  func kinds(_ count: Int) throws -> Row {
    try reading(
      count, ["kinds"], expecting: .occurrences(of: "a book to read", 1), walks: Self.withoutWalk)
  }

  /// The named queries.
  func filters(_ count: Int) throws -> Row {
    try reading(
      count, ["filter", "list"], expecting: .occurrences(of: "modified:7d", 1), walks: Self.withoutWalk)
  }

  /// The settings of the box.
  func settings(_ count: Int) throws -> Row {
    try reading(count, ["config"], expecting: .occurrences(of: "{slug}", 1), walks: Self.withoutWalk)
  }
}
