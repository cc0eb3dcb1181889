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
