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

  /// A row of `slip show`, compared with git and the stat scan.
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

  /// The tags that a note does not have.
  func missingTags(_ count: Int) throws -> Row {
    let id = try box(.notes(count)).text("plain")
    return try reading(count, ["tags", "missing", id], expecting: .occurrences(of: "qxtag\n", 1), walks: 2)
  }

  /// The notes that Tab completes as an argument.
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

extension Bench {
  /// A word of ten notes.
  func rareWord(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("rare")
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: "qxrare", hits), [slip, "search", "qxrare"]),
      others: [
        walk(box, atLeast: count), try ripgrep(box, "qxrare", hits),
        .program("git grep", in: box.path, expecting: .lines(hits), [git, "grep", "-n", "qxrare"]),
      ] + (try sqlite(count, box, "qxrare", hits)),
      goals: Goal.goals(count, [Report.walk: 0.45, "rg": 0.2], megabytes: Goal.fewNotes),
      remark: "slip search WORD, rows and the lines found; sqlite does not look at the files")
  }

  /// A word of a tenth of the notes, with every line that has it.
  func commonWord(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("common")
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: "qxcommon", hits), [slip, "search", "qxcommon"]),
      others: [
        try ripgrep(box, "qxcommon", hits), walk(box, atLeast: count),
      ] + (try sqlite(count, box, "qxcommon", hits)),
      goals: Goal.goals(count, ["rg": 0.6], megabytes: Goal.allNotes),
      remark: "slip search WORD, all rows ranked and the lines found, against rg -n WORD")
  }

  /// A phrase of two words.
  func phrase(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("phrase")
    let phrase = "qxsilver qxlantern"
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: phrase, hits), [slip, "search", "\"\(phrase)\""]),
      others: [
        try ripgrep(box, phrase, hits), walk(box, atLeast: count),
      ] + (try sqlite(count, box, "\"\(phrase)\"", hits)),
      goals: Goal.goals(count, ["rg": 0.6], megabytes: Goal.fewNotes))
  }

  /// Two words anywhere in a note.
  func twoWords(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("both")
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: "qxalpha", hits),
        [slip, "search", "qxalpha", "qxbeta"]),
      others: [
        .program("rg", ifInstalled: programs.ripgrep, in: box.path, expecting: .lines(hits)) { rg in
          ["/bin/sh", "-c", "\(rg) -l0 qxalpha . | xargs -0 \(rg) -n qxbeta"]
        }, walk(box, atLeast: count),
      ] + (try sqlite(count, box, "qxalpha qxbeta", hits)),
      goals: Goal.goals(count, ["rg": 0.6], megabytes: Goal.fewNotes),
      remark: "slip search A B, against rg -l0 A | xargs -0 rg -n B")
  }

  private func ripgrep(_ box: BenchBox, _ text: String, _ hits: Int) throws -> Contender {
    .program("rg", ifInstalled: programs.ripgrep, in: box.path, expecting: .lines(hits)) {
      [$0, "-n", "-F", text, "."]
    }
  }

  /// A database of more notes would take longer to make than all rows together.
  static let largestDatabase = 100_000

  private func sqlite(_ count: Int, _ box: BenchBox, _ query: String, _ hits: Int) throws -> [Contender] {
    guard count <= Self.largestDatabase else { return [] }
    return [
      try .program("sqlite", ifInstalled: programs.sqlite, in: box.path, expecting: .lines(hits)) { sqlite in
        let database = try workplace.textIndex(of: box, sqlite: sqlite)
        return [sqlite, database, "SELECT path FROM notes WHERE notes MATCH '\(query)' ORDER BY rank"]
      }
    ]
  }
}

/// The graph of notes: links, backlinks, similar notes.
extension Bench {
  /// The links of a note.
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

  /// The number of notes without backlinks and references.
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

  /// The dates of all records by day.
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
