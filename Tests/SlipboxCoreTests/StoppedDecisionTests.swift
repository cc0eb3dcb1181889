import Foundation
import Git
import Notes
import SlipboxTesting
import Testing
import Text

@testable import SlipboxCore

/// Decisions about notes that the user made with git while git was stopped at conflicts. The oracle is git itself, which
/// finishes the same operation in a copy of the box.
@Suite struct StoppedDecisionTests {
  /// What both sides did, and what the user did when git had stopped, as lines for sh.
  struct Decision: Sendable, CustomTestStringConvertible {
    let name: String
    let ours: String
    let theirs: String
    let user: String
    /// What git needs in the copy before it goes on.
    var forGit = ":"
    var testDescription: String { name }
  }

  private static func note(_ id: String, _ text: String) -> String {
    "printf -- '---\\nid: \(id)\\n---\\n\(text)\\n\\ntwo\\n\\nthree\\n'"
  }

  private static let twoNew = (
    ours: note("mnpqrstv", "new of ours") + " >new.md", theirs: note("nzxwvtsr", "new of theirs") + " >new.md"
  )

  static let decisions = [
    Decision(
      name: "the path of theirs", ours: "git mv b.md bb.md", theirs: "git mv b.md ba.md",
      user: "git rm -q b.md bb.md; git add ba.md"),
    Decision(
      name: "the path of ours", ours: "git mv b.md bb.md", theirs: "git mv b.md ba.md",
      user: "git rm -q b.md ba.md; git add bb.md"),
    Decision(
      name: "a file removed and all added", ours: "git mv b.md bb.md; echo more >>bb.md",
      theirs: "git mv b.md ba.md; sed -i 's/^two/due/' ba.md", user: "rm bb.md; git add -A"),
    Decision(
      name: "a third path", ours: "git mv b.md bb.md", theirs: "git mv b.md ba.md",
      user: "git rm -q b.md bb.md; git add ba.md; git mv ba.md c.md"),
    Decision(
      name: "the path of a note without an id", ours: "git mv plain.md pb.md",
      theirs: "git mv plain.md pa.md", user: "git rm -q plain.md pb.md; git add pa.md"),
    Decision(
      name: "a third path of a note without an id", ours: "git mv plain.md pb.md",
      theirs: "git mv plain.md pa.md",
      user: "git rm -q plain.md pb.md; git add pa.md; echo more >>pa.md; git add pa.md; git mv pa.md pc.md"),
    Decision(
      name: "a new note at one path, the old one at the other", ours: "git mv b.md bb.md",
      theirs: "git mv b.md ba.md",
      user: "git rm -qf b.md bb.md; git add ba.md; \(note("cdfghjkl", "new")) >bb.md; git add bb.md"),
    Decision(
      name: "a new note at the other path", ours: "git mv b.md bb.md", theirs: "git mv b.md ba.md",
      user: "git rm -qf b.md ba.md; git add bb.md; \(note("cdfghjkl", "new")) >ba.md; git add ba.md"),
    Decision(
      name: "the note of ours, not the rewritten one of theirs", ours: "sed -i 's/^two/due/' b.md",
      theirs: "git rm -q b.md; printf -- '---\\nid: lxsvwtrq\\n---\\nrewritten\\n' >moved.md",
      user: "git rm -qf moved.md; git add b.md"),
    Decision(
      name: "the rewritten note of theirs, not that of ours", ours: "sed -i 's/^two/due/' b.md",
      theirs: "git rm -q b.md; printf -- '---\\nid: lxsvwtrq\\n---\\nrewritten\\n' >moved.md",
      user: "git rm -q b.md"),
    Decision(
      name: "two new notes at paths of their own", ours: twoNew.ours, theirs: twoNew.theirs,
      user: """
        git show :2:new.md >two.md; git show :3:new.md >three.md; git rm -qf new.md; git add two.md three.md
        """),
    Decision(
      name: "one of two new notes at a path of its own", ours: twoNew.ours, theirs: twoNew.theirs,
      user: "git show :3:new.md >three.md; git checkout -q --ours new.md; git add new.md three.md"),
    Decision(
      name: "two new notes, none kept", ours: twoNew.ours, theirs: twoNew.theirs, user: "git rm -qf new.md"),
    Decision(
      name: "a folder that theirs renamed", ours: note("nzxwvtsr", "added") + " >old/added.md",
      theirs: "git mv old renamed", user: "git add -A"),
    Decision(
      name: "a folder that theirs renamed, and an edit", ours: note("nzxwvtsr", "added") + " >old/added.md",
      theirs: "git mv old renamed", user: "echo more >>renamed/added.md; git add -A"),
    Decision(
      name: "a folder that ours renamed", ours: "git mv old renamed",
      theirs: note("nzxwvtsr", "added") + " >old/added.md", user: "git add -A"),
    Decision(
      name: "a note that theirs deleted", ours: "sed -i 's/^two/due/' b.md", theirs: "git rm -q b.md",
      user: "git add b.md"),
    Decision(
      name: "a note that ours deleted", ours: "git rm -q b.md", theirs: "sed -i 's/^two/due/' b.md",
      user: "git add b.md"),
    Decision(
      name: "a deletion", ours: "git rm -q b.md", theirs: "sed -i 's/^two/due/' b.md",
      user: "git rm -q b.md"),
    Decision(
      name: "a note moved by hand", ours: "sed -i 's/^two/due/' b.md", theirs: "sed -i 's/^two/dos/' b.md",
      user: "sed -i '/^[<>|=]\\{7\\}/d' b.md; mkdir f; mv b.md f/b.md", forGit: "git add -A"),
    Decision(
      name: "a short note without an id, moved by hand", ours: "sed -i 's/^two/due and more/' short.md",
      theirs: "sed -i 's/^two/dos and more/' short.md",
      user: "sed -i '/^[<>|=]\\{7\\}/d' short.md; mkdir f; mv short.md f/s.md", forGit: "git add -A"),
    Decision(
      name: "a note without an id, moved by hand with one side", ours: "sed -i 's/^two/due/' plain.md",
      theirs: "sed -i 's/^two/dos/' plain.md",
      user: "git show :3:plain.md >elsewhere.md; rm plain.md", forGit: "git add -A"),
  ]

  static let operations = ["merge", "rebase", "cherry-pick"]

  private let box: WritingBox
  private let copies: TemporaryFolder

  init() throws {
    let text = "line one\n\ntwo\n\nthree\n\nfour\n"
    var files = [
      "b.md": "---\nid: lxsvwtrq\ntitle: B\n---\n\(text)", "a.md": "---\nid: kqzmvtrp\n---\n\(text)",
    ]
    files["short.md"] = "# Short\n\none\n\ntwo\n"
    files["plain.md"] = "# Plain\n\nbefore\n\(text)after\n"
    for (number, letter) in "zxwv".enumerated() {
      files["old/n\(number).md"] = "---\nid: mnpqrst\(letter)\n---\nn\(number)\n\(text)"
    }
    box = try WritingBox(files)
    copies = try TemporaryFolder()
  }

  /// Runs lines of sh without a merge driver for notes.
  @discardableResult
  private func sh(_ lines: String) throws -> String {
    let ran = try run("sh", ["-c", "rm -f .git/info/attributes; \(lines)"], in: box.folder.path)
    return ran.output + ran.errors
  }

  /// Stops git at the conflicts of two sides.
  /// - Parameter isOursLater: whether ours is the later change, whose path a merge of slip takes.
  @discardableResult
  private func stop(_ ours: String, _ theirs: String, _ operation: String, isOursLater: Bool) throws -> String
  {
    let dates = ["2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z"]
    let date = { (isLater: Bool) in
      "export GIT_AUTHOR_DATE=\(dates[isLater ? 1 : 0]) GIT_COMMITTER_DATE=\(dates[isLater ? 1 : 0])"
    }
    try sh(
      """
      git switch -qc theirs; \(theirs); \(date(!isOursLater)); git add -A; git commit -qm theirs
      git switch -q main; \(ours); \(date(isOursLater)); git add -A; git commit -qm ours
      """)
    let command = operation == "rebase" ? "git switch -q theirs; git rebase main" : "git \(operation) theirs"
    return try sh("git config pull.rebase false; \(command); git status --short")
  }

  @discardableResult
  private func finish() throws -> FinishedStops {
    try BoxWriter(try box.snapshot().box, context(in: box.folder.path)).finishStopped()
  }

  private var state: String {
    get throws {
      try sh("git ls-files -s; git rev-parse HEAD; git status --porcelain --ignored; cat *.md */*.md")
    }
  }

  @Test(arguments: decisions, [true, false])
  func `a merge is finished as git finishes it`(decision: Decision, isOursLater: Bool) throws {
    try expectSame(decision, "merge", isOursLater)
  }

  @Test(arguments: decisions, ["rebase", "cherry-pick"])
  func `a commit that is picked is finished as git finishes it`(decision: Decision, operation: String) throws
  {
    try expectSame(decision, operation, false)
  }

  private func expectSame(_ decision: Decision, _ operation: String, _ isOursLater: Bool) throws {
    let stopped = try stop(decision.ours, decision.theirs, operation, isOursLater: isOursLater)
    try sh(decision.user)
    let copy = copies.path + "/copy"
    let goOn = operation == "merge" ? "git commit -q --no-edit" : "git \(operation) --continue"
    let ended = try sh(
      """
      cp -a . \(copy); cd \(copy); rm -f .git/hooks/*
      \(decision.forGit); GIT_EDITOR=true \(goOn) || GIT_EDITOR=true git \(operation) --skip
      """)
    let list = "git ls-tree -r HEAD"
    let (expected, status) = (try sh("cd \(copy); \(list)"), try sh("cd \(copy); git status --porcelain"))
    try #require(try sh("ls -d \(copy)/.git/rebase-merge").contains("No such"), "\(stopped)\(ended)")
    let done = try finish()
    #expect(done.stops.last?.left == [])
    #expect(try sh(list) == expected, "\(stopped)")
    #expect(try sh("git status --porcelain") == status, "\(stopped)")
  }

  @Test(arguments: operations)
  func `a note taken out of the index stays out, and is ignored`(operation: String) throws {
    try stop("sed -i 's/^two/due/' a.md b.md", "sed -i 's/^two/dos/' a.md b.md", operation, isOursLater: true)
    try sh("git rm -q --cached a.md")
    let text = try sh("cat a.md")
    try finish()
    #expect(try sh("git ls-tree -r --name-only HEAD").contains("b.md\n"))
    #expect(try sh("git ls-tree -r --name-only HEAD a.md; git status --porcelain") == "")
    #expect(try sh("cat a.md") == text)
    #expect(try sh("cat .git/info/exclude").contains("/a.md\n"))
  }

  @Test(arguments: [true, false])
  func `a path that the user took after a stash pop stays`(isOursLater: Bool) throws {
    try sh("git mv b.md bb.md; sed -i 's/^two/due/' a.md; git stash -q")
    try sh("git mv b.md ba.md; sed -i 's/^two/dos/' a.md; git commit -qam ours; git stash pop")
    try sh(isOursLater ? "git rm -q b.md bb.md; git add ba.md" : "git rm -q b.md ba.md; git add bb.md")
    let done = try finish()
    #expect(done.stops.last?.left == [])
    #expect(try sh("ls b*.md") == (isOursLater ? "ba.md\n" : "bb.md\n"))
    #expect(try sh("git diff --cached --name-only") == "")
  }

  /// Two new notes at one path, of which slip puts one at `new-ID.md`.
  @Test(
    arguments: [
      "echo private >new-nzxwvtsr.md; echo 'new-*' >.git/info/exclude",
      "echo private >new-nzxwvtsr.md", "mkdir new-nzxwvtsr.md",
    ], operations)
  func `a file of the user at a path that the merge needs is in the way`(
    file: String, operation: String
  ) throws {
    try sh(file)
    let exclude = "echo 'new-nz*' >>.git/info/exclude;"
    try stop(Self.twoNew.ours, "\(exclude)\(Self.twoNew.theirs)", operation, isOursLater: true)
    if !file.contains("exclude") { try sh(": >.git/info/exclude") }
    let before = try state
    let error = #expect(throws: SlipboxError.self) { try finish() }
    #expect(error?.kind == .busy)
    #expect(error?.message.description.contains("new-nzxwvtsr.md blocks an incoming file") == true)
    #expect(try state == before)
    try sh("rm -r new-nzxwvtsr.md")
    try finish()
    #expect(try sh("cat new-nzxwvtsr.md").contains("new of theirs"))
  }

  @Test func `an ignored file in a folder that a side renamed is in the way`() throws {
    try stop(
      Self.note("nzxwvtsr", "added") + " >old/added.md", "git mv old renamed", "merge", isOursLater: true)
    try sh("mkdir -p old; echo private >old/added.md; echo old/ >.git/info/exclude")
    let before = try state
    #expect(throws: SlipboxError.self) { try finish() }
    #expect(try state == before)
  }

  /// The user takes one of two new notes, by git or in the text.
  @Test(arguments: [
    "git checkout -q --theirs new.md; git add new.md", "git checkout -q --ours new.md; git add new.md",
  ])
  func `a note that would be in no file is named`(user: String) throws {
    try stop(Self.twoNew.ours, Self.twoNew.theirs, "merge", isOursLater: true)
    try sh(user)
    let before = try state
    let error = #expect(throws: SlipboxError.self) { try finish() }
    #expect(error?.message.description.contains("would be lost") == true)
    #expect(try state == before)
    let hint = try #require(error?.hints.first?.description)
    let commands = hint.replacing("to keep it: ", with: "").components(separatedBy: " && slip")[0]
    let ran = try sh(commands)
    let done = try finish()
    #expect(done.stops.last?.left == [], "\(ran)")
    #expect(done.stops.last?.removedPaths == [])
    let files = try sh(
      "git ls-tree --name-only HEAD | grep -i ^new; git show HEAD:new.md HEAD:NEW.md | grep ^new")
    #expect(files.split(separator: "\n").sorted() == ["NEW.md", "new of ours", "new of theirs", "new.md"])
    #expect(try sh("git status --porcelain") == "")
  }

  @Test(arguments: operations)
  func `two new notes that were added with git's markers are merged`(operation: String) throws {
    try stop(Self.twoNew.ours, Self.twoNew.theirs, operation, isOursLater: true)
    let marked = try sh("grep -c '<<<' new.md; git add -A")
    try finish()
    #expect(
      try sh("grep ^new new.md new-nzxwvtsr.md") == "new.md:new of ours\nnew-nzxwvtsr.md:new of theirs\n",
      "\(marked)")
    #expect(try sh("git status --porcelain; git ls-files | grep -c new") == "2\n")
  }

  @Test func `of two new notes, one resolved in the text, the other gets a path`() throws {
    try stop(Self.twoNew.ours, Self.twoNew.theirs, "merge", isOursLater: true)
    try sh("git show :2:new.md >new.md; echo more >>new.md")
    try finish()
    #expect(try sh("tail -n 1 new.md; grep -c 'new of theirs' new-nzxwvtsr.md") == "more\n1\n")
  }

  @Test func `markers that are not git's are left to the user`() throws {
    try stop("sed -i 's/^two/due/' a.md", "sed -i 's/^two/dos/' a.md", "merge", isOursLater: true)
    try sh("sed -i 's/^three/by hand/' a.md; git add -A")
    let done = try finish()
    #expect(done.stops.last?.left == [Array("a.md".utf8)])
  }

  @Test func `a note that both sides made with one id is named`() throws {
    let note = { (text: String) in Self.note("mnpqrstv", text) + " >new.md" }
    try stop(note("same A"), note("same B"), "merge", isOursLater: true)
    let done = try finish()
    let path = Array("new.md".utf8)
    #expect(done.stops.last?.conflicts == [MergeConflict(path: path, kind: .joined)])
  }

  @Test func `a path that the user chose after slip had merged stays`() throws {
    try stop(
      "git mv b.md bb.md; echo ours >other.txt", "git mv b.md ba.md; echo theirs >other.txt", "merge",
      isOursLater: true)
    #expect(try finish().stops.last?.left == [Array("other.txt".utf8)])
    try sh(
      """
      git mv bb.md ba.md; sed -i '/^conflicts:/,/^ *- /d' ba.md
      echo both >other.txt; git add -A
      """)
    let text = try sh("cat ba.md")
    try finish()
    #expect(try sh("git ls-tree --name-only HEAD | grep ^b; git show HEAD:ba.md") == "ba.md\n\(text)")
  }
}
