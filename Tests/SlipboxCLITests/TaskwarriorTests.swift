import Foundation
import SlipboxTesting
import Testing

/// Tasks go from taskwarrior to slip and back, and are what they were.
@Suite struct TaskwarriorTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.slip("init", "-q", "box")
  }

  /// The tasks of an export by their names, without what taskwarrior works out.
  private func tasks(_ text: String) throws -> [String: NSDictionary] {
    let objects = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    var tasks: [String: NSDictionary] = [:]
    for var object in objects {
      for name in ["id", "urgency", "modified"] { object[name] = nil }
      tasks[try #require(object["uuid"] as? String)] = object as NSDictionary
    }
    return tasks
  }

  private func expectSame(_ one: [String: NSDictionary], _ other: [String: NSDictionary]) {
    #expect(Set(one.keys) == Set(other.keys))
    for (uuid, task) in one {
      let back = other[uuid] ?? [:]
      for key in Set((task.allKeys + back.allKeys).compactMap { $0 as? String }).sorted()
      where (task[key] as? NSObject) != (back[key] as? NSObject) {
        Issue.record(
          "\(task["description"] ?? "") \(key): \(task[key] ?? "none") became \(back[key] ?? "none")")
      }
    }
  }

  private static let uuid = "8a2a0a0e-0001-4b5b-9c6e-1f00000000"

  private static func task(_ number: Int, _ fields: String) -> String {
    let name = "\(uuid)\(number + 10)"
    return #"{"uuid":"\#(name)","description":"Task \#(number)","entry":"20261101T093015Z",\#(fields)}"#
  }

  /// Attributes of every sort, such that each has a part that could be lost.
  private static let all = [
    task(
      1,
      #""status":"pending","due":"20261204T173000Z","client":"Acme, Inc.","estimate":"3.5","effort":"PT2H""#),
    task(
      2,
      #""status":"waiting","wait":"20270130T091500Z","scheduled":"20261201T070000Z","until":"20270131T235959Z""#
    ),
    task(
      3,
      #""status":"pending","depends":["\#(uuid)11","\#(uuid)12"],"tags":["x","y"],"priority":"M","project":"A.b","title":"t""#
    ),
    task(
      4,
      #""status":"completed","end":"20261121T081530Z","recur":"weekly","due":"20261120T230000Z","parent":"\#(uuid)99","imask":"0","rtype":"periodic""#
    ),
    task(
      5,
      #""status":"pending","recur":"weekly","due":"20261127T230000Z","parent":"\#(uuid)99","imask":"1","rtype":"periodic""#
    ),
    task(
      6,
      #""status":"pending","recur":"weekly","due":"20261204T230000Z","parent":"\#(uuid)99","imask":"2","rtype":"periodic""#
    ),
    task(7, #""status":"recurring","recur":"monthly","due":"20261130T230000Z","mask":"","rtype":"periodic""#),
    task(
      8,
      #""status":"pending","recur":"12hours","due":"20261123T080000Z","parent":"\#(uuid)98","imask":"7","rtype":"periodic""#
    ),
    task(
      9,
      #""status":"pending","start":"20261122T101112Z","annotations":[{"entry":"20261121T080000Z","description":"first: a"},{"entry":"20261121T080007Z","description":"two\nlines"},{"entry":"20261121T230000Z","description":"- 2026-11-22: dated"}]"#
    ),
    task(10, #""status":"pending","priority":"X","reviewed":"2026-11-20","slash":"a/b\\c \"q\"""#),
  ]

  /// Through slip and back, with nothing in between.
  @Test func everyAttributeComesBack() throws {
    let text = "[\n\(Self.all.joined(separator: ",\n"))\n]\n"
    try shell.folder.write("tasks.json", text)
    #expect(try shell.sh("cd box && slip import ../tasks.json").status == 0)
    let back = try shell.sh("cd box && slip export taskwarrior kind:task").output
    // An empty mask is none.
    expectSame(try tasks(text.replacing(#""mask":"","#, with: "")), try tasks(back))
    try shell.folder.write("back.json", back)
    let again = try shell.sh("cd box && slip import ../back.json && slip doctor && git log --oneline | wc -l")
    #expect(
      again.status == 0 && again.output.hasSuffix("2\n") && again.errors.contains("10 notes unchanged"),
      "\(again)")
  }

  /// What slip says more of how often something comes again is not lost on the way, and nothing is doubled.
  @Test func recurrencesOfSlipComeBack() throws {
    for (number, recur) in ["+2w", "monthly on 31", "weekdays", "6m", "daily"].enumerated() {
      try shell.sh(
        "cd box && FIXED_SEED=\(number + 70) slip new task 'R \(number)' due:2026-12-31 'recur:\(recur)' -q")
    }
    let out = try shell.sh("cd box && slip export taskwarrior").output
    // Each series is there, so that taskwarrior makes the next instances.
    let exported = try tasks(out).values
    for task in exported where task["status"] as? String == "pending" {
      let series = exported.first { $0["uuid"] as? String == task["parent"] as? String }
      #expect(
        series?["status"] as? String == "recurring" && series?["recur"] as? String == task["recur"] as? String
      )
    }
    try shell.folder.write("out.json", out)
    try shell.sh("slip init -q other && cd other && slip import ../out.json")
    let listing = "slip list kind:task sort:title --format '{title} {due} {recur}'"
    #expect(try shell.sh("cd other && \(listing)").output == (try shell.sh("cd box && \(listing)").output))
    expectSame(try tasks(out), try tasks(try shell.sh("cd other && slip export taskwarrior").output))
    // Back in its own box each is known, although no import has made it.
    let back = try shell.sh("cd box && slip import ../out.json; slip list --count")
    #expect(back.output == "5\n" && back.errors.hasPrefix("5 notes unchanged"), "\(back)")
  }

  /// What slip made next of an instance stands for the recurring task, which does not come as another one.
  @Test func aFinishedSeriesIsNotDoubled() throws {
    let parent = #""parent":"\#(Self.uuid)17""#
    let tasks = [
      Self.task(
        7, #""status":"recurring","recur":"weekly","due":"20261119T230000Z","mask":"-","rtype":"periodic""#),
      Self.task(5, #""status":"pending","recur":"weekly","due":"20261119T230000Z","imask":"0",\#(parent)"#),
    ]
    try shell.folder.write("tasks.json", "[\(tasks.joined(separator: ","))]")
    try shell.sh("cd box && slip import ../tasks.json && slip finish 'Task 5'")
    try shell.folder.write("done.json", "[\(tasks[0]),\(tasks[1].replacing("pending", with: "completed"))]")
    let again = try shell.sh(
      "cd box && slip import ../done.json; slip list kind:task --format '{title} {done} {due}'")
    #expect(again.output == "Task 5 false 2026-11-27\nTask 5 true 2026-11-20\n", "\(again)")
    #expect(
      again.errors.contains("1 recurring task is skipped: the box has the tasks created from it"), "\(again)")
    // It leaves as the next instance of the series, which leaves beside it with the states of both.
    let exported = try shell.sh("cd box && slip export taskwarrior").output
    let out = try self.tasks(exported)
    let next = try #require(out.values.first { $0["status"] as? String == "pending" })
    #expect(next["parent"] as? String == "\(Self.uuid)17" && next["imask"] as? String == "1", "\(next)")
    let series = try #require(out["\(Self.uuid)17"])
    #expect(series["status"] as? String == "recurring" && series["mask"] as? String == "+-", "\(series)")
    let done = try #require(out["\(Self.uuid)15"])
    #expect(
      done["status"] as? String == "completed" && done["parent"] as? String == "\(Self.uuid)17", "\(done)")
    #expect(out.count == 3)
    try shell.folder.write("out.json", exported)
    let back = try shell.sh("cd box && slip import ../out.json; slip list --count")
    #expect(back.output == "2\n" && back.errors.hasPrefix("2 notes unchanged"), "\(back)")
  }

  /// Words of the user's own between the annotations go out with them and are not doubled when they come back.
  @Test func wordsDoNotMultiply() throws {
    try shell.folder.write("tasks.json", "[\(Self.all[8])]")
    try shell.sh(
      "cd box && slip import ../tasks.json && slip append 'Task 9' 'My own words.' && slip append 'Task 9' '- an item'"
    )
    let before = try shell.sh("cd box && slip show 'Task 9' --raw").output
    for _ in 1...3 {
      try shell.sh("cd box && slip export taskwarrior -o ../out.json && slip import ../out.json")
    }
    #expect(try shell.sh("cd box && slip show 'Task 9' --raw").output == before)
    let out = try shell.sh("cd box && slip export taskwarrior").output
    #expect(out.components(separatedBy: "\"entry\"").count == 7, "\(out)")
  }

  /// Blocking, recurrence and dates of a kind of the user's own, under names of its own.
  @Test func aKindOfOnesOwnHasThemToo() throws {
    try shell.folder.write(
      "box/.slipbox/kinds/chore.yaml",
      """
      fields:
        on: date
        state: {type: choice, values: [todo, done], default: todo}
        every: recurrence
        after: {type: list of reference, to: chore, blocking: true}
        effort: integer
      transitions:
        - field: state
          from: todo
          to: done
          next: {by: every, move: [on]}
      actions:
        tick: state:done
      active: state:todo
      """)
    let kinds = try shell.sh("cd box && slip kinds chore")
    #expect(kinds.status == 0, "\(kinds.errors)")
    try shell.sh(
      "cd box && slip new chore First on:2026-12-01 every:+2w effort:3 -q && FIXED_SEED=7 slip new chore Second after:First -q"
    )
    let tasks = try tasks(try shell.sh("cd box && slip export taskwarrior").output)
    let first = try #require(
      tasks.values.first { $0["description"] as? String == "First" && $0["status"] as? String == "pending" })
    let second = try #require(tasks.values.first { $0["description"] as? String == "Second" })
    #expect(first["due"] as? String == "20261130T230000Z" && first["recur"] as? String == "2w")
    #expect(first["sliprecur"] as? String == "+2w" && first["effort"] as? Int == 3)
    #expect(first["status"] as? String == "pending" && first["state"] == nil)
    #expect(second["depends"] as? [String] == [try #require(first["uuid"] as? String)])
  }

  @Test(.enabled(if: Machine.has("task"), "needs taskwarrior")) func taskwarriorHasTheSameAgain() throws {
    try shell.folder.write(
      "taskrc",
      "data.location=\(shell.folder.path)/tw\nconfirmation=off\nverbose=nothing\nuda.estimate.type=numeric\n"
        + "uda.client.type=string\nuda.reviewed.type=date\nuda.effort.type=duration\n")
    let task = "TASKRC=\(shell.folder.path)/taskrc task"
    let made = try shell.sh(
      """
      mkdir tw
      \(task) add 'Write the offer' project:Work.Sales due:2026-12-04T17:30 estimate:3.5 client:'Acme, Inc.' \
      reviewed:2026-11-20 effort:2h +offer priority:H
      \(task) add 'Call Ada' depends:1 wait:2027-01-30T09:15 until:2027-02-28 scheduled:2027-01-01
      \(task) add Backup due:2026-11-20 recur:weekly
      \(task) add Pills due:2026-12-23T08:00 recur:12hours
      \(task) add Standup due:2026-12-24T09:30 recur:weekdays
      \(task) list
      \(task) 1 annotate 'Asked: the price'
      \(task) 2 done
      """)
    let before = try shell.sh("\(task) export").output
    #expect(try tasks(before).count > 6, "\(made)")
    try shell.folder.write("tasks.json", before)
    #expect(try shell.sh("cd box && slip import ../tasks.json").status == 0)
    for _ in 1...2 {
      try shell.sh("cd box && slip export taskwarrior kind:task -o ../out.json && \(task) import ../out.json")
      let after = try shell.sh("\(task) export").output
      expectSame(try tasks(before), try tasks(after))
      try shell.folder.write("tasks.json", after)
      let again = try shell.sh("cd box && slip import ../tasks.json && git log --oneline | wc -l")
      #expect(again.output == "2\n", "\(again)")
    }
  }
}
