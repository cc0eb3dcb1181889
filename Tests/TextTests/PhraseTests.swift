import Bytes
import Testing
import Text

@Suite struct PhraseTests {
  @Test func `text from outside is escaped where a phrase is shown`() {
    let title = "a\u{1B}[2Jb\u{202E}"
    let phrase: Phrase = "\(title) is not a note"
    #expect("\(phrase)" == "a\\x1b[2Jb\\u202e is not a note")
  }

  @Test func `the bytes of a path are shown as they are, and others as hex`() {
    let path: [UInt8] = Array("notes/".utf8) + [0xFF, 0x0A]
    #expect("\("\(path)" as Phrase)" == "notes/\\xff\\x0a")
    #expect("\("\(path[6...])" as Phrase)" == "\\xff\\x0a")
    #expect(Phrase(path) == "notes/\\xff\\x0a")
  }

  @Test(arguments: [
    ("plain.md", "slip edit plain.md"), ("two words.md", "slip edit \"two words.md\""),
    ("$HOME.md", "slip edit '$HOME.md'"), ("it's $5", "slip edit 'it'\\''s $5'"),
    ("-rf", "slip edit \"-rf\""), ("", "slip edit \"\""), ("a\u{1B}b", "slip edit $'a\\x1bb'"),
  ])
  func `an argument from outside is one word of every shell`(value: String, line: String) {
    #expect("\("\(slip: "edit", .value(value))" as Phrase)" == line)
    #expect("\("\(slip: "edit", .value(Array(value.utf8)))" as Phrase)" == line)
    #expect("\(Phrase.slip("edit", .value(value)))" == line)
  }

  @Test func `words of the program stay as they are in a command`() {
    let phrase: Phrase =
      "run: \(slip: "set", .value("a b"), "depends:-OTHER", "--yes"), then \(run: "git add", .value("c d"))"
    #expect("\(phrase)" == "run: slip set \"a b\" depends:-OTHER --yes, then git add \"c d\"")
    #expect("\(Phrase.slip("log", .value("\(typed: "x y")" as Phrase)))" == "slip log \"x y\"")
  }

  @Test func `phrases are equal if they are shown alike`() {
    let name = "n.md"
    #expect("slip edit n.md" as Phrase == .slip("edit", .value(name)))
    #expect(Set<Phrase>(["a\(name)", "an.md"]).count == 1)
    #expect(("a" as Phrase) < "b")
    #expect(("a" as Phrase) + "b" == "ab")
  }

  @Test func `phrases join`() {
    let names: [Phrase] = ["a", "b\u{7}"]
    #expect("\(names.joined(separator: ", "))" == "a, b\\x07")
    #expect([Phrase]().joined().isEmpty)
  }

  @Test func `a phrase with a command of slip or its option is for a shell`() {
    let phrases: [(Phrase, Bool)] = [
      ("edit it with \(slip: "edit", "REF")", true), ("\(option: "--detach") removes them", true),
      ("run \(run: "git add", "FILE")", false), ("try again", false),
    ]
    for (phrase, isForShell) in phrases { #expect(phrase.isForShell == isForShell, "\(phrase)") }
    #expect("\(phrases[1].0)" == "--detach removes them")
  }

  @Test func `a window shows the clauses without commands of slip`() {
    let title = "a; b? c"
    let phrases: [(Phrase, String?)] = [
      ("try again; nothing is lost", "try again; nothing is lost"),
      ("nothing was changed; edit it with: \(slip: "edit", "REF")", "nothing was changed"),
      ("did you mean \(title)? add \(option: "--new-field") to create it", "did you mean a; b? c?"),
      ("\(slip: "log") shows them; dates are 2026-11-01", "dates are 2026-11-01"),
      ("run: \(slip: "sync")", nil), ("\(option: "--detach") removes them", nil),
      ("run: \(run: "git add", "FILE")", "run: git add FILE"),
    ]
    for (phrase, shown) in phrases { #expect(phrase.inWindow?.description == shown, "\(phrase)") }
  }

  @Test func `a phrase tells its commands of slip`() {
    let phrase: Phrase =
      "\(run: "git add", "FILE"), then \(slip: "commit", .value("a b")), or \(slip: "sync", "--yes")"
    #expect(phrase.commands == ["slip commit \"a b\"", "slip sync --yes"])
    #expect(("add \(option: "--yes")" as Phrase).commands.isEmpty)
  }

  @Test func `a phrase that is shown and written again stays the same`() {
    let once: Phrase = "a\u{1B}\\x1b"
    #expect(Phrase(once.description) == once)
  }
}
