import Foundation
import SlipboxTesting
import Testing

/// Repairs of merges of more than two commits, and of files that share an id.
@Suite struct HealSeveralTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  @discardableResult
  private func sh(_ line: String, in folder: String = "a") throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/" + folder, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  /// A box without a merge driver whose branches main, "p" and "q" each changed another line of a note; "q" has a new note.
  private func branches() throws {
    try sh("slip init -q a", in: ".")
    try sh(
      """
      printf -- '---\\nid: bcdfghjk\\ntitle: A\\n---\\none\\n\\n\\ntwo\\n\\n\\nthree\\n' >a.md
      git add -A; git commit -qm base
      git switch -qc p; sed -i 's/one/one of p/' a.md; git commit -qam p
      git switch -qc q main; sed -i 's/two/two of q/' a.md; printf '# New\\n' >new.md; git add -A; git commit -qm q
      git switch -q main; sed -i 's/three/three of main/' a.md; git commit -qam main
      git config --remove-section merge.slipbox; rm -f .git/info/attributes
      """)
  }

  @Test func `a merge of three commits that took one side is repaired`() throws {
    try branches()
    try sh("git merge -q -s ours --no-edit p q")
    #expect(try sh("git log -1 --format=%P").output.split(separator: " ").count == 3)
    let found = try sh("slip heal").output
    #expect(found.contains("a.md: the merge") && found.contains("dropped changes of one side"), "\(found)")
    #expect(found.contains("new.md: the merge") && found.contains("dropped the note"), "\(found)")
    let healed = try sh("slip heal a.md new.md")
    #expect(healed.status == 0, "\(healed.output)")
    let text = try sh("cat a.md new.md").output
    for line in ["one of p", "two of q", "three of main", "# New"] {
      #expect(text.contains(line + "\n"), "\(text)")
    }
    #expect(try sh("slip heal").output.contains("no damage found in 1 merge"))
  }

  @Test(arguments: [("p", "q", "two of q"), ("q", "p", "one of p")])
  func `a merge of three commits that left out one side is found`(taken: String, left: String, line: String)
    throws
  {
    try branches()
    try sh(
      """
      git switch -q --detach; git merge -q --no-edit \(taken); tree=$(git rev-parse HEAD^{tree}); git switch -q main
      git reset -q --hard $(git commit-tree -p main -p p -p q -m octopus $tree)
      """)
    #expect(try sh("grep -c '\(line)' a.md").output == "0\n")
    let healed = try sh("slip heal a.md")
    #expect(healed.status == 0, "\(healed.output)")
    let text = try sh("cat a.md").output
    for line in ["one of p", "two of q", "three of main"] { #expect(text.contains(line + "\n"), "\(text)") }
  }

  @Test func `a merge of three commits by git alone is no damage`() throws {
    try branches()
    try sh("git merge -q --no-edit p q")
    #expect(try sh("cat a.md").output.hasSuffix("one of p\n\n\ntwo of q\n\n\nthree of main\n"))
    let found = try sh("slip heal").output
    #expect(found.contains("no damage found in 1 merge"), "\(found)")
  }

  @Test func `a squash of two branches is examined`() throws {
    try branches()
    try sh("git merge -q --squash p q; git checkout -q HEAD a.md; git commit -q --no-edit")
    let found = try sh("slip heal").output
    #expect(found.contains("a.md: the merge") && found.contains("dropped changes of one side"), "\(found)")
    try sh("slip heal a.md")
    let text = try sh("cat a.md").output
    for line in ["one of p", "two of q", "three of main"] { #expect(text.contains(line + "\n"), "\(text)") }
  }

  /// A note of which side "p" moved, and all sides edited, what follows the header.
  private func moved(header: String) throws {
    try sh("slip init -q a", in: ".")
    let body = "one\\n\\n[other](other.md)\\n\\nwords\\n\\ntwo\\n\\nmore\\n\\nlines\\n\\nthree\\n"
    try sh(
      """
      printf -- '\(header)\(body)' >a.md; printf '# Other\\n' >other.md; git add -A; git commit -qm base
      git switch -qc p; mkdir p; git mv a.md p/a.md; sed -i 's,(other.md),(../other.md),' p/a.md; git commit -qam moved
      git switch -qc r; sed -i 's/one/one of p/' p/a.md; git commit -qam p
      git switch -qc q main; sed -i 's/two/two of q/' a.md; git commit -qam q
      git switch -q main; sed -i 's/three/three of main/' a.md; git commit -qam main
      git config --remove-section merge.slipbox; rm -f .git/info/attributes
      """)
  }

  @Test(arguments: ["---\\nid: bcdfghjk\\ntitle: A\\n---\\n", ""], ["r q", "r"])
  func `a merge that dropped changes of a moved note names it once, by its present path`(
    header: String, sides: String
  ) throws {
    try moved(header: header)
    try sh("git merge -q -s ours --no-edit \(sides)")
    let found = try sh("slip heal").output
    #expect(found.split(separator: "\n").count { $0.hasPrefix("damaged") } == 1, "\(found)")
    #expect(found.contains("a.md: the merge"), "\(found)")
    #expect(found.contains("dropped changes of one side and the move to p/a.md"), "\(found)")
    let healed = try sh("slip heal a.md").output
    #expect(healed.contains("slip mv a.md p/a.md repeats it"), "\(healed)")
    let text = try sh("cat a.md").output
    for line in ["one of p", "[other](other.md)", "three of main"] + (sides == "r q" ? ["two of q"] : []) {
      #expect(text.contains("\(line)\n"), "\(text)")
    }
    #expect(try sh("find . -name a.md; git status --porcelain").output == "./a.md\n")
    let left = try sh("slip heal").output
    #expect(left.contains("dropped the move to p/a.md") && !left.contains("changes"), "\(left)")
    // Whoever has moved the note again has decided, whichever way.
    for path in ["p/a.md", "a.md"] {
      try sh("slip mv -q $(find . -name a.md -printf '%P') \(path)")
      #expect(try sh("slip heal").output.contains("no damage found in 1 merge"))
    }
  }

  @Test(arguments: ["---\\nid: bcdfghjk\\ntitle: A\\n---\\n", ""])
  func `a merge that dropped a move alone is named, with the command that repeats it`(header: String) throws {
    try moved(header: header)
    try sh("git merge -q -s ours --no-edit p")
    let found = try sh("slip heal").output
    #expect(found.contains("a.md: the merge") && found.contains("dropped the move to p/a.md"), "\(found)")
    #expect(found.contains("if that was not intended: slip mv a.md p/a.md"), "\(found)")
    #expect(try sh("slip heal a.md").status == 65)
  }

  @Test(arguments: [("main", "r"), ("r", "main")])
  func `a merge by git that kept a move and all changes is no damage`(into: String, from: String) throws {
    try moved(header: "")
    try sh("git switch -q \(into); git merge -q --no-edit \(from)")
    let found = try sh("grep -c 'one of p\\|three of main' p/a.md; slip heal").output
    #expect(found.hasPrefix("2\n") && found.contains("no damage found in 1 merge"), "\(found)")
  }

  @Test func `a merge that took one of two moves has decided between them`() throws {
    try moved(header: "")
    try sh("mkdir m; git mv a.md m/a.md; sed -i 's,(other.md),(../other.md),' m/a.md; git commit -qam move")
    try sh("git merge -q -s ours --no-edit p")
    #expect(try sh("slip heal").output.contains("no damage found in 1 merge"))
    try sh("git reset -q --hard HEAD~1; git merge -q -s ours --no-edit r q")
    let healed = try sh("slip heal m/a.md").output
    #expect(healed.contains("m/a.md: the merge") && !healed.contains("move"), "\(healed)")
    let text = try sh("cat m/a.md").output
    for line in ["one of p", "two of q", "three of main"] {
      #expect(text.contains("\(line)\n"), "\(text)")
    }
    #expect(try sh("find . -name a.md; slip heal").output.hasPrefix("./m/a.md\nno damage found"))
  }

  /// Notes without an id that are alike, of which the side deleted one and made another.
  @Test func `a dropped note is not taken for an older one of its template that was moved`() throws {
    let day = { (number: Int) in
      "printf '# Day\\n\\nTasks\\n\\nNotes\\n\\nof day \(number)\\n' >day\(number).md"
    }
    try sh("slip init -q a", in: ".")
    try sh(
      """
      \(day(1)); git add -A; git commit -qm base; git switch -qc p; git rm -q day1.md; \(day(2)); git add -A
      git commit -qm p; git switch -q main; printf 'x\\n' >x.md; git add -A; git commit -qm main
      git config --remove-section merge.slipbox; rm -f .git/info/attributes; git merge -q -s ours --no-edit p
      """)
    let found = try sh("slip heal; slip heal day2.md").output
    #expect(found.contains("day2.md: the merge") && found.contains("dropped the note"), "\(found)")
    #expect(try sh("tail -qn 1 day1.md day2.md").output == "of day 1\nof day 2\n", "\(found)")
  }

  /// A box with three files that have one id.
  private func filesOfOneID() throws {
    try sh("slip init -q a", in: ".")
    let note = "printf -- '---\\nid: bcdfghjk\\ntitle: A\\ncreated: 2026-01-0%s\\n---\\nbody\\n%b'"
    try sh("\(note) 1 >a.md; slip commit -q")
    try sh("\(note) 2 'two\\n' >b.md; \(note) 3 'three\\n' >c.md; slip commit -q")
  }

  @Test func `an id of several files merges all of them`() throws {
    try filesOfOneID()
    let planned = try sh("slip heal bcdfghjk --dry-run")
    #expect(planned.output.contains("a.md: b.md and c.md have the same id"), "\(planned.output)")
    let healed = try sh("slip heal bcdfghjk")
    #expect(healed.status == 0 && healed.output.contains("b.md and c.md"), "\(healed.output)")
    #expect(try sh("ls *.md").output == "a.md\n")
    let text = try sh("cat a.md").output
    for line in ["body", "two", "three"] { #expect(text.contains("\n\(line)\n"), "\(text)") }
  }

  @Test func `an id of files that can't be merged names the files`() throws {
    try filesOfOneID()
    try sh("printf -- '---\\nid: bcdfghjk\\n---\\nl1 \\344\\nl2\\nl3\\n' >b.md")
    try sh("rm c.md; git commit -qam latin; echo more >>a.md; git commit -qam more")
    let refused = try sh("slip heal bcdfghjk")
    #expect(refused.status == 65, "\(refused.output)")
    #expect(refused.output.contains("2 files have the id bcdfghjk"), "\(refused.output)")
    #expect(refused.output.contains("  a.md") && refused.output.contains("  b.md"), "\(refused.output)")
    #expect(try sh("ls *.md").output == "a.md\nb.md\n")
  }
}

/// Copies that a program for synchronising files left beside notes.
@Suite struct ConflictCopyTests {
  private static let copy = "day.sync-conflict-20261129-101500-ABCDEFG.md"
  private let shell: Shell

  init() throws {
    shell = try Shell()
    #expect(try shell.sh("slip init -q a").status == 0)
  }

  @discardableResult
  private func sh(_ line: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/a", seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  @Test(arguments: [":", "git add day.md; git commit -qm note", "git add -A; git commit -qm both"])
  func `both texts stay if history has no version that both come from`(commit: String) throws {
    try sh("printf '# Day\\n\\nOn the computer.\\n' >day.md")
    try sh("printf '# Day\\n\\nOn the phone.\\n' >\(Self.copy)")
    try sh(commit)
    let healed = try sh("slip heal")
    let text = try sh("cat *.md").output
    #expect(text.contains("On the computer.") && text.contains("On the phone."), "\(healed.output)\n\(text)")
    #expect(try sh("ls *.md; git status --porcelain").output == "day.md\n")
  }

  @Test(arguments: [": >", "head -c 30 day.md >", "sed 5q day.md >", "git show HEAD~1:./day.md >"])
  func `a copy that has nothing of its own changes nothing`(made: String) throws {
    try sh("printf -- '---\\nid: bcdfghjk\\ntitle: Day\\n---\\nfirst line\\nsecond line\\n' >day.md")
    try sh("git add -A; git commit -qm one; echo third line >>day.md; git add -A; git commit -qm two")
    let before = try sh("cat day.md").output
    try sh("\(made)\(Self.copy)")
    let healed = try sh("slip heal")
    #expect(try sh("cat day.md").output == before, "\(healed.output)")
    #expect(try sh("ls *.md").output == "day.md\n")
  }

  @Test func `a copy without front matter takes no field away`() throws {
    try sh("printf -- '---\\nid: bcdfghjk\\nprivate: true\\n---\\nwords\\n' >day.md")
    try sh("git add -A; git commit -qm one")
    try sh("printf 'words\\nmore\\n' >\(Self.copy); slip heal")
    #expect(try sh("cat day.md").output == "---\nid: bcdfghjk\nprivate: true\n---\nwords\nmore\n")
  }

  @Test(arguments: ["\\344", "\\0"])
  func `a copy that is no text stays beside its note`(byte: String) throws {
    try sh("printf -- '---\\nid: bcdfghjk\\n---\\nwords\\n' >day.md; git add -A; git commit -qm one")
    try sh("printf -- '---\\nid: bcdfghjk\\n---\\nwords \(byte)\\n' >\(Self.copy); slip heal")
    #expect(try sh("cat day.md").output == "---\nid: bcdfghjk\n---\nwords\n")
    #expect(try sh("ls *.md | wc -l").output == "2\n")
  }

  @Test(arguments: ["git add -A", "git add bread.md; git commit -qm bread; git add -A"])
  func `two notes of one id that have nothing in common are both kept`(commit: String) throws {
    try sh(
      """
      printf -- '---\\nid: bcdfghjk\\ntitle: Bread\\n---\\nFlour and water.\\n' >bread.md
      printf -- '---\\nid: bcdfghjk\\ntitle: Wine\\n---\\nGrapes and patience.\\n' >wine.md
      \(commit); git commit -qm all
      """)
    let healed = try sh("slip heal bcdfghjk")
    let text = try sh("cat *.md").output
    for part in ["Flour and water.", "Grapes and patience.", "Bread", "Wine"] {
      #expect(text.contains(part), "\(healed.output)\n\(text)")
    }
  }

  @Test func `nested markers in front matter lose no value`() throws {
    try sh(
      """
      printf -- '---\\nid: bcdfghjk\\n<<<<<<< HEAD\\ntitle: N\\n<<<<<<< HEAD\\ntags: [a, m]\\n=======\\n' >n.md
      printf 'tags: [a, t]\\n>>>>>>> t\\nk1: MINE\\n=======\\ntitle: N2\\nk1: THEIRS\\n>>>>>>> s\\n---\\nbody\\n' >>n.md
      git add -A; git commit -qm marked; slip heal
      """)
    let text = try sh("cat n.md").output
    for part in ["MINE", "THEIRS", "N2", "m", "t", "body"] { #expect(text.contains(part), "\(text)") }
    #expect(text.contains("title: N\n") || text.contains("title: N\""), "\(text)")
    #expect(!text.contains("<<<<<<<"))
  }
}

/// Settings that a sync would bring, and that would lock the box.
@Suite struct IncomingSettingsTests {
  @Test(arguments: [
    "printf 'path: [\\n' >.slipbox/config.yaml", "printf 'requires: 999\\n' >.slipbox/config.yaml",
    "git rm -rqf .slipbox; ln -s /dev/shm .slipbox",
    "git rm -qf .slipbox/config.yaml; mkdir -p .slipbox/config.yaml; echo a >.slipbox/config.yaml/a",
  ])
  func `settings that can't be read are not merged, and their repair is`(damage: String) throws {
    let shell = try Shell()
    let sh = { (line: String, folder: String) in
      try shell.sh(line, in: shell.folder.path + "/" + folder, seed: shell.nextSeed())
    }
    _ = try sh("git init -q --bare -b main hub; slip init -q a", ".")
    _ = try sh("slip remote add ../hub; slip config inbox Desk; slip sync -q", "a")
    _ = try sh("git clone -q hub b; cd b; \(damage); git add -A; git commit -qm damage; git push -q", ".")
    _ = try sh("slip new Here -q", "a")
    let refused = try sh("slip sync", "a")
    #expect(refused.status == 78 && refused.errors.contains("is not merged"), "\(refused)")
    #expect(try sh("slip list --count", "a").output == "1\n")
    _ = try sh("git revert -n HEAD; git commit -qm repair; git push -q", "b")
    let synced = try sh("slip sync -q && git status --porcelain && slip config inbox", "a")
    #expect(synced.status == 0 && synced.output.contains("Desk"), "\(synced)")
  }
}
