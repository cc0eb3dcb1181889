extension Bench {
  /// Every note with its text as one object.
  func exportJSON(_ count: Int) throws -> Row {
    let expected = Expectation.occurrences(of: "\"path\":", count).beginning(with: "{\"schema\":2")
    return try exporting(count, ["export", "json"], expecting: expected, reads: 3)
  }

  /// Every note with its text as a line of CSV.
  func exportCSV(_ count: Int) throws -> Row {
    try exporting(count, ["export", "csv"], expecting: .success.beginning(with: "id,path,title"), reads: 3)
  }

  private func exporting(
    _ count: Int, _ words: [String], expecting expectation: Expectation, reads: Double
  ) throws -> Row {
    let box = try box(.notes(count))
    return Row(
      slip: .program("slip", in: box.path, expecting: expectation, [slip] + words),
      others: [readAll(box), walk(box, atLeast: count)],
      goals: Goal.goals(count, [Self.allRead: reads], megabytes: 2 * Goal.allNotes))
  }

  /// Every note as a page of a new site, against Hugo, which makes of the same notes a page each and lists of tags, without
  /// links between notes, backlinks and search.
  func exportSite(_ count: Int) throws -> Row {
    let box = try box(.notes(count))
    let (site, hugo) = ("\(workplace.home)/site", "\(workplace.home)/hugo")
    try writeLayouts(of: hugo)
    return Row(
      slip: .programs(
        "slip", in: box.path, rounds: 3, prepare: { [workplace] _ in try workplace.remove(site) },
        expecting: { _ in .occurrences(of: "\"notes\":\(count),", 1) }
      ) { [slip] _ in
        [[slip, "export", "html", "-o", site, "--json"]]
      },
      others: [
        .program("hugo", ifInstalled: programs.hugo, in: box.path, expecting: .success) { program in
          [program, "--quiet", "--source", hugo, "--contentDir", box.path, "--destination", "\(hugo)/public"]
        },
        readAll(box),
      ],
      goals: Goal.goals(count, [Self.allRead: 100], megabytes: 4 * Goal.allNotes),
      remark: "slip export html into a new folder, against hugo with a page a note, lists and tags alone",
      finish: { [workplace] _ in
        try workplace.remove(site)
        try workplace.remove(hugo)
      })
  }

  /// The least that Hugo takes to make pages.
  private func writeLayouts(of folder: String) throws {
    let head = "<!DOCTYPE html><title>{{ .Title }}</title><h1>{{ .Title }}</h1>"
    let files = [
      "config.toml": "title = 'notes'\nbaseURL = 'https://example.org/'\n",
      "layouts/_default/single.html": head
        + "{{ .Content }}{{ range .GetTerms \"tags\" }}<a href='{{ .Permalink }}'>{{ .Title }}</a>{{ end }}",
      "layouts/_default/list.html": head
        + "{{ range .Pages }}<p><a href='{{ .RelPermalink }}'>{{ .Title }}</a>{{ end }}",
    ]
    try Command(["/bin/mkdir", "-p", "\(folder)/layouts/_default"], in: "/").checked()
    for (path, text) in files { try TextFile.write(text, to: "\(folder)/\(path)") }
  }

  private static let allRead = "read all"

  /// All notes, read.
  private func readAll(_ box: Box) -> Contender {
    .own(Self.allRead) { _ in _ = try Floor.readAll(box.path) }
  }
}
