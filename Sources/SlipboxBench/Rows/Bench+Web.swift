/// The web of notes: links, backlinks and what is like them.
extension Bench {
  /// What a note links to.
  func linksOfOne(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    return try reading(count, ["links", try box.text("linking")], expecting: .success, walks: 2)
  }

  /// The notes that link to one, with the sentences around the links.
  func backlinks(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let list = "slip list"
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .lines(try box.count("backlinks")),
        [slip, "backlinks", try box.text("backlinked")]),
      others: [
        .program(list, in: box.path, expecting: .lines(count), [slip, "list"]), walk(box, atLeast: count),
      ],
      goals: Goal.goals(count, [list: 1, Report.walk: 2], megabytes: Goal.fewNotes),
      remark: "slip backlinks REF, with the sentence around each link, against slip list")
  }

  /// The notes that name one without a link; there may be none.
  func mentions(_ count: Int) throws -> Row {
    try looking(count, ["mentions", try box(.notes(count)).text("backlinked")], walks: 2)
  }

  /// The notes that have most in common with one.
  func related(_ count: Int) throws -> Row {
    try reading(
      count, ["related", try box(.notes(count)).text("backlinked")], expecting: .success, walks: 3)
  }

  /// The notes that nobody links or refers to, counted.
  func unlinked(_ count: Int) throws -> Row {
    try reading(count, ["orphans", "--count"], expecting: .lines(1), walks: 2.5)
  }

  /// The links that lead nowhere: none in these notes.
  func brokenLinks(_ count: Int) throws -> Row {
    try looking(count, ["broken"], expecting: .lines(0), walks: 2.5)
  }

  /// The open check boxes of all notes.
  func todos(_ count: Int) throws -> Row { try looking(count, ["todos"], walks: 2.5) }

  /// The notes of each kind, counted.
  func table(_ count: Int) throws -> Row { try looking(count, ["table", "--by", "kind"], walks: 1.5) }

  /// What is due on which day.
  func agenda(_ count: Int) throws -> Row { try looking(count, ["agenda"], walks: 1.5) }

  /// The blocks of all notes; these notes have none.
  func bake(_ count: Int) throws -> Row { try looking(count, ["bake", "--check"], walks: 2.5) }

  /// The notes of each kind, by a saved line.
  func views(_ count: Int) throws -> Row { try looking(count, ["view"], walks: 0.1) }

  /// The number of notes with open check boxes.
  func todoQuery(_ count: Int) throws -> Row {
    try looking(count, ["list", "is:todo", "--count"], walks: 1.5)
  }

  /// The headings of one note; most of these notes have none.
  func outline(_ count: Int) throws -> Row {
    try looking(count, ["outline", box(.notes(count)).text("plain")], walks: 0.1)
  }

  /// The whole web in numbers.
  func graphInNumbers(_ count: Int) throws -> Row {
    try reading(
      count, ["graph"], expecting: .success.beginning(with: "notes\t\(count)\n"), walks: 4, megabytes: 200)
  }

  /// The whole web as JSON.
  func graphAsJSON(_ count: Int) throws -> Row {
    try reading(
      count, ["graph", "--json"], expecting: .success.beginning(with: "{\"schema\":2,\"nodes\":["), walks: 5,
      megabytes: 300)
  }

  /// A row of a command that may find nothing, and says so by exiting 1.
  private func looking(
    _ count: Int, _ words: [String], expecting expectation: Expectation = .success, walks: Double
  ) throws -> Row {
    let box = try box(.notes(count))
    let script = "\"$0\" \"$@\" || test $? = 1"
    return Row(
      slip: .program("slip", in: box.path, expecting: expectation, ["/bin/sh", "-c", script, slip] + words),
      others: [walk(box, atLeast: count)],
      goals: Goal.goals(count, [Report.walk: walks], megabytes: Goal.fewNotes))
  }
}
