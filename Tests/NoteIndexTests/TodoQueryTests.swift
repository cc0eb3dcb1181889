import Bytes
import Notes
import SlipboxTesting
import Testing
import Text

@testable import NoteIndex

/// `is:todo`, `todo:` and `todo-due:` compared with a loop over the boxes of every note.
@Suite struct TodoQueryTests {
  private func entries(_ random: inout SplitMix64) -> [Entry] {
    let texts = [
      "buy milk", "Two eggs and bread 📅 2026-11-20", "call [due:: 2026-11-22]", "żółw @2026-11-21 #pets",
      "order", "milk due:2026-12-01", "`eggs two`",
    ]
    let lines = [
      "- [ ] ", "- [x] ", "  - [ ] ", "1. [-] ", "- ", "> - [ ] ", "", "* [X] ", "    [ ] ", "[ ] ",
      "```\n- [ ] ", "<!-- ",
    ]
    return (0..<12).map { number in
      var body = ""
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        body += (lines.randomElement(using: &random) ?? "") + (texts.randomElement(using: &random) ?? "")
        body += ["\n", "\n\n", "\r\n"].randomElement(using: &random) ?? ""
      }
      return entry("n\(number).md", "---\ntitle: N\(number)\n---\n\(body)")
    }
  }

  private func paths(_ catalogue: Catalogue, _ words: [String]) throws -> [String] {
    let query = try Query.parse(words, clock: clock)
    return catalogue.matches(query, modified: \.created).map {
      String(decoding: $0.entry.note.path, as: UTF8.self)
    }
    .sorted()
  }

  private func expected(_ entries: [Entry], _ isWanted: (String, CivilDate?) -> Bool) -> [String] {
    entries.filter { entry in
      let text = entry.note.textOrEmpty
      return CheckBox.all(in: text).contains { box in
        box.state == .open
          && isWanted(String(decoding: text.bytes[box.text], as: UTF8.self), box.due(in: text.bytes))
      }
    }.map { String(decoding: $0.note.path, as: UTF8.self) }.sorted()
  }

  @Test(arguments: 0..<8) func `queries equal a loop over all boxes`(part: Int) throws {
    var found = 0
    for seed in 0..<40 {
      var random = SplitMix64(seed: UInt64(part * 1_000 + seed))
      let entries = entries(&random)
      let half = Array(entries.dropLast(entries.count / 2))
      let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
      let halfHeld = ByteSlice(copying: SnapshotTests.snapshotBytes(half))
      let catalogues = [
        Catalogue(entries), Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: []),
        Catalogue(
          try SnapshotTests.stored(half, halfHeld), hiding: [],
          adding: Array(entries.suffix(entries.count / 2))),
      ]
      let day = { (text: String) in CivilDate(year: 2026, month: 11, day: Int(text) ?? 0) }
      let boxes = expected(entries) { _, _ in true }
      let all = entries.map { String(decoding: $0.note.path, as: UTF8.self) }.sorted()
      found += boxes.count
      for catalogue in catalogues {
        #expect(try paths(catalogue, ["is:todo"]) == boxes)
        #expect(try paths(catalogue, ["has:todo"]) == boxes)
        #expect(try paths(catalogue, ["NOT is:todo"]) == all.filter { !boxes.contains($0) })
        #expect(try paths(catalogue, ["todo:"]) == all.filter { !boxes.contains($0) })
        #expect(
          try paths(catalogue, ["todo:milk"]) == expected(entries) { text, _ in text.contains("milk") })
        #expect(
          try paths(catalogue, ["todo:zolw"]) == expected(entries) { text, _ in text.contains("żółw") })
        #expect(
          try paths(catalogue, ["todo:\"two eggs\",ord*"])
            == expected(entries) { text, _ in text.contains("Two eggs") || text.contains("order") })
        #expect(
          try paths(catalogue, ["NOT todo:milk"])
            == all.filter { !expected(entries) { text, _ in text.contains("milk") }.contains($0) })
        #expect(
          try paths(catalogue, ["todo-due:..2026-11-21"])
            == expected(entries) { _, due in due.map { $0 <= day("21")! } ?? false })
        #expect(
          try paths(catalogue, ["todo-due >= 2026-11-21"])
            == expected(entries) { _, due in due.map { $0 >= day("21")! } ?? false })
        #expect(try paths(catalogue, ["has:todo-due"]) == expected(entries) { _, due in due != nil })
        #expect(
          try paths(catalogue, ["todo-due:"]) == expected(entries) { _, due in due == nil })
        #expect(
          try paths(catalogue, ["NOT has:todo-due"])
            == all.filter { !expected(entries) { _, due in due != nil }.contains($0) })
      }
    }
    #expect(found > 50)
  }

  @Test(arguments: [
    ("is:todo", "is:todo"), ("TODO:milk", "todo:milk"), ("todo:\"two eggs\",b", "todo:\"two eggs\",b"),
    ("has:todo", "NOT todo:"), ("todo-due:..today", "todo-due:..today"),
    ("todo-due:<friday", "todo-due:<friday"),
    ("has:todo-due", "has:todo-due"), ("todo-due:", "todo-due:"),
  ]) func `reads its own description`(text: String, expected: String) throws {
    let query = try Query.parse(text: text, clock: clock)
    #expect(query.described() == expected)
    #expect(try Query.parse(text: expected, clock: clock).described() == expected)
    #expect(query.fieldNames == [])
  }

  @Test(arguments: [
    ("is:todos", "is:todos is not known"), ("todo:a,,b", "a value is missing beside the comma"),
    ("todo-due:soonish", "soonish is not a date"), ("todo:!milk", "! does not mean NOT here"),
    ("has:todo,due", "has:todo can't be one of several"),
  ]) func `refuses values that can't be read`(text: String, message: String) {
    let error = #expect(throws: QueryError.self) { try Query.parse(text: text, clock: clock) }
    #expect(error?.message == message)
  }

  @Test func `relative dates look ahead`() throws {
    let query = try Query.parse(["todo-due:2d"], clock: clock)
    #expect(query.mayDependOnTime)
    let due = clock.today.adding(days: 1)
    let catalogue = Catalogue([entry("a.md", "- [ ] x due:\(due)\n"), entry("b.md", "- [x] x due:\(due)\n")])
    #expect(try paths(catalogue, ["todo-due:2d"]) == ["a.md"])
  }

  @Test(
    arguments: [
      ("todo:milk", [1, 3]), ("todo:milk todo-due:2026-11-20", [3]), ("todo:milk OR todo:eggs", [1, 2, 3]),
      ("todo:milk OR todo:nothing", [1, 3]), ("NOT todo:milk", [2, 4]), ("NOT (todo:milk OR todo:eggs)", [4]),
      ("todo:milk OR title:Other", [1, 3]), ("todo:milk OR title:List", [1, 2, 3, 4]),
      ("NOT title:List", []), ("is:todo", [1, 2, 3, 4]), ("NOT is:todo", []), ("", [1, 2, 3, 4]),
      ("todo-due:", [1, 4]), ("has:todo-due", [2, 3]), ("NOT todo-due:", [2, 3]), ("todo:", []),
      ("has:todo", [1, 2, 3, 4]),
    ] as [(String, [Int])])
  func `selects the boxes that the whole query names`(text: String, expected: [Int]) throws {
    let body = "- [ ] milk\n- [ ] eggs due:2026-11-20\n- [/] milk due:2026-11-20\n- [ ] rest\n- [x] milk\n"
    let entry = entry("list.md", "---\ntitle: List\n---\n\(body)")
    let query = try Query.parse(text: text, clock: clock)
    let found = Catalogue([entry]).matches(query.withOpenBoxes, modified: \.created)
    let lines = found.flatMap { match in
      match.entry.note.boxes
        .filter { $0.state == .open && query.selects($0, of: match.entry) }.map { $0.line - 3 }
    }
    #expect(lines == expected)
  }

  @Test(arguments: [
    ("todo:milk", ["a.md"]), ("todo-due:2026-11-20", ["b.md"]), ("is:todo", ["a.md", "b.md"]),
  ])
  func `searches only notes with such an open box`(text: String, expected: [String]) throws {
    let catalogue = Catalogue([
      entry("a.md", "- [ ] milk\n"), entry("b.md", "- [ ] eggs due:2026-11-20\n"),
      entry("c.md", "- [x] milk\n"),
    ])
    let query = try Query.parse(text: text, clock: clock)
    #expect(catalogue.matches(query.withOpenBoxes, modified: \.created).map(\.entry.name) == expected)
  }

  @Test func `selects ticked boxes by their text`() throws {
    let entry = entry("list.md", "---\ntitle: List\n---\n- [x] milk\n- [x] eggs\n")
    let query = try Query.parse(text: "todo:milk", clock: clock)
    #expect(Catalogue([entry]).matches(query.withBoxes, modified: \.created).count == 1)
    #expect(entry.note.boxes.filter { query.selects($0, of: entry) }.map(\.line) == [4])
  }
}
