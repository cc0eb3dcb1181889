import Foundation
import SlipboxTesting
import Testing

/// Other states in which git stops than that of a plain merge: other strategies, steps of a rebase, killed commands.
@Suite struct StoppedStatesTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  @discardableResult
  private func sh(_ line: String, in folder: String = "a") throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/" + folder, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  /// A clone without a merge driver whose branches "main" and "theirs" changed one note differently.
  private func diverge() throws {
    try sh("git init -q --bare -b main hub.git; slip init -q b", in: ".")
    let note = "---\\nid: kqzmvtrp\\ntitle: A\\nrating: 1\\nstate: x\\n---\\none\\n\\ntwo\\n\\nthree\\n"
    try sh(
      """
      git remote add origin ../hub.git; printf -- '\(note)' >a.md; printf '# B\\n\\ntext\\n' >b.md
      git add -A; git commit -qm base; git push -qu origin main; cd ..; git clone -q hub.git a
      """, in: "b")
    try sh(
      """
      git switch -qc theirs; sed -i 's/two/due/; s/^state: x/state: y/' a.md; git commit -qam theirs
      printf '# C\\n' >c.md; git add -A; git commit -qm more; git switch -q main
      sed -i 's/two/dos/; s/^rating: 1/rating: 2/' a.md; git commit -qam ours
      """)
  }

  private static let both =
    "grep -q dos a.md && grep -q due a.md && grep -q 'state: y' a.md && grep -q 'rating: 2' a.md"

  private func expectFinished(_ done: (status: Int32, output: String), _ operation: String) throws {
    #expect(done.output.contains("the \(operation) is finished"), "\(done.output)")
    let text = try sh("cat a.md").output
    #expect(try sh(Self.both).status == 0, "\(text)")
    #expect(try sh("git status --porcelain").output == "")
    #expect(try sh("git grep -E '^(<<<<<<<|>>>>>>>) ' -- '*.md'").output == "")
  }

  @Test(arguments: ["merge -s recursive", "merge -s resolve", "merge -s subtree", "merge"])
  func `a merge by any strategy is finished`(command: String) throws {
    try diverge()
    try sh("git -c merge.conflictStyle=diff3 \(command) theirs; rm -f .git/AUTO_MERGE")
    try expectFinished(try sh("slip sync --yes"), "merge")
  }

  @Test(arguments: ["--apply", "--merge"])
  func `a rebase by any way is finished`(way: String) throws {
    try diverge()
    try sh("git switch -q theirs; git rebase \(way) main; rm -f .git/AUTO_MERGE")
    try expectFinished(try sh("slip sync --yes"), "rebase")
    #expect(try sh("git log --format=%s -3").output == "more\ntheirs\nours\n")
  }

  @Test(arguments: ["fixup", "squash"])
  func `a conflict at a commit that joins another is merged`(step: String) throws {
    try diverge()
    try sh(
      """
      git switch -qC joined theirs~1; printf '# E\\n' >e.md; git add -A; git commit -qm e
      sed -i 's/due/DUE/' a.md; git commit -qam two
      """)
    try sh("GIT_SEQUENCE_EDITOR='sed -i 3s/pick/\(step)/' git rebase -i main")
    let done = try sh("slip sync --yes")
    if step == "squash" {
      // Git opens the editor for the message.
      #expect(done.output.contains("the rebase stopped before squash"), "\(done.output)")
      try sh("GIT_EDITOR=true git rebase --continue")
      #expect(try sh("git status").output.contains("On branch joined"))
    } else {
      #expect(done.output.contains("the rebase is finished"), "\(done.output)")
    }
    #expect(try sh("git status --porcelain").output == "")
  }

  @Test func `a text by the user stays without the tree that git wrote`() throws {
    try diverge()
    try sh("git merge theirs; rm .git/AUTO_MERGE; sed -i '/^[<>|=]\\{7\\}/d; s/^one/by hand/' a.md")
    let text = try sh("cat a.md").output
    let done = try sh("slip sync --yes")
    #expect(done.output.contains("kept as they are:\n  a.md"), "\(done.output)")
    #expect(try sh("cat a.md").output == text)
  }

  @Test func `a conflict settled with git add stays without the tree that git wrote`() throws {
    try diverge()
    try sh("git merge theirs; git checkout -q --theirs a.md; git add a.md; rm .git/AUTO_MERGE")
    let done = try sh("slip sync --yes")
    #expect(done.output.contains("the merge is finished"), "\(done.output)")
    #expect(try sh("git diff --stat theirs -- a.md").output == "")
  }

  @Test func `an edit beside markers is left to the user without the tree that git wrote`() throws {
    try diverge()
    try sh("git merge theirs; rm .git/AUTO_MERGE; sed -i 's/^three/by hand/' a.md")
    let done = try sh("slip sync --yes")
    #expect(done.status == 75 && done.output.contains("  a.md"), "\(done.output)")
    #expect(try sh("grep -q 'by hand' a.md && grep -q '<<<<' a.md").status == 0)
  }

  @Test(arguments: [
    ("a break", "a break"), ("s/^pick \\(.*more\\)/edit \\1/", "edit"), ("a exec false", "exec false failed"),
  ])
  func `a sync names the step at which a rebase stopped again`(edit: String, words: String) throws {
    try diverge()
    let command = edit.hasPrefix("a ") ? "1\(edit)" : edit
    try sh("git switch -q theirs; GIT_SEQUENCE_EDITOR=\"sed -i '\(command)'\" git rebase -i main")
    let done = try sh("slip resolve --yes")
    #expect(done.status == 75, "\(done.output)")
    #expect(
      !done.output.contains("is finished") && done.output.contains("the rebase stopped"), "\(done.output)")
    #expect(done.output.contains(words.hasPrefix("a ") ? "at: break" : words), "\(done.output)")
    #expect(done.output.contains("git rebase --continue"), "\(done.output)")
    #expect(!done.output.contains("Rebasing") && !done.output.contains("x1b"), "\(done.output)")
    #expect(try sh(Self.both).status == 0)
  }

  @Test func `a step in which git was killed is not left out`() throws {
    try diverge()
    // As a killed git leaves it: the step is noted as done, and its commit is not there.
    try sh(
      """
      git switch -q theirs; GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -i main; cd .git/rebase-merge
      head -1 git-rebase-todo >>done; sed -i 1d git-rebase-todo
      """)
    let tip = try sh("git rev-parse HEAD").output
    let done = try sh("slip sync --yes")
    #expect(done.status == 75 && done.output.contains("git was killed in this step"), "\(done.output)")
    #expect(done.output.contains("git rebase --abort"), "\(done.output)")
    #expect(try sh("git rev-parse HEAD").output == tip)
    #expect(try sh("slip status").output.contains("git was killed in this step"))
  }

  /// An uncommitted change is in the way of the first of two commits. `git cherry-pick --continue` would pick the second one.
  @Test(arguments: ["cherry-pick", "revert"])
  func `a commit that git could not begin to apply is not left out`(operation: String) throws {
    try diverge()
    try sh("git switch -q theirs; printf '# D\\n' >>c.md; git commit -qam again; git switch -q main")
    let commits = operation == "revert" ? "theirs theirs~2" : "theirs~2 theirs"
    try sh("\(operation == "revert" ? "git switch -q theirs;" : "") echo more >>a.md; echo more >>c.md")
    let refused = try sh("git \(operation) --no-edit \(commits)")
    #expect(refused.status != 0 && refused.output.contains("would be overwritten"), "\(refused.output)")
    let done = try sh("slip sync --yes")
    #expect(done.status == 75, "\(done.output)")
    #expect(done.output.contains("git \(operation) --continue would leave it out"), "\(done.output)")
    #expect(done.output.contains("git \(operation) --quit && git \(operation) "), "\(done.output)")
    #expect(try sh("slip status").output.contains("would leave it out"))
    // A commit that the user made of a conflict is no such one.
    try sh("git checkout -q .; rm -f c.md; git checkout -q .; git \(operation) --abort")
    try sh("git \(operation) --no-edit \(commits); git add -A; git commit -q --no-edit")
    #expect(try sh("slip sync --yes").output.contains("would leave it out") == false)
  }

  @Test func `a cherry-pick without commits is left to the user`() throws {
    try diverge()
    let stopped = try sh("git cherry-pick --no-commit theirs~1 theirs")
    #expect(stopped.status != 0 && stopped.output.contains("CONFLICT"), "\(stopped.output)")
    let refused = try sh("slip sync --yes")
    #expect(refused.status == 75, "\(refused.output)")
    let advice = refused.output.split(separator: "\n").first { $0.contains("--quit") }
    let command = try #require(advice?.split(separator: "then run: ").last)
    #expect(command.hasPrefix("git cherry-pick --quit && git cherry-pick --no-commit "), "\(refused.output)")
    // The conflict is settled, the command typed: git takes it, and loses nothing that was settled.
    let settled = try sh("git checkout -q --theirs a.md; git add -A; \(command)")
    #expect(settled.status == 0, "\(settled.output)")
    #expect(try sh("grep -q due a.md && grep -q 'state: y' a.md && grep -q C c.md").status == 0)
    #expect(
      try sh("git diff --cached --name-only; ls .git/sequencer 2>&1 | wc -l").output == "a.md\nc.md\n1\n")
  }

  @Test func `a revert without commits is left to the user`() throws {
    try diverge()
    try sh("git switch -q theirs; sed -i 's/due/later/' a.md; git commit -qam later")
    let stopped = try sh("git revert --no-commit theirs~2 theirs~1")
    #expect(stopped.status != 0 && stopped.output.contains("CONFLICT"), "\(stopped.output)")
    let before = try sh("git rev-parse HEAD; git ls-files -s; cat a.md").output
    let refused = try sh("slip sync --yes")
    #expect(refused.status == 75 && refused.output.contains("git add :/a.md"), "\(refused.output)")
    #expect(try sh("git rev-parse HEAD; git ls-files -s; cat a.md").output == before)
  }

  /// Git notes no options for one commit, and nothing at all of a cherry-pick.
  @Test(arguments: ["revert", "cherry-pick"])
  func `one commit that is applied without a commit is left to the user`(operation: String) throws {
    try diverge()
    try sh(
      "git switch -q theirs; sed -i 's/due/later/' a.md; git commit -qam later; git push -q origin theirs")
    if operation == "cherry-pick" { try sh("git switch -q main") }
    let stopped = try sh("git \(operation) --no-commit \(operation == "revert" ? "theirs~2" : "theirs")")
    #expect(stopped.status != 0 && stopped.output.contains("CONFLICT"), "\(stopped.output)")
    let tips = try sh("git rev-parse HEAD; git ls-remote origin").output
    let done = try sh("slip sync --yes")
    #expect(done.status == 75, "\(done.output)")
    #expect(try sh("git rev-parse HEAD; git ls-remote origin").output == tips)
    guard operation == "revert" else {
      #expect(done.output.contains("git add"), "\(done.output)")
      #expect(try sh("git checkout -q --theirs a.md; git add a.md; slip sync --yes").status == 75)
      #expect(try sh("git rev-parse HEAD; git ls-remote origin").output == tips)
      return
    }
    #expect(done.output.contains("does not record whether it was begun with --no-commit"), "\(done.output)")
    #expect(try sh("git ls-files -u; grep -E '^[<>=]{7}' a.md").output == "")
    #expect(try sh("slip sync --yes").status == 75)
    #expect(try sh("slip status").output.contains("git revert --continue"))
    #expect(try sh("git rev-parse HEAD; git ls-remote origin").output == tips)
    #expect(try sh("git revert --quit; git reset -q; slip status").output.contains("run: slip commit"))
  }

  /// A merge on "theirs" of two branches that changed one note each, which is picked or reverted over one of its parents.
  @Test(arguments: ["cherry-pick", "revert"], [1, 2])
  func `a merge that is picked or reverted over a parent is finished`(operation: String, parent: Int) throws {
    try diverge()
    try sh(
      """
      git switch -qc side theirs~2; sed -i 's/text/text of side/' b.md; git commit -qam side
      git switch -q theirs; git merge -q --no-ff --no-edit side; git tag merge
      """)
    if operation == "revert" {
      try sh("sed -i 's/due/later/' a.md; sed -i 's/of side/of later/' b.md; git commit -qam later")
    } else {
      try sh("git switch -q main; sed -i 's/text/text of main/' b.md; git commit -qam b")
    }
    try sh("git \(operation) -m \(parent) merge")
    let path = parent == 1 ? "b.md" : "a.md"
    #expect(try sh("git ls-files -u | cut -f 2 | uniq").output == "\(path)\n")
    let done = try sh("slip sync --yes")
    let end =
      operation == "revert" ? "commit it with: git revert --continue" : "the \(operation) is finished"
    #expect(done.output.contains(end), "\(done.output)")
    if operation == "revert" { try sh("GIT_EDITOR=true git revert --continue") }
    let words = operation == "revert" ? ["text of later", "later"] : ["text of side", "due"]
    let text = try sh("cat \(path)").output
    #expect(text.contains(words[parent - 1]), "\(text)")
    #expect(try sh("git status --porcelain").output == "")
  }

  @Test(arguments: ["pre-commit", "prepare-commit-msg", "commit-msg"])
  func `a hook of commits can refuse a merge that a sync finishes`(hook: String) throws {
    try diverge()
    let script = "#!/bin/sh\\ngit config core.editor >>../seen; echo $0 >>../ran; echo not so >&2; exit 1\\n"
    try sh("git merge theirs; printf '\(script)' >.git/hooks/\(hook); chmod +x .git/hooks/\(hook)")
    let tip = try sh("git rev-parse HEAD").output
    let refused = try sh("slip sync --yes")
    #expect(refused.status == 77, "\(refused.output)")
    #expect(refused.output.contains("the \(hook) hook refused the commit of the merge"), "\(refused.output)")
    #expect(refused.output.contains("not so") && refused.output.contains("git commit"), "\(refused.output)")
    #expect(try sh("git rev-parse HEAD; ls .git/MERGE_HEAD").output == "\(tip).git/MERGE_HEAD\n")
    #expect(try sh(Self.both).status == 0)
    // The hook is called by its own path, and does not see slip's settings for git.
    let called = try sh("sed 's,.*/a/,,' ../ran; cat ../seen; ls .git | grep scratch").output
    #expect(called == ".git/hooks/\(hook)\n", "\(called)")
    try sh("git config slipbox.hooks skip")
    let done = try sh("slip sync --yes")
    try expectFinished(done, "merge")
  }

  @Test func `the hooks of a commit see the merge and may change its message`() throws {
    try diverge()
    let script = "#!/bin/sh\\ngit diff --cached --name-only | grep -qx a.md && echo Reviewed >>\"$1\"\\n"
    try sh(
      """
      git merge theirs -m Merged; cd .git/hooks; printf '\(script)' >commit-msg
      printf '#!/bin/sh\\necho after >>../ran; false\\n' >post-commit; chmod +x commit-msg post-commit
      """)
    let done = try sh("slip sync --yes")
    try expectFinished(done, "merge")
    #expect(try sh("git log --format=%B; cat ../ran").output.contains("Reviewed\n"))
    #expect(try sh("cat ../ran").output == "after\n")
  }

  @Test func `a lock of git's index is named`() throws {
    try diverge()
    try sh("git merge theirs; touch .git/index.lock .merge_file_aB3dEf")
    let done = try sh("slip sync --yes")
    #expect(done.status == 75 && done.output.contains("index.lock"), "\(done.output)")
    #expect(try sh("rm .git/index.lock; slip doctor").output.contains("rm .merge_file_aB3dEf"))
  }

  @Test func `a symbolic link stays one`() throws {
    try diverge()
    try sh(
      """
      git switch -q theirs; rm b.md; echo x >r.txt; ln -s r.txt b.md; git add -A; git commit -qm link
      git switch -q main
      """
    )
    try sh("echo mine >>b.md; git commit -qam edit; git merge theirs")
    let done = try sh("slip sync --yes")
    #expect(done.output.contains("the merge is finished"), "\(done.output)")
    #expect(
      try sh("git ls-tree HEAD | grep -c ^120000").output == "1\n")
    #expect(try sh("git status --porcelain; cat b*.md | grep -c mine").output == "1\n")
  }
}
