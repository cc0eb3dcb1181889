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

  /// A folder at the path of a note.
  private static let folder = "git rm -q b.md; mkdir b.md; " + note("nzxwvtsr", "inner") + " >b.md/in.md"

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
      name: "a deletion of a note in a folder that theirs renamed",
      ours: note("nzxwvtsr", "added") + " >old/added.md", theirs: "git mv old renamed",
      user: "git rm -qf renamed/added.md"),
    Decision(
      name: "a deletion of a note whose name a folder has", ours: folder,
      theirs: "sed -i 's/^two/due/' b.md", user: "git rm -q 'b.md~*'"),
    Decision(
      name: "a deletion of a note for a folder", ours: "sed -i 's/^two/due/' b.md", theirs: folder,
      user: "git rm -q 'b.md~*'"),
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

  /// What both sides did with a note, and what the user removes of it.
  static let halves = [
    ("git mv b.md bb.md; echo more >>bb.md", "git mv b.md ba.md; sed -i 's/^two/due/' ba.md", "bb.md"),
    ("git mv b.md bb.md; echo more >>bb.md", "git mv b.md ba.md; sed -i 's/^two/due/' ba.md", "ba.md"),
    ("git mv b.md bb.md; echo more >>bb.md", "git mv b.md ba.md; sed -i 's/^two/due/' ba.md", "b.md bb.md"),
    (
      "mkdir e; git mv b.md e/b.md; echo more >>e/b.md",
      "mkdir f; git mv a.md b.md plain.md f; sed -i 's/^two/due/' f/b.md", "e/b.md"
    ),
    (
      "echo more >>b.md",
      "git rm -q b.md; printf -- '---\\nid: lxsvwtrq\\n---\\ndue\\nrewritten\\n' >moved.md", "moved.md"
    ),
  ]

  @Test(arguments: halves, operations + ["stash pop"])
  func `a note stays at the path that the user did not remove`(
    half: (ours: String, theirs: String, removed: String), operation: String
  ) throws {
    for isOursLater in operation == "merge" ? [true, false] : [true] {
      if operation == "stash pop" {
        try sh("\(half.theirs); git add -A; git stash -q; \(half.ours); git add -A; git commit -qm ours")
        try sh("git stash pop")
      } else {
        try stop(half.ours, half.theirs, operation, isOursLater: isOursLater)
      }
      let stopped = try sh("git status --short; git rm -qf \(half.removed); git status --short")
      let done = try finish()
      #expect(done.stops.last?.left == [], "\(stopped)")
      let list = operation == "stash pop" ? "git add -A; git ls-files" : "git ls-tree -r --name-only HEAD"
      let files = try sh("\(list) | xargs grep -l 'id: lxsvwtrq'").split(separator: "\n")
      #expect(files.count == 1, "\(stopped)")
      #expect(!half.removed.split(separator: " ").contains(files.first ?? ""))
      let text = try sh("cat \(files.first ?? "none")")
      #expect(text.contains("more") && text.contains("due") && !text.contains("path"), "\(text)")
      // The first parent of the merge is our commit.
      if operation == "merge" { try sh("git reset -q --hard HEAD~2; git branch -qD theirs") }
    }
  }

  @Test(arguments: ["git add ba.md; git mv ba.md c.md", "git add bb.md; git mv bb.md c.md", "mv ba.md c.md"])
  func `a note that the user put at a third path is not at another one`(user: String) throws {
    for isOursLater in [true, false] {
      try stop(
        "git mv b.md bb.md; echo more >>bb.md", "git mv b.md ba.md; sed -i 's/^two/due/' ba.md", "merge",
        isOursLater: isOursLater)
      try sh(user)
      let done = try finish()
      #expect(done.stops.last?.left == [])
      #expect(try sh("git ls-tree --name-only HEAD | grep '^[bc]'; git status --short") == "c.md\n")
      #expect(try sh("cat c.md | grep -c 'due\\|more'") == "2\n")
      try sh("git reset -q --hard HEAD~2; git branch -qD theirs")
    }
  }

  /// The user has not settled the conflict at the old path.
  @Test func `a note that the user resolved and moved is stored once`() throws {
    try stop("sed -i 's/^two/due/' b.md", "sed -i 's/^two/dos/' b.md", "merge", isOursLater: true)
    try sh("sed -i '/^[<>|=]\\{7\\}/d' b.md; mv b.md c.md; git add c.md")
    let text = try sh("cat c.md")
    #expect(try finish().stops.last?.left == [])
    #expect(try sh("git grep -l 'id: lxsvwtrq' HEAD; git show HEAD:c.md") == "HEAD:c.md\n\(text)")
  }

  @Test(arguments: [2, 3])
  func `one of two new notes that the user put at another path is stored once`(stage: Int) throws {
    try stop(Self.twoNew.ours, Self.twoNew.theirs, "merge", isOursLater: true)
    try sh("git show :\(stage):new.md >mine.md; git add mine.md")
    let id = stage == 2 ? "mnpqrstv" : "nzxwvtsr"
    #expect(try finish().stops.last?.left == [])
    let files = try sh("git grep -l 'id: \(id)' HEAD -- '*.md' ':!old'")
    #expect(files == "HEAD:mine.md\n")
    #expect(try sh("git grep -l 'new of' HEAD").split(separator: "\n").count == 2)
    #expect(try sh("git grep '<<<' HEAD; git status --short") == "")
  }

  @Test func `a version in conflict is left to the user who changed the note at another path`() throws {
    try stop(
      "echo more >>b.md",
      "git rm -q b.md; printf -- '---\\nid: lxsvwtrq\\n---\\nrewritten\\n' >moved.md", "merge",
      isOursLater: true)
    try sh("echo edit >>moved.md; git add moved.md")
    #expect(try finish().stops.last?.left == [Array("b.md".utf8)])
    #expect(try sh("git ls-files -u; tail -n 1 moved.md").contains("b.md\nedit\n"))
    try sh("git rm -qf b.md")
    #expect(try finish().stops.last?.left == [])
    #expect(try sh("git show HEAD:moved.md | tail -n 1; git ls-tree HEAD b.md") == "edit\n")
  }

  @Test(arguments: ["skip-worktree", "assume-unchanged"], operations + ["stash pop"])
  func `a change that is hidden from git is not committed`(flag: String, operation: String) throws {
    let (ours, theirs) = ("sed -i 's/^two/due/' a.md", "sed -i 's/^two/dos/' a.md; echo theirs >>b.md")
    if operation == "stash pop" {
      try sh("\(theirs); git stash -q; \(ours); git commit -qam ours; git stash pop")
    } else {
      try stop(ours, theirs, operation, isOursLater: true)
    }
    try sh("git update-index --\(flag) b.md; echo private >>b.md")
    let entry = try sh("git ls-files -s b.md; git ls-files -v b.md")
    #expect(!entry.hasPrefix("H"))
    let done = try finish()
    #expect(done.stops.last?.left == [])
    #expect(try sh("git ls-files -s b.md; git ls-files -v b.md") == entry)
    #expect(try sh("tail -n 2 b.md; git grep -c private HEAD") == "theirs\nprivate\n")
  }

  @Test(arguments: ["skip-worktree", "assume-unchanged"])
  func `the flag of a note that slip merges otherwise than git stays`(flag: String) throws {
    try sh("printf -- '---\\nid: nzxwvtsr\\n---\\n[B](b.md)\\n\\nend\\n' >c.md; git add -A; git commit -qm c")
    try stop(
      "git mv b.md bb.md; sed -i 's/^two/due/' a.md", "sed -i 's/^two/dos/' a.md; echo theirs >>c.md",
      "merge",
      isOursLater: true)
    try sh("git update-index --\(flag) c.md")
    let before = try sh("git ls-files -v c.md")
    try finish()
    #expect(try sh("git ls-files -v c.md") == before)
    #expect(try sh("git status --short; git diff --no-index c.md c.md; tail -n 1 c.md") == "theirs\n")
  }

  @Test func `git's copy of a note that the user added is stored once`() throws {
    try stop("sed -i 's/^two/due/' b.md", Self.folder, "merge", isOursLater: true)
    try sh("git add 'b.md~*'")
    #expect(try finish().stops.last?.left == [])
    #expect(try sh("git grep -l 'id: lxsvwtrq' HEAD; ls b.md~*").hasPrefix("HEAD:b-lxsvwtrq.md\nls: "))
    #expect(try sh("grep -c due b-lxsvwtrq.md") == "1\n")
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

  @Test func `a note that would be in no file is kept with the changes of both sides`() throws {
    try stop(
      "\(Self.note("nzxwvtsr", "new")) >x.md; echo more >>b.md",
      "git mv b.md x.md; sed -i 's/^two/due/' x.md",
      "merge", isOursLater: true)
    try sh("git checkout -q --ours x.md; git add x.md")
    let error = #expect(throws: SlipboxError.self) { try finish() }
    let hint = try #require(error?.hints.first?.description)
    let command = try #require(hint.split(separator: ": ", maxSplits: 1).last)
    try sh(String(command).replacing(" && slip resolve --yes", with: ""))
    try finish()
    #expect(try sh("git grep -c 'due\\|more' HEAD -- NEW.md") == "HEAD:NEW.md:2\n")
    #expect(try sh("git grep -l 'id: nzxwvtsr' HEAD") == "HEAD:x.md\n")
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
