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

  @Test func `an option alone is no way out`() {
    let hints: [Phrase] = ["\(option: "--cascade") deletes the note too"]
    #expect(WindowMessage(inEditor: "refused", hints: hints).hints.isEmpty)
  }
}
