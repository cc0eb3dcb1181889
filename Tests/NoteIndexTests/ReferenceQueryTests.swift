import Notes
import Testing

@testable import NoteIndex

/// Records that refer to groups and to parts by every name that these have.
private let groups = KindBox(
  kinds: ["part": "key: number\nfields:\n  number: text\n  of: {type: reference, to: part}\n"],
  [
    "home": "id: bcdfghjk\nkind: group\ntitle: Home",
    "work": "id: kqzmvtrp\nkind: group\ntitle: Work\naliases: [Job]",
    "side": "id: kqzbbbbb\nkind: group\ntitle: Side project",
    "wall": "id: wwwwwwww\nkind: group\ntitle: The south wall",
    "garden": "id: gggggggg\nkind: group\ntitle: Home & garden",
    "cakes": "id: bbbbbbbb\nkind: group\ntitle: 'Birthdays, all'",
    "twin-1": "id: tttttttt\nkind: group\ntitle: Twin", "twin-2": "id: ttttwwww\nkind: group\ntitle: twin",
    "note": "id: vvvvvvvv\ntitle: Garden",
    "t-id": "kind: task\ngroup: bcdfghjk", "t-title": "kind: task\ngroup: Home",
    "t-link": "kind: task\ngroup: '[[home|at home]]'",
    "t-job": "kind: task\ngroup: job", "t-slug": "kind: task\ngroup: side-project",
    "t-wall": "kind: task\ngroup: The south wall", "t-garden": "kind: task\ngroup: gggggggg",
    "t-cakes": "kind: task\ngroup: 'Birthdays, all'",
    "t-twin": "kind: task\ngroup: Twin", "t-lost": "kind: task\ngroup: Homestead", "t-none": "kind: task",
    "p-1": "kind: part\nnumber: '1'\ntitle: One", "p-2": "kind: part\nnumber: '2'\ntitle: 'Two'\nof: '1'",
    "p-3": "kind: part\nnumber: '3'\ntitle: '1'\nof: Two",
  ])

private func named(_ arguments: [String], filters: [String: String] = [:]) throws -> Set<String> {
  try QueryForms.ask(arguments, schema: groups.schema, filters: filters, names: groups.names) { query in
    found(try groups.catalogue.binding(query))
  }
}

private func found(_ query: Query) -> Set<String> {
  Set(
    groups.catalogue.matches(query, modified: \.created).map {
      String(decoding: $0.entry.note.path.dropLast(3), as: UTF8.self)
    })
}

private func fault(_ arguments: [String], filters: [String: String] = [:]) -> QueryError? {
  do throws(QueryError) {
    let query = try Query.parse(
      arguments, clock: clock, schema: groups.schema, filters: filters, names: groups.names)
    _ = try groups.catalogue.binding(query)
    return nil
  } catch {
    return error
  }
}

/// Names of records in terms about reference fields.
@Suite struct ReferenceQueryTests {
  /// Arguments with `¦` between them, and the names of the notes that are found.
  static let meanings: [(arguments: String, expected: String)] = [
    // Every name of a group, and every name by which a task may refer to it.
    ("group:Home", "t-id t-link t-title"), ("group:home", "t-id t-link t-title"),
    ("group:bcdfghjk", "t-id t-link t-title"), ("group:bcdf", "t-id t-link t-title"),
    ("group:\"[[Home|x]]\"", "t-id t-link t-title"),
    ("GROUP:HOME", "t-id t-link t-title"), ("group:Work", "t-job"), ("group:job", "t-job"),
    ("group:side project", "t-slug"), ("group:\"Side project\"", "t-slug"), ("group:side-project", "t-slug"),
    ("group:Side Project,Home", "t-id t-link t-slug t-title"),
    ("group:Work,Home", "t-id t-job t-link t-title"),
    // Of two names, the one as it stands.
    ("group:Twin", "t-twin"), ("group:twin", ""),
    // A kind's key goes before a title.
    ("of:1", "p-2"), ("of:One", "p-2"), ("of:2", "p-3"), ("of:3", ""),
    // An equals sign asks for the same record.
    ("group:=Home", "t-id t-link t-title"), ("group = Home", "t-id t-link t-title"),
    ("kind:task¦group:", "t-none"),
    // Values with blanks, also beside other terms.
    ("group:The south wall", "t-wall"), ("group = The south wall", "t-wall"),
    ("group:the South  wall kind:task", "t-wall"),
    ("group:Home & garden", "t-garden"), ("group:Birthdays, all", "t-cakes"),
    ("group:Birthdays, all,The south wall,Home", "t-cakes t-id t-link t-title t-wall"),
    ("kind:task group:The south wall has:group", "t-wall"), ("group:Home text", "t-id t-link t-title"),
    (
      "kind:task NOT group:Home & garden -x",
      "t-cakes t-id t-job t-link t-lost t-none t-slug t-title t-twin t-wall"
    ),
    // Beside others, behind NOT, in parentheses and filters.
    ("group:Home¦NOT group:Work", "t-id t-link t-title"),
    ("kind:task NOT (group:Home OR group:Work)", "t-cakes t-garden t-lost t-none t-slug t-twin t-wall"),
    ("@mine", "t-id t-link t-title"),
    ("NOT @mine¦kind:task¦has:group", "t-cakes t-garden t-job t-lost t-slug t-twin t-wall"),
  ]

  @Test(arguments: meanings) func namesMeanRecords(arguments: String, expected: String) throws {
    let filters = ["mine": "(group:Home OR @work) kind:task", "work": "group:Home"]
    let found = try named(arguments.split(separator: "¦").map(String.init), filters: filters)
    #expect(found.sorted().joined(separator: " ") == expected, "\(arguments)")
  }

  @Test(arguments: [
    ("group:Garden", "group: there is no group Garden", "did you mean", 6..<12),
    ("group:Homestead", "group: there is no group Homestead", "the query kind:group lists them", 6..<15),
    (
      "kind:task (group:Home OR NOT group:none)", "group: there is no group none",
      "the query kind:group lists them", 35..<39
    ),
    ("group:Home,none", "group: there is no group none", "the query kind:group lists them", 11..<15),
    ("group:kq", "group: kq matches more than one group", "one of: ", 6..<8),
    // The beginning of a title names nothing.
    ("group:twi", "group: there is no group twi", "did you mean: ", 6..<9),
    ("group:Hom", "group: there is no group Hom", "did you mean: Home", 6..<9),
    (
      "NOT group:The north wall", "group: there is no group The north wall", "did you mean: The south wall",
      10..<24
    ),
    ("group:home*", "group: home* matches no group", "references support no ranges", 6..<11),
    ("(group:>=Home)", "group: >=Home matches no group", "references support no ranges", 7..<13),
    ("group:Home..Work", "group: Home..Work matches no group", "references support no ranges", 6..<16),
    ("of:1..2", "of: 1..2 matches no part", "references support no ranges", 3..<7),
    ("of:4", "of: there is no part 4", "the query kind:part lists them", 3..<4),
  ]) func aNameThatMeansNoRecordOrSeveralIsRefused(
    text: String, message: String, hint: String, range: Range<Int>
  ) {
    let error = fault([text])
    #expect(error?.message == message)
    #expect(error?.hint?.hasPrefix(hint) == true || hint == "did you mean", "\(error?.hint ?? "")")
    #expect(error?.query == text)
    #expect(error?.range == range)
  }

  @Test func aFaultInAFilterShowsTheFilter() {
    let error = fault(["kind:task", "@inner"], filters: ["inner": "is:active group:none", "none": "x"])
    #expect(error?.message == "@inner: group: there is no group none")
    #expect(error?.query == "is:active group:none")
    #expect(error?.range == 16..<20)
  }

  @Test func aFieldOfOtherNotesIsText() throws {
    let notes = ["a": "group: admin users", "b": "kind: task\ngroup: Home", "g": "kind: group\ntitle: Home"]
    let entries = notes.map { entry("\($0.key).md", "---\n\($0.value)\n---\n") }
    let catalogue = Catalogue(entries)
    // Unless the kind is named, a reference is one.
    let query = try Query.parse(["kind:note", "group:admin"], clock: clock)
    let matches = catalogue.matches(try catalogue.binding(query), modified: \.created)
    #expect(matches.map(\.entry.note.path) == [Array("a.md".utf8)])
    for text in ["group:admin", "kind:task group:admin", "kind:note group:nobody"] {
      #expect(throws: QueryError.self, "\(text)") { try catalogue.binding(Query.parse([text], clock: clock)) }
    }
  }

  @Test func aQueryThatNamesNothingStaysAsItIs() throws {
    for text in ["kind:task", "group:*", "links:Home", "group:", "due:today"] {
      let query = try Query.parse(text: text, clock: clock, schema: groups.schema)
      #expect(!query.needsCatalogue)
    }
    // Without a catalogue's answer the value is text where it names no record.
    let query = try Query.parse(text: "group:Homestead", clock: clock, schema: groups.schema)
    #expect(found(query) == ["t-lost"])
    #expect(query.described() == "group:Homestead")
  }

  @Test func kindsAskForText() throws {
    let kind = try KindQuery("NOT group:Home", of: "task", .active, groups.schema, clock: clock)
    let asked = groups.catalogue.entries.filter { kind.holds(for: $0) && $0.kind == "task" }
    #expect(asked.count == 9)
  }

  /// A term means the same wherever it stands, and NOT is the complement.
  @Test func positionsMakeNoDifference() throws {
    var random = SplitMix64(seed: 9)
    let names = [
      "Home", "bcdfghjk", "job", "Work", "side-project", "Twin", "Side project",
      "The south wall", "Home & garden", "Birthdays, all", "home & GARDEN",
    ]
    let others = ["kind:task", "has:group", "NOT id:v", "group:Work", "(kind:task OR kind:group)"]
    let everything = Set(
      groups.catalogue.entries.map { String(decoding: $0.note.path.dropLast(3), as: UTF8.self) })
    for _ in 0..<200 {
      let values = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        names.randomElement(using: &random) ?? "Home"
      }
      let term = "group:" + values.joined(separator: ",")
      let other = others.randomElement(using: &random) ?? "Home"
      let alone = try named([term])
      #expect(try named(["(\(term))"]) == alone)
      #expect(try named(["@f"], filters: ["f": term]) == alone)
      #expect(try named(["@f"], filters: ["f": "@g", "g": "((\(term)))"]) == alone)
      #expect(try named(["NOT \(term)"]) == everything.subtracting(alone))
      #expect(try named(["NOT", "@f"], filters: ["f": term]) == everything.subtracting(alone))
      #expect(try values.map { try named(["group:\($0)"]) }.reduce(Set()) { $0.union($1) } == alone)
      let both = try named([other, term])
      #expect(both == alone.intersection(try named([other])))
      #expect(try named(["\(other) \(term)"]) == both)
      #expect(try named(["(\(term) AND \(other))"]) == both)
      #expect(try named(["NOT (NOT \(other) OR NOT (\(term)))"]) == both)
      #expect(try named([other, "@f"], filters: ["f": term]) == both)
    }
  }
}
