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
                by: "recur", moves: ["due", "wait"], until: "until", clears: ["my-day", "finished"]))
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
      Field("group", .reference, target: "group", onDelete: .deny),
      Field("wait", .date, comment: "hidden until that day"),
      Field(
        "depends", .reference, isList: true, target: "task", onDelete: .detach, isBlocking: true,
        comment: "tasks that must be done first"),
      Field("recur", .recurrence, comment: "finishing the task creates the next one"),
      Field("until", .date, comment: "the last day on which it recurs"),
    ]
  }

  /// Much as taskwarrior weighs: what is marked, due or in the way of others first.
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
