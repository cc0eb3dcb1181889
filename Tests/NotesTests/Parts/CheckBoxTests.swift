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
      ("- [ ]\n", ["1 open "]),
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
