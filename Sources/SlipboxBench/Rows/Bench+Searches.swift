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

  /// Two words that stand together.
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

  private func ripgrep(_ box: Box, _ text: String, _ hits: Int) throws -> Contender {
    .program("rg", ifInstalled: programs.ripgrep, in: box.path, expecting: .lines(hits)) {
      [$0, "-n", "-F", text, "."]
    }
  }

  /// A database of more notes would take longer to make than all rows together.
  static let largestDatabase = 100_000

  private func sqlite(_ count: Int, _ box: Box, _ query: String, _ hits: Int) throws -> [Contender] {
    guard count <= Self.largestDatabase else { return [] }
    return [
      try .program("sqlite", ifInstalled: programs.sqlite, in: box.path, expecting: .lines(hits)) { sqlite in
        let database = try workplace.textIndex(of: box, sqlite: sqlite)
        return [sqlite, database, "SELECT path FROM notes WHERE notes MATCH '\(query)' ORDER BY rank"]
      }
    ]
  }
}
