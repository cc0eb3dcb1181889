import SlipboxBench

extension Bench {
  /// A word of ten notes.
  func rareWord(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("rare")
    let goals: [Int: [Goal]] = [
      100_000: [.ratio(to: Report.walk, below: 0.7), .ratio(to: "rg", below: 0.4)]
    ]
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: "qxrare", hits), [slip, "search", "qxrare"]),
      others: [
        walk(box, atLeast: count), try ripgrep(box, "qxrare", hits),
        .program("git grep", in: box.path, expecting: .lines(hits), [git, "grep", "-n", "qxrare"]),
        try sqlite(box, "qxrare", hits),
      ],
      goals: goals[count] ?? [],
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
        try ripgrep(box, "qxcommon", hits), walk(box, atLeast: count), try sqlite(box, "qxcommon", hits),
      ],
      goals: ripgrepGoal(count),
      remark: "slip search WORD, all rows ranked and the lines found, against rg -n WORD")
  }

  /// Two words that stand together.
  func phrase(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let hits = try box.count("phrase")
    let phrase = "qxsilver qxlantern"
    return Row(
      slip: .program(
        "slip", in: box.path, expecting: .occurrences(of: phrase, hits), [slip, "search", "\"\(phrase)\""]),
      others: [
        try ripgrep(box, phrase, hits), walk(box, atLeast: count), try sqlite(box, "\"\(phrase)\"", hits),
      ],
      goals: ripgrepGoal(count))
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
        }, walk(box, atLeast: count), try sqlite(box, "qxalpha qxbeta", hits),
      ],
      goals: ripgrepGoal(count), remark: "slip search A B, against rg -l0 A | xargs -0 rg -n B")
  }

  private func ripgrepGoal(_ count: Int) -> [Goal] {
    count == 100_000 ? [.ratio(to: "rg", below: 0.6)] : []
  }

  private func ripgrep(_ box: Box, _ text: String, _ hits: Int) throws -> Contender {
    .program("rg", ifInstalled: programs.ripgrep, in: box.path, expecting: .lines(hits)) {
      [$0, "-n", "-F", text, "."]
    }
  }

  private func sqlite(_ box: Box, _ query: String, _ hits: Int) throws -> Contender {
    try .program("sqlite", ifInstalled: programs.sqlite, in: box.path, expecting: .lines(hits)) { sqlite in
      let database = try workplace.textIndex(of: box, sqlite: sqlite)
      return [sqlite, database, "SELECT path FROM notes WHERE notes MATCH '\(query)' ORDER BY rank"]
    }
  }
}
