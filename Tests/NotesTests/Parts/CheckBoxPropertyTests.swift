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
      let ours = CheckBox.all(in: NoteText(Array(markdown.utf8))).filter { box in
        box.state != .other && CmarkParts.mayHaveTask(all[box.line - 1])
      }
      let theirs = CmarkParts(markdown).tasks.filter { CmarkParts.mayHaveTask(all[$0 - 1]) }
      #expect(ours.map(\.line) == theirs, "\(markdown.debugDescription)")
    }
  }
}
