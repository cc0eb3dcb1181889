import NoteIndex
import Notes
import Testing

/// What is no date, number or choice where a kind declares one, in every form of a query.
@Suite struct ValueFaultTests {
  private static let box = KindBox(
    kinds: ["trip": "fields:\n  start: date\n  length: integer\n  mood: {type: text}\n  paid: boolean\n"],
    [
      "i": "kind: issue\npriority: urgent", "t": "kind: task\ndue: 2026-11-24\ngroup: Home",
      "b": "kind: book\nrating: 04", "n": "draft: yes\nlength: long", "g": "kind: group\ntitle: Home",
    ])

  private static func fault(_ arguments: [String], filters: [String: String] = [:]) -> QueryError? {
    do throws(QueryError) {
      let query = try Query.parse(
        arguments, clock: clock, schema: box.schema, filters: filters, names: box.names)
      _ = try box.catalogue.binding(query)
      return nil
    } catch {
      return error
    }
  }

  private static func part(_ error: QueryError) -> String {
    String(decoding: Array(error.query.utf8)[error.range], as: UTF8.self)
  }

  /// A term, the part of it that is at fault, and the message.
  @Test(arguments: [
    ("due:garbage", "garbage", "due: garbage is not a date"),
    ("due:today..soon", "soon", "due: soon is not a date"), ("due:soon..", "soon", "due: soon is not a date"),
    ("due:<soon", "soon", "due: soon is not a date"), ("due:=soon", "soon", "due: soon is not a date"),
    ("due:today,soon", "soon", "due: soon is not a date"),
    ("due:\"soon\"", "soon", "due: soon is not a date"),
    ("my-day:foo", "foo", "my-day: foo is not a date"),
    (
      "due:2026-11-30T17:00", "2026-11-30T17:00",
      "due: 2026-11-30T17:00 has a time, but the field stores only a date"
    ),
    ("due:\"monday 9am\"", "monday 9am", "due: monday 9am has a time, but the field stores only a date"),
    (
      "due:..2026-11-30T17:00", "2026-11-30T17:00",
      "due: 2026-11-30T17:00 has a time, but the field stores only a date"
    ),
    (
      "due:>=2026-11-30T17:00", "2026-11-30T17:00",
      "due: 2026-11-30T17:00 has a time, but the field stores only a date"
    ),
    ("due-time:25:99", "25:99", "due-time: 25:99 is not a time of day (17:30, 9am)"),
    ("due-time:17:00,9", "9", "due-time: 9 is not a time of day (17:30, 9am)"),
    ("finished:2026-13", "2026-13", "finished: 2026-13 is not a date"),
    ("rating:x", "x", "rating: x is not a number"), ("rating:4..x", "x", "rating: x is not a number"),
    ("rating:>=x", "x", "rating: x is not a number"), ("RATING:4,x", "x", "rating: x is not a number"),
    ("done:maybe", "maybe", "done: maybe is neither true nor false"),
    ("paid:2", "2", "paid: 2 is neither true nor false"),
    ("start:next", "next", "start: next is not a date"),
    ("created:garbage", "garbage", "garbage is not a date"),
    ("modified:2026..x", "x", "x is not a date"),
  ])
  func refused(term: String, part: String, message: String) {
    let forms: [(arguments: [String], filters: [String: String], isFilter: Bool)] = [
      ([term], [:], false), (["kind:note", term], [:], false), (["kind:note \(term)"], [:], false),
      (["(kind:note OR \(term))"], [:], false), (["NOT", term], [:], false),
      (["-x", "NOT (NOT \(term))"], [:], false),
      (["kind:note", "@f"], ["f": "is:active (\(term))"], true),
      (["@outer"], ["outer": "NOT @f", "f": "NOT \(term)"], true),
    ]
    for form in forms {
      let error = Self.fault(form.arguments, filters: form.filters)
      #expect(error?.message == (form.isFilter ? "@f: " : "") + message, "\(form)")
      #expect(error.map(Self.part) == part, "\(form)")
      if form.isFilter { #expect(error?.query == form.filters["f"]) }
    }
  }

  /// An unknown choice is an error only if `kind:` limits the query to kinds that declare the field.
  @Test(arguments: [
    (
      "priority:urgent",
      "priority: urgent is not one of its values: low, medium, high (issue) or none, low, medium, high (task)"
    ),
    (
      "status:open,clsed",
      "status: clsed is not one of its values: open, closed (issue) or on-shelf, in-progress, completed (book); did you mean status:closed?"
    ),
    (
      "priority:low..rocket",
      "priority: rocket is not one of its values: low, medium, high (issue) or none, low, medium, high (task)"
    ),
    (
      "priority:>med",
      "priority: med is not one of its values: low, medium, high (issue) or none, low, medium, high (task); did you mean priority:medium?"
    ),
  ])
  func `an unknown choice is a hint without kind`(term: String, hint: String) throws {
    for arguments in [
      [term], ["kind:note", term], ["NOT", term], ["(kind:note OR \(term))"], ["-x \(term)"],
    ] {
      #expect(Self.fault(arguments) == nil, "\(arguments)")
      let query = try Query.parse(arguments, clock: clock, schema: Self.box.schema, names: Self.box.names)
      #expect(Self.box.catalogue.unknownChoices(in: query) == [hint], "\(arguments)")
    }
    for kind in ["kind:issue", "kind:book", "(kind:issue OR kind:book)"] {
      guard kind != "kind:book" || term.hasPrefix("status") else { continue }
      let query = try Query.parse([kind, term], clock: clock, schema: Self.box.schema, names: Self.box.names)
      #expect(Self.fault([kind, term]) != nil, "\(kind)")
      #expect(Self.box.catalogue.unknownChoices(in: query) == [], "\(kind)")
    }
  }

  @Test(arguments: [
    "due:7d", "due:", "due:*", "due:gar*", "rating:4", "rating:9", "rating:2..", "rating:3.5", "done:yes",
    "status:progress", "status:open,completed", "status:in*", "priority:low..", "mood:x", "length:long",
    "draft:x",
    "group:Home", "start:dec 5", "priority:=high", "colour:red", "has:due", "due:\"next week\"..",
  ])
  func accepted(term: String) { #expect(Self.fault([term]) == nil) }

  /// A plain note with fields of the names that kinds declare, and a kind whose choices have blanks.
  private static let mixed = KindBox(
    kinds: ["bar": "fields:\n  stage: {type: choice, values: [Open, Last Call, Closed]}\n"],
    [
      "i": "kind: issue\npriority: high",
      "b": "kind: book\nauthor: Ursula Le Guin\nrating: 3\ntitle: Bleak House",
      "t": "kind: task\ngroup: Home", "g": "kind: group\ntitle: Home", "c": "kind: bar\nstage: Last Call",
      "n": "rating: good\nstatus: draft\ngroup: admin\ntags: [two words]\nmood: half asleep",
    ])

  private static func mixedFault(_ arguments: [String], filters: [String: String] = [:]) -> String? {
    do throws(QueryError) {
      let query = try Query.parse(
        arguments, clock: clock, schema: mixed.schema, filters: filters, names: mixed.names)
      _ = try mixed.catalogue.binding(query)
      return nil
    } catch {
      return error.message
    }
  }

  /// What a plain note has excuses that value alone, and only where no kind is named that declares the field.
  @Test(arguments: [
    ("rating:good", nil), ("status:draft", nil), ("NOT status:draft", nil), ("status:=draft", nil),
    ("NOT rating:=good", nil), ("kind:note status:=draft", nil),
    ("status:=dra", nil),
    ("kind:issue status:=draft", "status: draft is not one of its values: open, closed"),
    ("kind:note rating:good", nil),
    ("kind:note group:admin", nil), ("kind:note status:draft", nil), ("rating:4,good", nil),
    ("rating:4..x", "rating: x is not a number"), ("rating:bad", "rating: bad is not a number"),
    ("rating:>good", "rating: good is not a number"), ("rating:..good", "rating: good is not a number"),
    ("kind:book rating:good", "rating: good is not a number"),
    ("kind:issue status:shut", "status: shut is not one of its values: open, closed"),
    ("kind:issue status:draft", "status: draft is not one of its values: open, closed"),
    ("kind:issue NOT status:draft", "status: draft is not one of its values: open, closed"),
    ("kind:issue status:completed", "status: completed is not one of its values: open, closed"),
    (
      "(kind:issue OR kind:book) status:draft",
      "status: draft is not one of its values: open, closed (issue) or on-shelf, in-progress, completed (book)"
    ),
    ("@issues (a OR status:draft)", "status: draft is not one of its values: open, closed"),
    ("group:Nope", "group: there is no group Nope"), ("group:admin", "group: there is no group admin"),
    ("kind:task group:admin", "group: there is no group admin"),
  ]) func aPlainNoteExcusesNoOtherValue(query: String, message: String?) {
    #expect(Self.mixedFault([query]) == message)
    #expect(Self.mixedFault(["(\(query))"]) == message)
    #expect(Self.mixedFault(query.split(separator: "¦").map(String.init)) == message)
    #expect(Self.mixedFault(["@f"], filters: ["f": query]) == message.map { "@f: " + $0 })
  }

  /// Values with blanks go on as far as they are known, wherever they stand.
  @Test(arguments: [
    ("stage:Last Call", "c"), ("stage:last call kind:bar", "c"), ("NOT stage:Last Call", "b g i n t"),
    ("stage:Open,Last Call", "c"), ("kind:bar NOT stage:Last Call", ""), ("stage:..Last Call", "c"),
    ("author:le guin", "b"), ("author:=Le Guin", ""), ("(author = Le Guin)", ""),
    ("author = Ursula Le Guin", "b"), ("author:=Ursula Le Guin", "b"),
    ("title = Bleak House", "b"), ("NOT title = Bleak House", "c g i n t"), ("tag:two words", "n"),
    ("+two words", "n"),
    ("-two words", "b c g i t"), ("mood:half asleep text", "n"), ("rating:3 text", "b"),
    ("priority:high text", "i"),
    ("kind:book text", "b"), ("rating:4 5", ""), ("tag:two text", ""),
  ]) func aValueGoesOnWhileItIsKnown(query: String, expected: String) throws {
    #expect(try Self.mixed.set(query) == expected)
    let all = "b c g i n t".split(separator: " ")
    let others = all.filter { !expected.split(separator: " ").contains($0) }.joined(separator: " ")
    #expect(try Self.mixed.set("NOT (\(query))") == others)
  }

  @Test(arguments: [
    ("author:guin text", "author:guin text is ambiguous"),
    ("NOT title:house text", "title:house text is ambiguous"),
    ("mood:half text kind:note", "mood:half text is ambiguous"),
    ("stage:Last text", "stage:Last text is ambiguous"),
    ("kind: book", "unexpected space after kind:"), ("due: tomorrow", "unexpected space after due:"),
    ("NOT due: tomorrow", "unexpected space after due:"),
    ("due: tomorrow kind:task", "unexpected space after due:"),
    ("stage:Last Cull", "stage:Last Cull is ambiguous"),
    ("kind:bar stage:Lost Call", "stage: Lost Call is not one of its values: Open, Last Call, Closed"),
  ]) func whatMayBeReadInTwoWaysIsRefused(query: String, message: String) {
    #expect(Self.mixedFault([query]) == message)
    #expect(Self.mixedFault(["(\(query))"]) == message)
    #expect(Self.mixedFault(["+x", query]) == message)
    #expect(Self.mixedFault(["@f"], filters: ["f": query]) == "@f: " + message)
  }

  @Test(arguments: [
    ("status:!open", "NOT status:open"), ("rating:!4", "NOT rating:4"), ("kind:!book", "NOT kind:book"),
    ("title:!x", "NOT title:x"), ("tag:!work", "NOT tag:work"), ("path:!Books/", "NOT path:Books/"),
    ("is:!active", "NOT is:active"), ("has:!due", "NOT has:due"), ("created:!today", "NOT created:today"),
    ("group:!Home", "NOT group:Home"), ("links:!Home", "NOT links:Home"), ("id:!kq", "NOT id:kq"),
    ("colour:!red", "NOT colour:red"), ("status:open,!closed", "NOT status:closed"),
    ("rating:!=4", "NOT rating:=4"),
    ("kind:!=book", "NOT kind:book"), ("author:!Guin", "NOT author:Guin"),
    ("!status:open", "NOT status:open"), ("!@issues", "NOT @issues"), ("!+work", "NOT +work"),
  ])
  func anExclamationMarkDoesNotNegate(term: String, form: String) {
    for arguments in [[term], ["x", term], ["(\(term))"], ["NOT \(term)"]] {
      let error = Self.fault(arguments)
      #expect(error?.hint == "write \(form)", "\(arguments)")
      #expect(error.map(Self.part) == term)
    }
    #expect(Self.fault(["@f"], filters: ["f": term])?.query == term)
  }

  @Test func exclamationMarksInTextStay() throws {
    for text in ["!", "wow!", "!important", "\"!status:open\"", "title:\"!x\"", "title:wow!"] {
      #expect(Self.fault([text]) == nil, "\(text)")
    }
  }

  @Test func numbersAndDatesAreEqualByValue() throws {
    #expect(try Self.box.set("rating:=4") == "b")
    #expect(
      try Self.box.set("due:=24.11.2026 OR due:=2026-11-24".replacing("24.11.2026", with: "20261124")) == "t")
    #expect(try Self.box.set("due:=\"nov 24\"") == "t")
  }

  @Test func aKindsOwnQueryIsHeldAgainstThatKindAlone() {
    let kinds = { (query: String) in
      let text = "active: \(query)\nfields:\n  state: {type: choice, values: [new, gone]}\n"
      return KindMatcher(Schema.reading([("thing.yaml", Array(text.utf8))]).schema, clock: clock).problems
    }
    #expect(kinds("NOT state:gone").isEmpty)
    #expect(
      kinds("NOT state:goen").map(\.error.message) == ["state: goen is not one of its values: new, gone"])
    #expect(kinds("due:garbage").map(\.error.message) == [])
    let match = Array("match: state:goen\nfields:\n  state: {type: choice, values: [new, gone]}\n".utf8)
    let problems = KindMatcher(Schema.reading([("thing.yaml", match)]).schema, clock: clock).problems
    #expect(problems.map(\.error.message) == ["state: goen is not one of its values: new, gone"])
  }
}

/// Dates in queries, in every form, at Saturday 2026-11-21, for fields that look ahead and back.
@Suite struct QueryDateTests {
  private static let box = KindBox([
    "d05": "kind: task\ndue: 2025-12-05\nfinished: 2025-12-05",
    "n09": "kind: task\ndue: 2026-11-09\nfinished: 2026-11-09",
    "n15": "kind: task\ndue: 2026-11-15\nfinished: 2026-11-15",
    "n20": "kind: task\ndue: 2026-11-20\nfinished: 2026-11-20",
    "n21": "kind: task\ndue: 2026-11-21\nfinished: 2026-11-21",
    "n24": "kind: task\ndue: 2026-11-24\nfinished: 2026-11-24",
    "n28": "kind: task\ndue: 2026-11-28\nfinished: 2026-11-28",
    "n30": "kind: task\ndue: 2026-11-30\nfinished: 2026-11-30",
    "x05": "kind: task\ndue: 2026-12-05\nfinished: 2026-12-05",
  ])

  @Test(arguments: [
    ("7d", "n21 n24 n28", "n15 n20 n21"), ("2w", "n21 n24 n28 n30 x05", "n09 n15 n20 n21"),
    ("+7d", "n28", "n28"), ("-6d", "n15", "n15"), ("today", "n21", "n21"), ("tomorrow", "", ""),
    ("next week", "n24 n28", "n24 n28"), ("last week", "n09 n15", "n09 n15"), ("next month", "x05", "x05"),
    ("dec 5", "x05", "d05"), ("5 dec", "x05", "d05"), ("5 dec 2025", "d05", "d05"),
    ("20261130", "n30", "n30"),
    ("2026-W49", "n30 x05", "n30 x05"), ("2026-W49-6", "x05", "x05"), ("2026-12", "x05", "x05"),
    ("sow..eow", "n20 n21", "n20 n21"),
    ("som..", "n09 n15 n20 n21 n24 n28 n30 x05", "n09 n15 n20 n21 n24 n28 n30 x05"),
    ("..7d", "d05 n09 n15 n20 n21 n24 n28", "d05 n09"),
    ("7d..", "n28 n30 x05", "n15 n20 n21 n24 n28 n30 x05"),
    (">7d", "n30 x05", "n15 n20 n21 n24 n28 n30 x05"), ("<7d", "d05 n09 n15 n20 n21 n24", "d05 n09"),
    ("friday", "", "n20"), ("saturday", "n21", "n21"), ("next saturday", "n28", "n28"),
    ("monday,friday", "", "n20"),
    ("\"dec 5\"..", "x05", "d05 n09 n15 n20 n21 n24 n28 n30 x05"), ("yesterday", "n20", "n20"),
  ])
  func dates(_ date: String, ahead: String, back: String) throws {
    let found = { (name: String) in
      try Self.box.found(["\(name):\(date)", "kind:task"]).split(separator: " ").sorted().joined(
        separator: " ")
    }
    #expect(try found("due") == ahead, "due:\(date)")
    #expect(try found("finished") == back, "finished:\(date)")
  }

  @Test(arguments: [
    ("last week", "2026-11-09..2026-11-15"), ("dec 5", "2025-12-05"), ("5 dec", "2025-12-05"),
    ("20261120", "2026-11-20"),
    ("2026-W46", "2026-11-09..2026-11-15"), ("this month", "2026-11"),
    ("nov 9..15 nov", "2026-11-09..2026-11-15"), ("last week..", "2026-11-09.."),
  ])
  func createdLooksBack(_ date: String, _ same: String) throws {
    let notes = ["2025-12-05", "2026-11-09", "2026-11-15", "2026-11-20", "2026-12-05"].map {
      entry("\($0).md", "---\ncreated: \($0)\n---\n")
    }
    let paths = { (term: String) in
      try QueryForms.ask([term]) { Catalogue(notes).matches($0, modified: \.created).map(\.entry.note.path) }
    }
    #expect(try paths("created:\(date)") == paths("created:\(same)"))
    #expect(try !paths("created:\(date)").isEmpty)
  }
}
