import Git
import Notes
import SlipboxTesting
import Testing
import Text

@testable import SlipboxCore

/// Operations of git that stopped for conflicts or for the user, made by git itself.
@Suite struct StoppedOperationTests {
  private let box: WritingBox

  /// A box whose branch "theirs" changed another note than "main", and made one.
  init() throws {
    let note = "---\nid: kqzmvtrp\ntitle: A\nrating: 1\n---\none\n\ntwo\n\nthree\n\nfour\n\nfive\n"
    box = try WritingBox(["a.md": note, "b.md": "# B\n\ntext\n"])
    try sh(
      """
      git switch -qc theirs; sed -i s/two/due/ a.md; git commit -qam theirs
      printf '# C\\n' >c.md; git add -A; git commit -qm more
      git switch -q main; sed -i s/text/ours/ b.md; git commit -qam ours
      """)
  }

  /// Runs lines of sh without a merge driver for notes.
  @discardableResult
  private func sh(_ lines: String) throws -> (status: Int32, output: String) {
    let ran = try run("sh", ["-c", "rm -f .git/info/attributes; \(lines)"], in: box.folder.path)
    return (ran.status, ran.output + ran.errors)
  }

  /// The notes at which git stopped, and the hints on the way out of an operation.
  private func stopped() throws -> (notes: StoppedNotes?, hints: [String]) {
    let found = try box.snapshot().box
    let notes = try BoxWriter(found, context(in: box.folder.path)).stoppedNotes()
    let operation = try found.git { repository throws(GitError) in try repository.operation.stopped() }
    return (notes, operation.map { found.wayOut(of: $0).map(\.description) } ?? [])
  }

  @Test(arguments: [
    "git merge --no-commit theirs", "git merge --no-commit -s recursive theirs",
    "git merge -s ours --no-commit theirs", "GIT_EDITOR=false git merge --edit theirs",
    "git revert --no-commit HEAD", "GIT_EDITOR=false git cherry-pick --edit theirs~1",
  ])
  func `what stopped without a conflict is left to the user`(command: String) throws {
    let ran = try sh(command)
    let (notes, hints) = try stopped()
    #expect(notes == nil, "\(ran.output)")
    #expect(hints.first?.hasSuffix("--continue") == true, "\(hints)")
  }

  @Test(arguments: ["", "git add a.md;", "git add a.md; git update-index --clear-resolve-undo;"])
  func `a merge that stopped at a conflict is finished, also after it was resolved`(also: String) throws {
    let ran = try sh(
      """
      sed -i s/two/dos/ a.md; git commit -qam dos; git merge theirs
      [ -z "\(also)" ] || sed -i '/^[<>|=]\\{7\\}/d' a.md; \(also)
      """)
    #expect(try stopped().notes != nil, "\(ran.output)")
  }

  @Test(arguments: ["git merge --squash theirs", "git cherry-pick --no-commit theirs~2..theirs"])
  func `changes for which git has a message are left to the user`(command: String) throws {
    #expect(try sh(command).status == 0)
    #expect(try box.snapshot().box.hasPreparedChanges)
    try sh("git commit -q --no-edit")
    #expect(try !box.snapshot().box.hasPreparedChanges)
    try sh("git reset -q --hard HEAD~1; \(command)")
    _ = try box.commit("a.md", "c.md")
    #expect(!box.exists(".git/SQUASH_MSG") && !box.exists(".git/MERGE_MSG"))
    // A message that is left from earlier does not count.
    try sh("echo Earlier >.git/MERGE_MSG; sed -i s/due/staged/ a.md; git add a.md")
    #expect(try !box.snapshot().box.hasPreparedChanges)
  }

  @Test func `resolved conflicts of a squash are left to the user`() throws {
    try sh("sed -i s/two/dos/ a.md; git commit -qam dos; git merge --squash theirs")
    try sh("git rm -q --cached c.md; rm c.md; sed -i '/^[<>|=]\\{7\\}/d' a.md; git add a.md")
    #expect(try box.snapshot().box.hasPreparedChanges)
  }

  /// The project of the folder "dir", with new commits of its own.
  private func addProject() throws {
    try sh(
      """
      git init -q -b main sub; cd sub; printf -- '---\\nid: bcdfghjk\\ntitle: P\\n---\\none\\n\\ntwo\\n' >p.md
      git add -A; git commit -qm p; cd ..; echo /sub >>.git/info/exclude
      git fetch -q ./sub main:project; git merge -q -s ours --no-commit --allow-unrelated-histories project
      git read-tree --prefix=dir/ -u project; git commit -qm "add dir"
      cd sub; sed -i s/two/due/ p.md; printf '# New\\n' >new.md; git add -A; git commit -qm more; cd ..
      git fetch -q ./sub main:project; sed -i s/two/dos/ dir/p.md; git commit -qam dos
      """)
  }

  @Test(arguments: [
    "merge -X subtree=dir project", "merge -s subtree project", "cherry-pick -X subtree=dir project",
  ])
  func `a merge into another folder is left to the user`(command: String) throws {
    try addProject()
    let ran = try sh("git \(command)")
    #expect(ran.output.contains("CONFLICT"), "\(ran.output)")
    let (notes, hints) = try stopped()
    #expect(notes == nil)
    #expect(hints.first?.contains("into another folder") == true, "\(hints)")
  }

  @Test func `a merge that takes a project out of a folder is left to the user`() throws {
    try addProject()
    try sh(
      "git tag box; git switch -qC main project; mkdir .slipbox; git show box:.slipbox/config.yaml >.slipbox/config.yaml"
    )
    let ran = try sh("git merge -X subtree=dir box")
    #expect(ran.output.contains("CONFLICT"), "\(ran.output)")
    let (notes, hints) = try stopped()
    #expect(notes == nil)
    #expect(hints.first?.contains("into another folder") == true, "\(hints)")
  }

  @Test(arguments: [("", "dir"), ("dir", "")])
  func `a folder that a side renamed is no merge into another folder`(from: String, to: String) throws {
    let (old, new) = (from.isEmpty ? "." : from, to.isEmpty ? "." : to)
    try sh(
      """
      mkdir -p dir; [ \(old) = . ] || git mv a.md b.md dir/; git commit -qam base --allow-empty
      git switch -qC theirs; sed -i s/two/due/ \(old)/a.md; printf '# New\\n' >\(old)/new.md
      git add -A; git commit -qm theirs; git switch -q main; mkdir -p dir
      git mv \(old)/a.md \(old)/b.md \(new)/; sed -i s/two/dos/ \(new)/a.md; git commit -qam ours
      """)
    let ran = try sh("git merge theirs")
    #expect(ran.output.contains("CONFLICT"), "\(ran.output)")
    #expect(try stopped().notes != nil)
  }

  @Test(arguments: [
    // Both sides moved and edited the note.
    (
      "mkdir f; git mv a.md f/; sed -i s/two/due/ f/a.md",
      "mkdir g; git mv a.md g/; sed -i s/four/vier/ g/a.md", ""
    ),
    (
      "mkdir f; git mv a.md f/; sed -i s/two/due/ f/a.md",
      "mkdir g; git mv a.md g/; sed -i s/two/dos/ g/a.md", ""
    ),
    ("mkdir f; git mv a.md f/; sed -i s/two/due/ f/a.md", "sed -i s/two/dos/ a.md", ""),
    ("sed -i s/two/due/ a.md", "mkdir g; git mv a.md g/; sed -i s/two/dos/ g/a.md", ""),
    // The stash has staged changes.
    ("sed -i s/two/due/ a.md; echo x >>b.md; git add b.md", "sed -i s/two/dos/ a.md", "--index"),
    ("sed -i s/two/due/ a.md; git rm -q b.md", "sed -i s/two/dos/ a.md", "--index"),
  ])
  func `a stash whose changes are in conflict is merged`(mine: String, theirs: String, option: String) throws
  {
    let ran = try sh("\(mine); git stash -q; \(theirs); git commit -qam later; git stash pop \(option)")
    #expect(ran.output.contains("CONFLICT"), "\(ran.output)")
    let notes = try #require(try stopped().notes)
    #expect(notes.operation == .stash && notes.left.isEmpty)
    let done = try BoxWriter(try box.snapshot().box, context(in: box.folder.path)).finishStopped()
    #expect(done.stops.last?.left.isEmpty == true)
    let text = try sh("cat *.md */*.md 2>/dev/null; git ls-files --unmerged; git stash list | wc -l").output
    #expect(text.contains("due") && !text.contains("<<<<") && text.hasSuffix("1\n"), "\(text)")
    #expect(text.contains("vier") || text.contains("dos"), "\(text)")
    #expect(text.split(separator: "\n").count { $0 == "id: kqzmvtrp" } == 1, "\(text)")
  }

  @Test(arguments: ["git checkout --ours b.md; git add b.md", "git checkout -q HEAD -- b.md"])
  func `a stash of which the user settled a note as in HEAD is merged`(user: String) throws {
    let edit = { (word: String) in "sed -i s/two/\(word)/ a.md; sed -i s/ours/\(word)/ b.md" }
    try sh("\(edit("due")); git stash -q; \(edit("dos")); git commit -qam later")
    let ran = try sh("git stash pop; \(user); git status --short")
    #expect(ran.output.contains("UU a.md") && !ran.output.hasSuffix("b.md"), "\(ran.output)")
    let notes = try #require(try stopped().notes)
    #expect(notes.operation == .stash && notes.left.isEmpty)
    _ = try BoxWriter(try box.snapshot().box, context(in: box.folder.path)).finishStopped()
    #expect(try sh("grep -c 'due\\|dos' a.md b.md").output == "a.md:2\nb.md:1\n")
  }

  @Test func `conflicts of a squash are not those of another stash`() throws {
    try sh("mkdir f; echo more >>a.md; git stash -q; sed -i s/two/dos/ a.md; git commit -qam dos")
    let ran = try sh("git merge --squash theirs")
    #expect(ran.output.contains("CONFLICT"), "\(ran.output)")
    #expect(try stopped().notes == nil)
  }

  @Test(arguments: [
    ("cherry-pick theirs~2..theirs", "git commit -qam own"),
    ("cherry-pick theirs~2..theirs", "git commit -qa --no-edit"),
    (
      "cherry-pick theirs~2..theirs",
      "git commit -qa --reset-author -m own; echo x >>b.md; git commit -qam further"
    ),
    ("revert --no-edit theirs~1 theirs", "git commit -qam own"),
  ])
  func `a commit that the user made in a series goes on`(command: String, commit: String) throws {
    if command.hasPrefix("revert") { try sh("git merge -q --no-edit theirs") }
    try sh("sed -i 's/two/dos/; s/due/dos/' a.md; git commit -qam dos")
    let ran = try sh("git \(command)")
    #expect(ran.output.contains("CONFLICT"), "\(ran.output)")
    let done = try sh("sed -i '/^[<>|=]\\{7\\}/d' a.md; \(commit)")
    let hints = try stopped().hints
    let name = command.split(separator: " ")[0]
    #expect(hints.first == "finish it with: git \(name) --continue", "\(done.output) \(hints)")
    #expect(try sh("git -c core.editor=true \(name) --continue").status == 0)
  }

  @Test func `a commit of the user before a step that git could not begin is none of the series`() throws {
    try sh("echo more >>a.md; git cherry-pick theirs~2..theirs; git commit -qam mine")
    #expect(try stopped().hints.first?.contains("would leave it out") == true)
  }

  @Test(arguments: ["--merge", "--apply"])
  func `a step of a rebase that the user committed is not merged again`(way: String) throws {
    try sh(
      """
      git switch -q theirs; git reset -q --hard HEAD~2; sed -i s/two/due/ a.md; sed -i s/text/theirs/ b.md
      git commit -qam both; git switch -q main; sed -i s/two/dos/ a.md; git checkout -q HEAD~1 b.md
      git commit -qam dos; git switch -q theirs
      """)
    let ran = try sh("git rebase \(way) main")
    #expect(ran.output.contains("CONFLICT"), "\(ran.output)")
    // The user drops the change of b.md.
    try sh(
      "git checkout -q main -- b.md; git checkout -q --ours a.md; sed -i s/one/uno/ a.md; git commit -qam own"
    )
    let notes = try #require(try stopped().notes)
    #expect(notes.paths.isEmpty && notes.left.isEmpty)
    _ = try BoxWriter(try box.snapshot().box, context(in: box.folder.path)).finishStopped()
    #expect(
      try sh("git status --porcelain; git symbolic-ref HEAD; cat b.md").output.contains("theirs") == true)
    #expect(box.text("b.md")?.contains("theirs") == false)
    #expect(box.text("a.md")?.contains("uno") == true && box.text("a.md")?.contains("dos") == true)
  }
}
