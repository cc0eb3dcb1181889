import Presentation
import SlipboxCore
import Testing
import Text

/// Messages where nobody types commands of slip.
@Suite struct WindowMessageTests {
  private static let hints: [Phrase] = [
    "\(option: "--detach") removes the references", "nothing was changed; undo with: \(slip: "undo")",
    "free some space",
  ]

  @Test func `a window shows no command and no option`() {
    let message = WindowMessage(SlipboxError(.usage, "refused", hints: Self.hints))
    #expect(message.lines == ["refused", "nothing was changed", "free some space"])
  }

  @Test func `an editor names a command only if there is no other way out`() {
    let refusal: Phrase = "the push was rejected"
    let sync: Phrase = "your commits are kept; run: \(slip: "sync")"
    #expect(WindowMessage(inEditor: refusal, hints: Self.hints).hints.allSatisfy { !$0.contains("slip") })
    #expect(
      WindowMessage(inEditor: refusal, hints: [sync]).lines
        == ["the push was rejected", "your commits are kept", "run: slip sync in a terminal"])
    #expect(WindowMessage(inEditor: refusal, hints: []).lines == ["the push was rejected"])
  }

  @Test func `an editor is not told to open a note in an editor`() {
    let fix: Phrase = "nothing was changed; fix the text with: \(slip: "edit", .value("a b.md"))"
    #expect(WindowMessage(inEditor: "line 2: refused", hints: [fix]).hints == ["nothing was changed"])
  }

  @Test func `an editor names the command of its server that does the same`() {
    let names = ["undo": "slip.undo"]
    let lines = { (message: Phrase, hints: [Phrase]) in
      WindowMessage(inEditor: message, hints: hints) { names[$0] }.lines
    }
    #expect(
      lines("refused", Self.hints)
        == ["refused", "nothing was changed; undo with: slip.undo", "free some space"])
    #expect(lines("refused; undo with: \(slip: "undo")", []) == ["refused; undo with: slip.undo"])
    let list: Phrase = "see \(slip: "undo", "--list")"
    #expect(lines("refused", [list]) == ["refused", "run: slip undo --list in a terminal"])
    let sync: Phrase = "run: \(slip: "sync")"
    #expect(lines("refused", [sync]) == ["refused", "run: slip sync in a terminal"])
  }

  @Test func `a warning without hints keeps its command as the way out`() {
    let warning: Phrase = "a rule was skipped; \(slip: "doctor") shows this again"
    #expect(
      WindowMessage(inEditor: warning).lines == ["a rule was skipped", "run: slip doctor in a terminal"])
    #expect(WindowMessage(inEditor: "no rule was skipped").lines == ["no rule was skipped"])
  }

  @Test func `an option alone is no way out`() {
    let hints: [Phrase] = ["\(option: "--cascade") deletes the note too"]
    #expect(WindowMessage(inEditor: "refused", hints: hints).hints.isEmpty)
  }
}
