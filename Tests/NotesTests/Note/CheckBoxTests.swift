import Testing

@testable import Notes

@Suite struct CheckBoxTests {
  private func boxes(_ text: String) -> [String] {
    let note = NoteText(Array(text.utf8))
    return CheckBox.all(in: note).map { box in
      "\(box.line) \(box.state.rawValue) \(String(decoding: note.bytes[box.text], as: UTF8.self))"
    }
  }

  @Test(
    arguments: [
      ("- [ ] a\n- [x] b\n* [X] c\n+ [-] d\n", ["1 open a", "2 done b", "3 done c", "4 other d"]),
      ("1. [ ] a\n2) [ ] b\n", ["1 open a", "2 open b"]),
      ("---\ntitle: T\n---\n\n- [ ] a  \r\n  - [x]\tb\r\n", ["5 open a", "6 done b"]),
      ("> - [ ] quoted\n", ["1 open quoted"]),
      ("- [ ]\n", ["1 open "]), ("- [/] a\n- [>] b\n", ["1 open a", "2 other b"]),
      // These are text.
      ("[ ] a\n-[ ] b\n- [  ] c\n- [ ]d\n- \\[ ] e\n- [xx] f\n", []),
      ("```\n- [ ] a\n```\n\n    - [ ] b\n\n<!--\n- [ ] c\n-->\n", []),
      ("- a\n  [ ] b\n- text [ ] c\n", []),
      ("-     [ ] code\n", []),
    ] as [(String, [String])])
  func findsBoxes(text: String, expected: [String]) { #expect(boxes(text) == expected) }
}

extension CheckBoxTests {
  private func ticked(_ line: String, _ isDone: Bool) throws -> String {
    let note = NoteText(Array("\(line)\nrest\n".utf8))
    let box = try #require(CheckBox.all(in: note).first)
    let day = try #require(CivilDate(year: 2026, month: 11, day: 27))
    let bytes = note.ticking([box], on: isDone ? day : nil).bytes
    return String(decoding: bytes.split(separator: 0x0A)[0], as: UTF8.self)
  }

  @Test(
    arguments: [
      ("- [ ] a", "- [x] a"), ("- [ ] a 📅 2026-12-01", "- [x] a 📅 2026-12-01 ✅ 2026-11-27"),
      ("- [ ] a 📅 2026-12-01 ^b", "- [x] a 📅 2026-12-01 ✅ 2026-11-27 ^b"),
      ("- [ ] a [due:: 2026-12-01]", "- [x] a [due:: 2026-12-01] [completion:: 2026-11-27]"),
      ("- [ ] a (due:: 2026-12-01)", "- [x] a (due:: 2026-12-01) (completion:: 2026-11-27)"),
    ])
  func aTickAndItsDateGoTogether(open: String, done: String) throws {
    #expect(try ticked(open, true) == done)
    #expect(try ticked(done, false) == open)
  }

  @Test(
    arguments: [
      ("a 📅 2026-12-01", "2026-12-01"), ("a [due:: 2026-12-01]", "2026-12-01"),
      ("a due:2026-12-01", "2026-12-01"),
      ("a @2026-12-01", "2026-12-01"), ("a @due(2026-12-01)", "2026-12-01"), ("a 📅 2026-02-30", nil),
      ("a ada@example.org", nil), ("a due:soon", nil),
    ] as [(String, String?)])
  func readsDueDates(text: String, day: String?) throws {
    let note = NoteText(Array("- [ ] \(text)\n".utf8))
    #expect(CheckBox.all(in: note).first?.due(in: note.bytes)?.description == day)
  }
}

extension CheckBoxTests {
  private func recurred(_ text: String) throws -> String {
    let note = NoteText(Array(text.utf8))
    let day = try #require(CivilDate(year: 2026, month: 11, day: 27))
    return String(decoding: note.ticking(CheckBox.all(in: note), on: day).bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      ("a 🔁 every week 📅 2026-12-01", "a 🔁 every week 📅 2026-12-08"),
      ("a 🔁 every 2 days 📅 2026-11-20 #b", "a 🔁 every 2 days 📅 2026-11-22 #b"),
      ("a 🔁 every month when done ⏳ 2026-11-01", "a 🔁 every month when done ⏳ 2026-12-27"),
      ("a 🔁 every day when done 📅 2026-11-20", "a 🔁 every day when done 📅 2026-11-28"),
      ("a 🔁 every weekday 🛫 2026-11-26 📅 2026-11-27", "a 🔁 every weekday 🛫 2026-11-29 📅 2026-11-30"),
      ("a 🔁 every year ➕ 2025-01-01 📅 2026-02-28", "a 🔁 every year ➕ 2026-11-27 📅 2027-02-28"),
      ("a ⏫ 🔁 every day 📅 2026-11-27 🆔 abc ^b", "a ⏫ 🔁 every day 📅 2026-11-28"),
      ("a 🔁 every week", "a 🔁 every week"),
      ("a 🔁 weekly 📅 2026-12-01", "a 🔁 weekly 📅 2026-12-08"),
      ("a 🔁 every Monday 📅 2026-11-23", "a 🔁 every Monday 📅 2026-11-30"),
      ("a 🔁 every week on Friday 📅 2026-11-23", "a 🔁 every week on Friday 📅 2026-11-27"),
      ("a 🔁 every month on the 1st 📅 2026-11-01", "a 🔁 every month on the 1st 📅 2026-12-01"),
      ("a 🔁 every month on the last 📅 2026-11-30", "a 🔁 every month on the last 📅 2026-12-31"),
    ])
  func `a recurring box gets the next line`(text: String, next: String) throws {
    let result = try recurred("x\n  - [ ] \(text)\n    - [ ] below\n")
    let lines = result.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1] == "  - [ ] \(next)")
    #expect(lines[2].hasPrefix("  - [x] "))
    #expect(lines[2].contains("✅ 2026-11-27"))
  }

  @Test func `ticking again adds no second line`() throws {
    let line = "- [ ] a 🔁 every week 📅 2026-12-01\n"
    let once = try recurred(line)
    let again = once.replacing("- [x] ", with: "- [ ] ").replacing(" ✅ 2026-11-27", with: "")
    let note = NoteText(Array(again.utf8))
    let boxes = CheckBox.all(in: note)
    let twice = note.ticking([boxes[1]], on: CivilDate(year: 2026, month: 11, day: 27))
    #expect(String(decoding: twice.bytes, as: UTF8.self) == once)
  }

  @Test func `fields of Dataview recur too`() throws {
    #expect(
      try recurred("- [ ] a [repeat:: every week] [due:: 2026-12-01]")
        == "- [ ] a [repeat:: every week] [due:: 2026-12-08]\n"
        + "- [x] a [repeat:: every week] [due:: 2026-12-01] [completion:: 2026-11-27]")
  }

  @Test(arguments: ["every week on Tuesday, Friday", "every 2nd Tuesday", "every January", "often"])
  func `other rules add no line`(rule: String) throws {
    let line = "- [ ] a 🔁 \(rule) 📅 2026-12-01"
    #expect(try recurred(line) == "- [x] a 🔁 \(rule) 📅 2026-12-01 ✅ 2026-11-27")
    let note = NoteText(Array(line.utf8))
    let found = try #require(CheckBox.all(in: note).first?.recurrence(in: note.bytes))
    #expect(found.rule == rule && found.recurrence == nil)
  }

  @Test func `reads marks`() throws {
    let note = NoteText(
      Array(
        "- [ ] a ⏫ 🛫 2026-12-06 [priority:: low] (repeat:: every day) ⏳ soon due:2026-12-01 🔁 every week #t\n"
          .utf8))
    let marks = try #require(CheckBox.all(in: note).first).marks(in: note.bytes)
    #expect(
      marks.map { "\($0.name) \($0.value)" } == [
        "priority high", "start 2026-12-06", "priority low", "recurrence every day", "due 2026-12-01",
        "recurrence every week",
      ])
  }
}
