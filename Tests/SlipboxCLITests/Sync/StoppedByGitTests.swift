import Foundation
import SlipboxTesting
import Testing

/// Merges, rebases, cherry-picks and reverts at which plain git stopped, and that a sync finishes.
@Suite struct StoppedByGitTests {
  /// What main and the branch "theirs" do to the same notes.
  struct Conflict: Sendable, CustomTestStringConvertible {
    let name: String
    let ours: String
    let theirs: String
    /// What the files have afterwards, as lines for sh that exit with 0.
    let after: String
    var testDescription: String { name }
  }

  static let conflicts = [
    Conflict(
      name: "fields and text of one note", ours: "sed -i 's/^rating: 1/rating: 2/; s/one/uno/' a.md",
      theirs: "sed -i 's/^state: x/state: y/; s/two/due/' a.md",
      after: "grep -q 'rating: 2' a.md && grep -q 'state: y' a.md && grep -q uno a.md && grep -q due a.md"),
    Conflict(
      name: "one field of one note", ours: "sed -i 's/^rating: 1/rating: 2/' a.md",
      theirs: "sed -i 's/^rating: 1/rating: 3/' a.md",
      after: "grep -q '^conflicts:' a.md && grep -q 'rating: 2' a.md && grep -q 'rating: 3' a.md"),
    Conflict(
      name: "moved to two places and edited", ours: "mkdir p; git mv a.md p/a.md",
      theirs: "mkdir q; git mv a.md q/a.md; echo more >>q/a.md",
      after: "test $(ls p/a.md q/a.md 2>/dev/null | wc -l) = 1 && grep -q more */a.md"),
    Conflict(
      name: "deleted here, edited there", ours: "git rm -q b.md", theirs: "echo more >>b.md",
      after: "grep -q more b.md"),
    Conflict(
      name: "edited here, deleted there", ours: "echo more >>b.md", theirs: "git rm -q b.md",
      after: "grep -q more b.md"),
    Conflict(
      name: "added at one path", ours: "printf '# New\\n\\nours\\n' >n.md",
      theirs: "printf '# New\\n\\ntheirs\\n' >n.md",
      after: "cat n*.md | grep -q ours && cat n*.md | grep -q theirs"),
    Conflict(
      name: "a kind that both changed",
      ours: "printf 'fields:\\n  x: {type: text}\\nurl: a\\n' >.slipbox/kinds/k.yaml",
      theirs: "printf 'fields:\\n  y: {type: text}\\nurl: b\\n' >.slipbox/kinds/k.yaml",
      after: "! grep -q '<<<<' .slipbox/kinds/k.yaml"),
    Conflict(
      name: "settings that both changed", ours: "echo 'inbox: A' >>.slipbox/config.yaml",
      theirs: "echo 'inbox: B' >>.slipbox/config.yaml",
      after: "! grep -q '<<<<' .slipbox/config.yaml && grep -q '^inbox: [AB]' .slipbox/config.yaml"),
  ]

  static let operations = ["merge", "rebase", "cherry-pick", "revert"]

  private let shell: Shell

  init() throws { shell = try Shell() }

  @discardableResult
  private func sh(_ line: String, in folder: String = "a") throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/" + folder, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  /// A clone in which git stopped at a conflict.
  private func stop(
    _ conflict: Conflict, _ operation: String, and also: (ours: String, theirs: String)? = nil
  ) throws {
    try sh("git init -q --bare -b main hub.git; slip init -q b", in: ".")
    let note = "---\\nid: kqzmvtrp\\ntitle: A\\nrating: 1\\nstate: x\\n---\\none\\n\\ntwo\\n\\nthree\\n"
    try sh(
      """
      git remote add origin ../hub.git; mkdir -p .slipbox/kinds
      printf -- '\(note)' >a.md; printf '# B\\n\\ntext\\n' >b.md; printf 'base\\n' >other.txt
      printf 'fields: {}\\n' >.slipbox/kinds/k.yaml
      git add -A; git commit -qm base; git push -qu origin main; git branch theirs; cd ..; git clone -q hub.git a
      """, in: "b")
    // The clone has run no command of slip, so it has no merge driver.
    try sh(
      """
      git switch -qc theirs; \(conflict.theirs); \(also?.theirs ?? ":"); git add -A; git commit -qm theirs
      git switch -q main; \(conflict.ours); \(also?.ours ?? ":"); git add -A; git commit -qm ours
      """)
    switch operation {
    case "merge": try sh("git merge theirs")
    case "rebase": try sh("git switch -q theirs; git rebase main; git branch -f kept theirs")
    case "cherry-pick": try sh("git cherry-pick theirs")
    default:
      // The revert of theirs' inverse brings theirs again.
      try sh(
        "git switch -qc back theirs; git revert --no-edit theirs; git switch -q main; git revert --no-edit back"
      )
    }
    let status = try sh("git status").output
    #expect(status.contains("You are currently") || status.contains("unmerged"), "\(status)")
  }

  /// Merges the notes at which git stopped. slip leaves the commit of a revert to the user, because git's state is the same
  /// after `git revert --no-commit`.
  private func finish(_ operation: String) throws -> (status: Int32, output: String) {
    let tip = try sh("git rev-parse HEAD").output
    let done = try sh("slip sync --yes")
    guard operation == "revert", done.status == 75 else {
      #expect(done.output.contains("is finished"), "\(done.output)")
      return done
    }
    #expect(done.output.contains("commit it with: git revert --continue"), "\(done.output)")
    #expect(try sh("git rev-parse HEAD").output == tip)
    let status = try sh("slip status").output
    #expect(status.contains("commit it with: git revert --continue"), "\(status)")
    let again = try sh("slip resolve --yes")
    #expect(again.status == 75 && again.output.contains("git revert --continue"), "\(again.output)")
    let committed = try sh("GIT_EDITOR=true git revert --continue")
    #expect(committed.status == 0, "\(committed.output)")
    let after = try sh("slip sync --yes")
    return (after.status, done.output + after.output)
  }

  private func check(_ conflict: Conflict, _ operation: String) throws {
    #expect(try sh("git status --porcelain").output == "")
    #expect(
      try sh("ls -d .git/MERGE_HEAD .git/rebase-merge .git/CHERRY_PICK_HEAD .git/REVERT_HEAD").output
        .contains("No such"))
    #expect(try sh("git grep -E '^(<<<<<<<|>>>>>>>) ' -- '*.md'").output == "")
    #expect(try sh("git fsck --strict").status == 0)
    let doctor = try sh("slip doctor").output
    let isClean = doctor.contains("no problems") || doctor.contains("a merge kept both versions")
    #expect(isClean || conflict.name == "a kind that both changed", "\(doctor)")
    #expect(!doctor.contains("no end line"), "\(doctor)")
    let after = try sh("set -e; \(conflict.after)")
    let log = try sh("git log -3 --stat; head -50 *.md */*.md").output
    #expect(after.status == 0, "\(log)")
  }

  @Test(arguments: conflicts, operations)
  func `a sync merges the notes and finishes what git began`(conflict: Conflict, operation: String) throws {
    try stop(conflict, operation)
    let before = try sh("git status --porcelain; cat *.md").output
    let refused = try sh("slip sync")
    #expect(refused.status == 75 && refused.output.contains("slip resolve --yes"), "\(refused.output)")
    let shown = try sh("slip sync --dry-run")
    #expect(shown.output.contains("is in progress"), "\(shown.output)")
    #expect(try sh("git status --porcelain; cat *.md").output == before)
    let done = try finish(operation)
    try check(conflict, operation)
    let tips = try sh("git rev-parse HEAD origin/main").output
    #expect(
      try sh("echo later >>b.md; slip sync --dry-run; git checkout -q b.md").output.contains(
        "nothing to finish"))
    #expect(try sh("git rev-parse HEAD origin/main").output == tips)
    // Nobody has published the branch of the rebase.
    #expect(done.status == 0 || operation == "rebase", "\(done.output)")
  }

  @Test(arguments: operations)
  func `conflicts in other files are left to the user`(operation: String) throws {
    let conflict = Self.conflicts[0]
    try stop(conflict, operation, and: ("echo ours >>other.txt", "echo theirs >>other.txt"))
    let left = try sh("slip sync --yes")
    #expect(left.status == 75 && left.output.contains("  other.txt"), "\(left.output)")
    #expect(try sh(conflict.after).status == 0)
    try sh("printf 'both\\n' >other.txt; git add other.txt")
    _ = try finish(operation)
    try check(conflict, operation)
    #expect(try sh("cat other.txt").output == "both\n")
  }

  @Test(arguments: operations)
  func `what the user has edited stays`(operation: String) throws {
    let conflict = Conflict(
      name: "two notes", ours: "sed -i 's/one/uno/' a.md; sed -i 's/text/ours/' b.md",
      theirs: "sed -i 's/one/un/' a.md; sed -i 's/text/theirs/' b.md", after: "grep -q 'by hand' b.md")
    try stop(conflict, operation)
    try sh("printf '# B\\n\\nby hand\\n' >b.md; git add b.md")
    let done = try finish(operation)
    #expect(done.output.contains("kept as they are:\n  b.md"), "\(done.output)")
    try check(conflict, operation)
    #expect(try sh("cat b.md").output == "# B\n\nby hand\n")
  }

  /// Clones in which the file of a note holds only ours after git stopped, or git's markers.
  @Test(arguments: ["markers", "binary", "failed driver"], operations)
  func `text saved meanwhile is joined to the merged note, in a commit of its own`(
    how: String, operation: String
  ) throws {
    let attributes =
      switch how {
      case "binary": "echo '*.md -merge' >.gitattributes; git add .gitattributes; git commit -qm attributes;"
      case "failed driver":
        "git config merge.broken.driver false; echo '*.md merge=broken' >.git/info/attributes;"
      default: ""
      }
    let conflict = Conflict(
      name: "two lines", ours: "\(attributes) sed -i 's/^one/uno/' a.md", theirs: "sed -i 's/^one/un/' a.md",
      after:
        "grep -q uno a.md && grep -q un$ a.md && grep -q 'saved meanwhile' a.md && grep -q 'and here' b.md")
    try stop(conflict, operation)
    let saved = try sh("slip append A 'saved meanwhile'; slip append b.md 'and here'")
    #expect(saved.output.contains("saved, not committed"), "\(saved.output)")
    _ = try finish(operation)
    let log = try sh("slip commit; git log -4 --format=%s").output
    // A revert is committed by the user: the joined text is part of it.
    #expect((operation == "revert" || log.contains("Append to: A")) && log.contains("Append to: B"), "\(log)")
    try check(conflict, operation)
    #expect(try sh("git stash list").output == "")
  }

  @Test(arguments: operations)
  func `a folder in the place of a note is no conflict`(operation: String) throws {
    let conflict = Conflict(
      name: "a folder", ours: "echo more >>b.md",
      theirs: "git rm -q b.md; mkdir b.md; printf '# Inside\\n' >b.md/in.md",
      after: "test -f b.md/in.md && grep -lr more --include='*.md' . | grep -qv 'b.md/in'")
    try stop(conflict, operation)
    _ = try finish(operation)
    try check(conflict, operation)
    #expect(try sh("ls").output.contains("~") == false)
  }

  @Test func `a rebase that was killed between two commits is continued`() throws {
    try stop(Self.conflicts[0], "rebase")
    // As a killed `git rebase --continue` leaves it: the note is written and added, and git has noted nothing yet.
    try sh("git checkout -q --theirs a.md; git add a.md; rm -f .git/AUTO_MERGE .git/REBASE_HEAD")
    let done = try sh("slip sync --yes")
    #expect(done.output.contains("the rebase is finished"), "\(done.output)")
    #expect(try sh("git status --porcelain; ls -d .git/rebase-merge").output.contains("No such"))
  }

  @Test func `a note that is half resolved is left to the user`() throws {
    try stop(Self.conflicts[0], "merge")
    try sh("sed -i '0,/^=======/{/^=======/d}' a.md")
    let text = try sh("cat a.md").output
    let left = try sh("slip sync --yes")
    #expect(left.status == 75 && left.output.contains("  a.md"), "\(left.output)")
    #expect(try sh("cat a.md").output == text)
  }

  @Test func `an edit beside the conflicts is joined to the merged note`() throws {
    try stop(Self.conflicts[0], "merge")
    try sh("sed -i 's/^title: A/title: Changed/' a.md")
    let done = try sh("slip sync --yes")
    #expect(done.output.contains("the merge is finished"), "\(done.output)")
    #expect(try sh("\(Self.conflicts[0].after) && grep -q '^title: Changed' a.md").status == 0)
  }

  @Test func `a rebase of several commits goes on to its end, and stops where the user wanted to edit`()
    throws
  {
    try stop(Self.conflicts[1], "merge")
    try sh(
      "git merge --abort; git switch -q theirs; sed -i 's/^rating: 3/rating: 4/' a.md; git commit -qam four")
    try sh("echo more >>b.md; git commit -qam five; git rebase main")
    #expect(try sh("slip sync --yes").output.contains("the rebase is finished"))
    #expect(try sh("git log --format=%s main..theirs").output == "five\nfour\ntheirs\n")
    try sh("GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -i HEAD~1")
    let edit = try sh("slip sync --yes")
    #expect(edit.status == 75 && edit.output.contains("a rebase is in progress"), "\(edit.output)")
  }
}
