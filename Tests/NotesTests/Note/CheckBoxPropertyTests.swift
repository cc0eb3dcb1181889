import Notes
import SlipboxTesting
import Testing

/// The check boxes of our scanner compared with the tasks that cmark-gfm finds.
@Suite struct CheckBoxPropertyTests {
  @Test(arguments: 0..<8) func boxesAreTheTasksOfCmark(part: UInt64) {
    for number in 0..<500 {
      var generator = RandomMarkdown(seed: part << 32 + UInt64(number))
      let lines = generator.lines()
      // A first line of dashes would open front matter.
      let markdown = "x\n\n" + lines.flatMap { [$0, "- [ ] a", "  1. [x] b"] }.joined(separator: "\n") + "\n"
      let all = markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let text = NoteText(Array(markdown.utf8))
      // cmark knows no marks but a blank and x.
      let ours = CheckBox.all(in: text).filter { box in
        box.state != .other && text.bytes[box.mark] != UInt8(ascii: "/")
          && CmarkParts.mayHaveTask(all[box.line - 1])
      }
      let theirs = CmarkParts(markdown).tasks.filter { CmarkParts.mayHaveTask(all[$0 - 1]) }
      #expect(ours.map(\.line) == theirs, "\(markdown.debugDescription)")
    }
  }
}
