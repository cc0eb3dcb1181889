import Text

/// The kinds that a box knows.
package struct Schema: Sendable {
  /// The built-in kinds first, then the box's own by name.
  package let kinds: [Kind]
  /// The kinds whose file has a mistake, each with the first one: their records can be read, but not written.
  package private(set) var faults: [KindFault]

  /// The kinds that need no declaration.
  package static let builtIn = Schema(kinds: builtInKinds)

  /// The places of many kinds by name, as they are written and in lower case; nil if a look at each is quicker.
  private let places: [[UInt8]: Int]?
  private static let mostToLookAt = 32

  package init(kinds: [Kind], faults: [KindFault] = []) {
    self.kinds = kinds
    self.faults = faults
    guard kinds.count > Self.mostToLookAt else {
      places = nil
      return
    }
    // A name as it is written comes before one that differs in case.
    var places: [[UInt8]: Int] = [:]
    for (place, kind) in kinds.enumerated() where places[Array(kind.name.utf8)] == nil {
      places[Array(kind.name.utf8)] = place
    }
    for (place, kind) in kinds.enumerated() where places[KindNames.key(kind.name)] == nil {
      places[KindNames.key(kind.name)] = place
    }
    self.places = places
  }

  /// Takes note of more kinds with a mistake.
  package mutating func add(_ more: [KindFault]) { faults += more }

  /// Whether a kind declares urgency.
  package var knowsUrgency: Bool { kinds.contains { !$0.urgency.isEmpty } }

  /// Returns the mistake in the file of a kind; nil if there is none.
  package func fault(ofKind name: String) -> KindFault? { faults.first { $0.kind.isSameName(as: name) } }

  /// Returns the kind of a name, without regard to case; nil for an undeclared one.
  package func kind(named name: String) -> Kind? {
    if let places { return (places[Array(name.utf8)] ?? places[KindNames.key(name)]).map { kinds[$0] } }
    return kinds.first { $0.name.hasSameBytes(as: name) } ?? kinds.first { $0.name.isSameName(as: name) }
  }

  /// Returns the kind of a name, or a plain kind without fields for an undeclared name.
  package func kindOrPlain(named name: String) -> Kind { kind(named: name) ?? Kind(name) }

  /// The names of all actions of all kinds, each once, in alphabetical order.
  package var actionNames: [String] { Set(kinds.flatMap { $0.actions.map(\.name) }).sorted() }

  /// The fields by which records refer to those of a kind.
  package func references(to kind: String) -> [(kind: Kind, field: Field)] {
    kinds.flatMap { referrer in
      referrer.fields.filter { $0.target?.isSameName(as: kind) == true }.map { (referrer, $0) }
    }
  }
}

/// The names of many kinds, found without regard to case.
struct KindNames {
  /// Above this many names no other one is suggested: each look takes in all of them.
  private static let mostForSuggestions = 500

  private let all: [String]
  private let keys: Set<[UInt8]>

  init(_ names: [String]) {
    all = names
    keys = Set(names.map(Self.key))
  }

  /// A key that is equal for names that differ in case only.
  static func key(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }

  /// Whether a kind has a name.
  func contain(_ name: String) -> Bool { keys.contains(Self.key(name)) }

  /// The name most like another one, but for one that is left out.
  func nearest(to name: String, except left: String? = nil) -> String? {
    guard all.count <= Self.mostForSuggestions else { return nil }
    return Spelling.nearest(to: name, among: all.filter { $0 != left })
  }
}

/// A kind that can't be used because of a mistake in its file.
package struct KindFault: Equatable, Sendable {
  /// The kind, as its file is named.
  package let kind: String
  /// The file, the line and the problem, on one line, escaped for a terminal.
  package let message: String

  package init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}

// MARK: Built in

extension Schema {
  /// The table of the built-in kinds, in the form that `.slipbox/kinds/NAME.yaml` is read into.
  static var builtInKinds: [Kind] { [note, issue, book, group, task] }

  private static var note: Kind {
    Kind(
      "note", comment: "a plain note",
      fields: [Field("title", .text), Field("created", .moment, looksBack: true), Field("tags", .tags)],
      sort: "-created",
      row: [RowColumn(.field("created")), RowColumn(.field("title")), RowColumn(.field("tags"))])
  }

  private static var issue: Kind {
    Kind(
      "issue", comment: "a problem to solve",
      fields: [
        Field("title", .text),
        Field("priority", .choice, values: ["low", "medium", "high"], defaultValue: "medium"),
        Field("status", .choice, values: ["open", "closed"], defaultValue: "open"),
        Field("closed", .date, looksBack: true),
        Field("tags", .tags),
      ],
      transitions: [
        Transition("status", to: ["closed"], [.set("closed", to: "today")]),
        Transition("status", to: ["open"], [.clear("closed")]),
      ],
      actions: [Action("close", ["status:closed"]), Action("reopen", ["status:open"])],
      active: "status:open", sort: "title,created",
      row: [
        RowColumn(.field("priority"), symbols: [.init("high", "!")]),
        RowColumn(.field("title")),
        RowColumn(.field("tags"), empty: "No tags"),
        RowColumn(.field("created")),
        RowColumn(.field("status"), symbols: [.init("closed", "CLOSED")]),
      ])
  }

  private static var book: Kind {
    Kind(
      "book", comment: "a book to read, with its summary as text",
      fields: [
        Field("title", .text, isRequired: true, isNotEmpty: true),
        Field("author", .text, isRequired: true, isNotEmpty: true),
        Field("rating", .integer, minimum: 1, maximum: 5),
        Field("status", .choice, values: ["on-shelf", "in-progress", "completed"], defaultValue: "on-shelf"),
        Field("added", .date, defaultValue: "today", looksBack: true),
        Field("started", .date, looksBack: true),
        Field("completed", .date, looksBack: true),
        Field("readings", .text, isList: true, comment: "earlier readings, each as STARTED..COMPLETED"),
      ],
      constraints: [
        .order(["added", "started", "completed"]),
        .only("started", where: "status", values: ["in-progress", "completed"]),
        .only("completed", where: "status", values: ["completed"]),
      ],
      transitions: bookTransitions,
      actions: [
        Action("shelve", ["status:on-shelf"]), Action("start", ["status:in-progress"]),
        Action("finish", ["status:completed"]),
      ],
      active: "NOT status:completed", sort: "title",
      row: [
        RowColumn(
          .field("status"),
          symbols: [
            .init("on-shelf", "○", ascii: "-"), .init("in-progress", "◐", ascii: ">"),
            .init("completed", "●", ascii: "x"),
          ]),
        RowColumn(.field("title")), RowColumn(.field("author")), RowColumn(.field("rating"), isStars: true),
      ])
  }

  private static var bookTransitions: [Transition] {
    [
      Transition(
        "status", from: ["completed"], to: ["on-shelf"],
        [.append("readings", from: ["started", "completed"]), .clear("started"), .clear("completed")]),
      Transition(
        "status", from: ["in-progress"], to: ["on-shelf"], [.clear("started"), .clear("completed")]),
      Transition(
        "status", from: ["completed"], to: ["in-progress"],
        [
          .append("readings", from: ["started", "completed"]), .set("started", to: "today"),
          .clear("completed"),
        ]),
      Transition("status", from: ["on-shelf"], to: ["in-progress"], [.set("started", to: "today")]),
      Transition(
        "status", from: ["on-shelf"], to: ["completed"],
        [.set("completed", to: "today"), .copy("started", from: "added")]),
      Transition("status", from: ["in-progress"], to: ["completed"], [.set("completed", to: "today")]),
    ]
  }

  private static var group: Kind {
    Kind(
      "group", comment: "a group of tasks", fields: [Field("title", .text)], sort: "title",
      row: [RowColumn(.field("title")), RowColumn(.count(of: "task"), label: ["task", "tasks"])])
  }
}

extension Schema {
  static var task: Kind {
    Kind(
      "task", comment: "a thing to do", fields: taskFields,
      transitions: [
        Transition("done", to: ["true"], [.set("finished", to: "today")]),
        Transition("done", to: ["false"], [.clear("finished")]),
        Transition(
          "done", from: ["false"], to: ["true"],
          [
            .next(
              Succession(
                by: "recur", moves: ["due", "scheduled", "wait"], until: "until",
                clears: ["my-day", "finished"]))
          ]),
      ],
      actions: [
        Action("finish", ["done:true"]), Action("reopen", ["done:false"]), Action("today", ["my-day:today"]),
        Action("not-today", ["my-day:"]),
      ],
      active: "done:false", waiting: "wait:tomorrow..", sort: "done,-priority,due,created",
      urgency: taskUrgency, row: taskRow)
  }

  private static var taskFields: [Field] {
    [
      Field("title", .text),
      Field("priority", .choice, values: ["none", "low", "medium", "high"], defaultValue: "none"),
      Field("done", .boolean, defaultValue: "false"),
      Field("finished", .date, looksBack: true),
      Field("my-day", .date, comment: "the day on which it is in My Day"),
      Field("due", .date),
      Field("scheduled", .date, comment: "the day on which you want to begin"),
      Field("group", .reference, target: "group", onDelete: .deny),
      Field("wait", .date, comment: "hidden until that day"),
      Field(
        "depends", .reference, isList: true, target: "task", onDelete: .detach, isBlocking: true,
        comment: "tasks that must be done first"),
      Field("recur", .recurrence, comment: "finishing the task creates the next one"),
      Field("until", .date, comment: "the last day on which it recurs"),
    ]
  }

  /// Weights similar to those of taskwarrior: marked, due and blocking tasks first.
  private static var taskUrgency: [UrgencyTerm] {
    [
      ("+next", 1500), ("due:..today", 600), ("due:..7d", 400), ("due:..14d", 200), ("is:blocking", 800),
      ("priority:high", 600), ("priority:medium", 390), ("priority:low", 180), ("my-day:..today", 400),
      ("has:group", 100), ("has:tag", 80), ("created:..-90d", 50), ("created:..-1y", 150),
      ("is:waiting", -300), ("is:blocked", -500),
    ].map { UrgencyTerm($0.0, Weight(hundredths: $0.1)) }
  }

  private static var taskRow: [RowColumn] {
    [
      RowColumn(
        .field("done"),
        symbols: [
          .init("is:waiting", "◷", ascii: "[~]"), .init("is:blocked", "⊠", ascii: "[-]"),
          .init("false", "☐", ascii: "[ ]"), .init("true", "☑", ascii: "[x]"),
        ]),
      RowColumn(
        .field("priority"), symbols: [.init("low", "!"), .init("medium", "!!"), .init("high", "!!!")]),
      RowColumn(.field("title")), RowColumn(.field("group")), RowColumn(.field("due")),
      RowColumn(.field("recur")), RowColumn(.field("wait"), state: .waiting),
    ]
  }
}
