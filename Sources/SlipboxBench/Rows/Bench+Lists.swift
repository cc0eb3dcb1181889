extension Bench {
  /// The 20 notes that were made last.
  func newest(_ count: Int) throws -> Row {
    let expected = Expectation.lines(20).beginning(with: try box(.notes(count)).text("newest"))
    var row = try reading(count, ["list", "--limit", "20"], expecting: expected, walks: 0.45, megabytes: 60)
    if count == 10_000 { row.goals = [.ratio(to: Report.walk, below: 1.5)] }
    return row
  }

  /// Every note in a row of its own.
  func allAsRows(_ count: Int) throws -> Row {
    try reading(count, ["list"], expecting: .lines(count), walks: 3, megabytes: Goal.allNotes)
  }

  /// Every note as JSON.
  func allAsJSON(_ count: Int) throws -> Row {
    let expected = Expectation.occurrences(of: "\"path\":", count).beginning(with: "{\"schema\":2")
    return try reading(count, ["list", "--json"], expecting: expected, walks: 3, megabytes: 150)
  }

  /// Every note as a line of CSV, under a line of names.
  func allAsCSV(_ count: Int) throws -> Row {
    try reading(count, ["list", "--csv"], expecting: .lines(count + 1), walks: 3, megabytes: Goal.allNotes)
  }

  /// The number of all notes.
  func countNotes(_ count: Int) throws -> Row {
    try reading(count, ["list", "--count"], expecting: .lines(1).beginning(with: "\(count)\n"), walks: 0.45)
  }

  /// Every note, those first that were changed last.
  func sortedByChange(_ count: Int) throws -> Row {
    try reading(
      count, ["list", "sort:-modified"], expecting: .lines(count), walks: 1.5, megabytes: Goal.allNotes)
  }

  /// A field that no note has: nothing is found, and a hint says why.
  func unknownField(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let list = "slip list"
    return Row(
      slip: .program("slip", in: box.path, expecting: .lines(0), [slip, "list", "typo:x"]),
      others: [
        .program(list, in: box.path, expecting: .lines(count), [slip, "list"]), walk(box, atLeast: count),
      ],
      goals: Goal.goals(count, [list: 1.5, Report.walk: 2.5], megabytes: Goal.fewNotes),
      remark: "slip list typo:x, which finds nothing and says that no note has the field")
  }

  /// Notes with a tag and two values. rg narrows them down file by file.
  func tagAndFields(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("urgent")
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .lines(hits),
        [slip, "list", "+qxtag", "status:open", "priority:high"]),
      others: [
        .program("rg", ifInstalled: programs.ripgrep, in: box.path, expecting: .lines(hits)) { rg in
          let script =
            "\(rg) -l0 '^tags:.*\\bqxtag\\b' . | xargs -0 \(rg) -l0 '^status: open$' "
            + "| xargs -0 \(rg) -l '^priority: high$'"
          return ["/bin/sh", "-c", script]
        }, walk(box, atLeast: count),
      ],
      goals: Goal.goals(count, ["rg": 0.6], megabytes: Goal.fewNotes),
      remark:
        "slip list +TAG status:open priority:high, against rg -l for each of them among the files of the last"
    )
  }

  /// The notes that link to one.
  func linking(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return try reading(
      count, ["list", "links:\(try box.text("linked"))"], expecting: .lines(try box.count("linkers")),
      walks: 2)
  }

  /// The notes that no other links to, counted.
  func orphans(_ count: Int) throws -> Row {
    let orphans = try box(.notes(count)).count("orphans")
    return try reading(
      count, ["list", "is:orphan", "--count"], expecting: .lines(1).beginning(with: "\(orphans)\n"), walks: 2)
  }
}
