import NoteIndex
import Testing

/// Fields are compared by the type that the note's kind declares.
@Suite struct KindFieldTests {
  private static let box = KindBox([
    "plain": "priority: high\nstatus: open",
    "odd": "kind: recipe\npriority: medium\ndone: yes",
    "i-low": "kind: issue\npriority: low\nstatus: closed",
    "i-none": "kind: issue",
    "i-high": "kind: Issue\npriority: HIGH\nstatus: Open",
    "i-wrong": "kind: issue\npriority: urgent",
    "t-none": "kind: task",
    "t-done": "kind: task\ndone: Yes\nfinished: 2026-11-20\npriority: low",
    "t-due": "kind: task\ndue: 2026-11-20\npriority: medium\ngroup: '[[bcdfghjk|Home]]'",
    "t-later": "kind: task\ndue: 2026-11-27T08:00:00+01:00\nmy-day: 2026-11-21\ndone: false",
    "b-some": "kind: book\nauthor: Ursula K. Le Guin\nrating: 04\nstatus: in-progress\nadded: 2026-11-16",
    "b-many": "kind: book\nauthor: '2026-11'\nrating: 9\nstatus: completed",
  ])

  @Test(arguments: [
    // A missing field counts as its default, and not only where it is compared.
    ("priority:medium", "i-none odd t-due"),
    ("kind:issue priority:medium", "i-none"),
    ("kind:task priority:none", "t-later t-none"),
    ("status:open", "i-high i-none i-wrong plain"),
    ("kind:issue has:priority", "i-high i-low i-none i-wrong"),
    ("kind:issue priority:", ""),
    ("kind:task due:", "t-done t-none"),
    ("kind:task has:due,priority", "t-done t-due t-later t-none"),
    ("kind:book has:rating", "b-many b-some"),
    ("kind:issue priority:*", "i-high i-low i-none i-wrong"),
    // Choices: by their names, else by the words in them, and in the order of the declaration.
    ("priority:high", "i-high plain"),
    ("status:progress", "b-some"),
    ("status:in*", "b-some"),
    ("kind:book status:on-shelf,completed", "b-many"),
    ("kind:issue priority:medium..high", "i-high i-none"),
    ("kind:task priority:medium..high", "t-due"),
    ("kind:task priority:low..", "t-done t-due"),
    ("kind:issue priority:..medium", "i-low i-none"),
    ("kind:issue priority:>low", "i-high i-none"),
    ("kind:issue priority:<=low", "i-low"),
    ("kind:issue priority:>=medium,x", ""),
    ("kind:issue priority:<low", ""),
    ("kind:issue priority:>high", ""),
    ("kind:issue priority:high..low", ""),
    ("kind:issue priority:low..rocket", ""),
    ("kind:issue priority:=High", "i-high"),
    ("kind:issue NOT priority:low", "i-high i-none i-wrong"),
    // A value that is not of the type is found by its words, and lies in no range of choices.
    ("priority:urgent", "i-wrong"),
    // Booleans.
    ("done:true", "t-done"),
    ("done:yes", "odd t-done"),
    ("kind:task done:no", "t-due t-later t-none"),
    ("kind:task done:>false", "t-done"),
    ("kind:task done:tr", ""),
    // Dates, with the direction of the field.
    ("due:..yesterday", "t-due"),
    ("due:friday", "t-later"),
    ("due:2026-11", "t-due t-later"),
    ("finished:friday", "t-done"),
    ("finished:7d", "t-done"),
    ("my-day:today", "t-later"),
    ("added:sow..", "b-some"),
    // Integers; one out of range can still be found.
    ("rating:4", "b-some"),
    ("rating:4..", "b-many b-some"),
    ("rating:2026", ""),
    // Text is text, whatever it looks like.
    ("author:2026", "b-many"),
    ("author:le*guin", "b-some"),
    ("author:2026-11-01", ""),
    // References, with or without brackets.
    ("group:bcdfghjk", "t-due"),
    ("group:=bcdfghjk", "t-due"),
    ("group:home", ""),
    // Names of fields do not depend on case.
    ("Priority:HIGH", "i-high plain"),
  ])
  func fields(_ query: String, _ expected: String) throws {
    #expect(try Self.box.set(query) == expected, "\(query)")
  }

  @Test func `a query is described as it was typed, and no declared field is unknown`() throws {
    let texts = [
      "priority:medium..high", "due:friday", "has:priority,due", "status:", "group:\"a b\"",
      "is:active", "author:le AND author:guin",
    ]
    for text in texts {
      let query = try Query.parse(text: text, clock: clock, schema: Self.box.schema)
      #expect(query.described() == text)
    }
    let query = try Query.parse(["priority:high my-day:x colour:red"], clock: clock)
    #expect(query.fieldNames == ["priority", "my-day", "colour"])
    #expect(Catalogue([]).unknownFields(of: query) == ["colour"])
  }

  /// A kind with a field of every type, each also as a list.
  private static let everyType = KindBox(
    kinds: [
      "thing": """
      active: NOT state:gone
      sort: -state,count
      fields:
        name: text
        nick: {type: text, default: nobody special}
        count: {type: integer, default: "7"}
        flag: {type: boolean, default: "true"}
        day: {type: date, looks: back}
        at: {type: moment, looks: back}
        state: {type: choice, values: [new, in use, worn out, gone], default: new}
        labels: tags
        owner: {type: reference, to: thing}
        counts: list of integer
        days: list of date
        states: {type: list of choice, values: [a, b, c]}
        owners: {type: list of reference, to: thing, commas: true}
      """
    ],
    [
      "empty": "kind: thing",
      "full":
        """
      kind: thing
      name: "1.10"
      nick: boss
      count: 3
      flag: off
      day: 2026-11-20
      at: 2026-11-20T23:30:00-05:00
      state: Worn Out
      labels: [Zażółć, b/c]
      owner: "[[empty]]"
      counts: [1, 20]
      days: 2026-01-01, 2026-02-01
      states: b, c
      owners: 2718, 2930
      """,
    ])

  @Test(arguments: [
    ("name:1.10", "full"), ("name:1.1", ""), ("name:1.0..1.2", "full"), ("name:9..", ""),
    ("nick:special", "empty"), ("nick:boss", "full"), ("nick:=\"nobody special\"", "empty"), ("nick:", ""),
    ("count:7", "empty"), ("count:..5", "full"), ("count:>2", "empty full"),
    ("flag:on", "empty"), ("flag:false", "full"), ("has:flag", "empty full"),
    ("day:friday", "full"), ("day:7d", "full"), ("day:today", ""), ("at:2026-11-20", "full"),
    ("state:new", "empty"), ("state:\"in use\"..gone", "full"), ("state:worn", "full"),
    ("state:<gone", "empty full"), ("labels:zazolc", "full"), ("owner:empty", "full"),
    ("counts:20", "full"), ("counts:2..10", ""), ("counts:10..", "full"),
    ("days:2026-02", "full"), ("days:2026-03..", ""), ("states:c", "full"), ("states:<b", ""),
    ("owners:2718", "full"), ("owners:2930,1", "full"), ("owners:=2718", "full"), ("owners:271", ""),
    ("owners:27*", "full"), ("owners:2900..3000", "full"), ("owners:3000..4000", ""),
  ])
  func types(_ query: String, _ expected: String) throws {
    #expect(try Self.everyType.set(query) == expected, "\(query)")
  }

  @Test func `an argument with blanks is compared as a whole with choices`() throws {
    #expect(try Self.everyType.found(["state:worn out"]) == "full")
    #expect(try Self.everyType.found(["state:out worn"]) == "full")
  }
}
