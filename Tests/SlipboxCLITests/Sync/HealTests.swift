import Foundation
import SlipboxTesting
import Testing

/// Repairs of what merges of other programs did to notes.
@Suite struct HealTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  @discardableResult
  private func sh(_ line: String, in folder: String = "a") throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/" + folder, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  /// A box without a merge driver whose branches main and "o" changed what a base has.
  private func branches(base: String, ours: String, theirs: String, merge: String) throws {
    try sh("slip init -q a", in: ".")
    try sh(
      """
      \(base); git add -A; git commit -qm base; git switch -qc o; \(theirs); git add -A; git commit -qm theirs
      git switch -q main; \(ours); git add -A; git commit -qm ours; git config --remove-section merge.slipbox
      rm -f .git/info/attributes; \(merge)
      """)
  }

  @Test(arguments: ["-X theirs", "-X ours", "-s ours"])
  func `two notes at one path are both kept`(option: String) throws {
    try branches(
      base: ":", ours: "printf -- '---\\nid: bcdfghjk\\ntitle: B\\n---\\nbody of b.\\n' >same.md",
      theirs: "printf -- '---\\nid: bcdfghjl\\ntitle: A\\n---\\nbody of a.\\n' >same.md",
      merge: "git merge -q --no-edit \(option) o; echo later >>same.md; git commit -qam later")
    let there = try sh("cat same.md").output
    let found = try sh("slip heal")
    #expect(found.output.contains("dropped the note"), "\(found.output)")
    let path = try sh("slip heal --dry-run | sed -n 's/.*: slip heal \\([^ ]*\\) restores it/\\1/p'").output
    #expect(path.hasPrefix("same-bcdfghj"), "\(found.output)")
    let healed = try sh("slip heal \(path)")
    #expect(healed.status == 0, "\(healed.output)")
    #expect(try sh("cat same.md").output == there)
    #expect(try sh("cat *.md | grep -c '^body of [ab]'").output == "2\n")
    #expect(try sh("slip heal --dry-run").output.contains("no damage found in 1 merge"))
    // A note that somebody deletes afterwards stays deleted.
    try sh("git rm -q \(path)".replacing("\n", with: "") + "; git commit -qm gone")
    #expect(try sh("slip heal --dry-run").output.contains("no damage found"))
  }

  /// Both sides still have committed markers, and one deleted a line between them.
  @Test func `a change between markers that a merge dropped comes back once`() throws {
    let marked = #"<<<<<<< ours\n=======\nFirst.\nSecond.\n>>>>>>> theirs\n"#
    try branches(
      base: "printf -- '---\nid: bcdfghjk\ntitle: A\n---\n\(marked)' >n.md", ours: "echo more >o.md",
      theirs: "sed -i /Second/d n.md", merge: "git merge -q -s ours --no-edit o")
    let first = try sh("slip heal")
    #expect(first.output.contains("n.md: git's conflict markers"), "\(first.output)")
    try sh("slip heal n.md")
    #expect(try sh("slip heal --dry-run").output.contains("no damage found in 1 merge"))
    #expect(try sh("tail -n +5 n.md").output == "First.\n")
    try sh("slip heal n.md")
    #expect(try sh("tail -n +5 n.md; git log --format=%s -1").output == "First.\nHeal A\n")
  }

  /// Clocks differ between devices: commits after the one that made the box may have earlier times.
  @Test func `merges are examined whatever times their commits have`() throws {
    try sh("git init -q -b main a", in: ".")
    try sh("printf -- '---\\nid: bcdfghjk\\n---\\nfirst\\n' >n.md; git add -A; git commit -qm before")
    try sh("slip init -q; git config --remove-section merge.slipbox; rm -f .git/info/attributes")
    try sh(
      """
      export GIT_COMMITTER_DATE=2020-01-01T00:00:00Z GIT_AUTHOR_DATE=2020-01-01T00:00:00Z
      git switch -qc p; echo second >>n.md; git commit -qam p
      git switch -qc o main; echo more >o.md; git add -A; git commit -qm o; git merge -q -s ours --no-edit p
      git switch -q main; git merge -q --no-ff --no-edit o
      """)
    let found = try sh("slip heal --dry-run").output
    #expect(found.contains("n.md: the merge") && found.contains("dropped changes"), "\(found)")
  }

  @Test func `a dropped note is found if another file has its path`() throws {
    try branches(
      base: ":", ours: "echo main >o.md",
      theirs: "printf -- '---\\nid: bcdfghjk\\ntitle: New\\n---\\nits text\\n' >new.md",
      merge: "git merge -q --no-edit -s ours o; echo unlike >new.md; git add -A; git commit -qm unlike")
    let found = try sh("slip heal --dry-run").output
    #expect(found.contains("dropped the note"), "\(found)")
    let path = try sh("slip heal --dry-run | sed -n 's/.*: slip heal \\([^ ]*\\) restores it/\\1/p'").output
    try sh("slip heal \(path)")
    #expect(try sh("cat new.md").output == "unlike\n")
    #expect(try sh("grep -l 'its text' *.md").output == path)
  }

  @Test func `a field of conflicts that can't be settled has a way out`() throws {
    try sh("slip init -q a", in: ".")
    try sh("printf -- '---\\nid: bcdfghjk\\nconflicts: [\"body: null\"]\\n---\\ntext\\n' >n.md")
    try sh("slip commit -q")
    let refused = try sh("slip resolve n.md").output
    #expect(refused.contains("slip set bcdfghjk conflicts:"), "\(refused)")
    try sh("slip set bcdfghjk conflicts: -q")
    #expect(try sh("cat n.md; slip list is:conflicted --count").output == "---\nid: bcdfghjk\n---\ntext\n0\n")
  }

  @Test func `a note moved onto the path of an added one is kept`() throws {
    try branches(
      base: "printf -- '---\\nid: bcdfghjk\\ntitle: B\\n---\\nbody of b.\\n\\nmore\\n' >b.md",
      ours: "git mv b.md same.md",
      theirs: "printf -- '---\\nid: bcdfghjl\\ntitle: A\\n---\\nbody of a.\\n' >same.md",
      merge:
        "git merge -q --no-edit -X theirs o || git checkout -q --theirs same.md; git add -A; git commit -qm m"
    )
    try sh(
      "slip heal --dry-run | sed -n 's/.*: slip heal \\([^ ]*\\) restores it/\\1/p' | xargs -r slip heal"
    )
    let texts = try sh("tail *.md").output
    #expect(try sh("cat *.md | grep -c '^body of [ab]'").output == "2\n", "\(texts)")
  }

  @Test func `a version that is no text is not overwritten`() throws {
    try branches(
      base:
        """
        printf -- '---\\nid: bcdfghjn\\n---\\nl1 \\344\\n' >latin.md
        printf -- '---\\nid: bcdfghjp\\n---\\nl1 \\0\\n' >nul.md
        """,
      ours: "LC_ALL=C sed -i 's/l1/l1 of b/' *.md", theirs: "LC_ALL=C sed -i 's/l1/l1 of a/' *.md",
      merge: "git merge -q -s ours --no-edit o")
    let found = try sh("slip heal")
    #expect(found.output.contains("the versions can't be merged"), "\(found.output)")
    #expect(try sh("slip heal latin.md").status != 0)
    #expect(try sh("slip heal nul.md").status != 0)
    #expect(try sh("cat *.md | grep -ac 'l1 of b'").output == "2\n")
    #expect(try sh("ls *.md | wc -l").output.contains("2"))
  }

  @Test func `markers in code are found if the merge left them`() throws {
    let note = "printf -- '---\\nid: bcdfghjb\\ntitle: F\\n---\\n```\\ncode one\\n```\\n' >n.md"
    try branches(
      base: note, ours: "sed -i 's/code one/code ours/' n.md",
      theirs: "sed -i 's/code one/code theirs/' n.md",
      merge: "git merge -q o; git add -A; git commit -qm bad")
    #expect(try sh("slip heal").output.contains("repaired"))
    let text = try sh("cat n.md").output
    #expect(!text.contains("<<<<") && text.contains("code ours") && text.contains("code theirs"), "\(text)")
    #expect(
      try sh("slip resolve bcdfghjb --keep 1; sed 1,/^title/d n.md").output.hasSuffix(
        "---\n```\ncode ours\n```\n"))
  }

  /// A merge with markers of the style `diff3`, committed, of which both sides changed the line "two".
  private func diff3() throws {
    try branches(
      base: "printf -- '---\\nid: bcdfghjk\\ntitle: A\\n---\\none\\n\\ntwo\\n\\nthree\\n' >a.md",
      ours: "sed -i 's/two/two of main/' a.md", theirs: "sed -i 's/two/two of o/' a.md",
      merge: "git -c merge.conflictStyle=diff3 merge -q o; git add -A; git commit -qm bad")
    #expect(try sh("grep -c '^|||||||' a.md").output == "1\n")
  }

  @Test func `a line of the base that both sides replaced does not come back`() throws {
    try diff3()
    #expect(try sh("slip heal").output.contains("repaired"))
    let text = try sh("cat a.md").output
    #expect(text.contains("two of main\n") && text.contains("two of o\n"), "\(text)")
    #expect(!text.contains("two\n"), "\(text)")
    #expect(try sh("slip resolve bcdfghjk").output.contains("  3  ") == false)
  }

  @Test(arguments: ["heal", "sync"])
  func `a line that somebody wrote into the base of committed markers stays`(way: String) throws {
    try diff3()
    try sh("git init -q --bare -b main hub.git", in: ".")
    try sh("git remote add origin ../hub.git; git push -qu origin main; git clone -q ../hub.git ../b")
    try sh("sed -i 's/^two$/two and written/' a.md; git commit -qam written")
    if way == "heal" {
      #expect(try sh("slip heal").output.contains("repaired"))
    } else {
      try sh("echo four >>a.md; git commit -qam four; git push -q", in: "b")
      let synced = try sh("slip sync")
      #expect(synced.status == 0, "\(synced.output)")
    }
    let text = try sh("cat a.md").output
    for line in ["two of main", "two of o", "two and written", "<!-- slip: end of versions -->"] {
      #expect(text.contains("\(line)\n"), "\(text)")
    }
    #expect(!text.contains("<<<<<<<"), "\(text)")
  }

  /// The other device has one side of the merge, so that the base of the sync is that side.
  @Test func `a sync over committed markers does not bring the base back`() throws {
    try diff3()
    try sh("git init -q --bare -b main hub.git", in: ".")
    try sh(
      """
      git remote add origin ../hub.git; git push -q origin main^2:refs/heads/main; git fetch -q
      git branch -q -u origin/main; git clone -q ../hub.git ../b
      cd ../b; sed -i 's/three/three of b/' a.md; git commit -qam b; git push -q
      """)
    let synced = try sh("slip sync")
    #expect(synced.status == 0, "\(synced.output)")
    let text = try sh("cat a.md").output
    for line in ["two of main", "two of o", "three of b"] { #expect(text.contains("\(line)\n"), "\(text)") }
    #expect(!text.contains("two\n") && !text.contains("<<<<<<<"), "\(text)")
  }

  @Test func `slip resolve settles conflicts that git left in a note`() throws {
    try diff3()
    let shown = try sh("slip resolve a.md")
    #expect(shown.status == 0 && shown.output.contains("keep one version"), "\(shown.output)")
    #expect(try sh("slip resolve a.md --keep 1").status == 0)
    #expect(try sh("grep -c '[<>|]\\{7\\}' a.md").output == "0\n")
    #expect(try sh("slip list is:conflicted --count").output == "0\n")
    try sh("sed -i 's/three/stashed/' a.md; git stash -q")
    try sh("git config --remove-section merge.slipbox; rm -f .git/info/attributes")
    try sh("sed -i 's/three/kept/' a.md; git commit -qam kept; git stash pop")
    for command in ["slip resolve a.md", "slip resolve a.md --keep 1"] {
      let refused = try sh(command)
      #expect(refused.status == 75, "\(refused.output)")
      #expect(refused.output.contains("conflicting versions in git's index"), "\(refused.output)")
      #expect(refused.output.contains("slip resolve --yes"), "\(refused.output)")
    }
  }

  @Test func `an example of a conflict in code stays`() throws {
    let sample = "<<<<<<< HEAD\\nours\\n=======\\ntheirs\\n>>>>>>> topic\\n"
    let text = "---\\nid: bcdfghjc\\n---\\n````\\n```\\n\(sample)```\\n````\\n"
    try branches(
      base: ":", ours: "printf -- '\(text)' >four.md", theirs: "echo x >x.md",
      merge: "git merge -q --no-edit o")
    let before = try sh("cat four.md").output
    #expect(try sh("slip heal").output.contains("no damage found"))
    #expect(try sh("cat four.md").output == before)
  }

  @Test func `settings with markers are read, and merged by heal and by a sync`() throws {
    try branches(
      base: "mkdir -p .slipbox/kinds; printf 'fields: {}\\n' >.slipbox/kinds/k.yaml; printf '# N\\n' >n.md",
      ours: "echo 'inbox: Foo' >>.slipbox/config.yaml; echo 'url: a' >>.slipbox/kinds/k.yaml",
      theirs: "echo 'inbox: Bar' >>.slipbox/config.yaml; echo 'url: b' >>.slipbox/kinds/k.yaml",
      merge: "git merge -q o; git add -A; git commit -qm bad; cd ..; cp -r a b; git init -q --bare hub.git")
    let list = try sh("slip list")
    #expect(list.status == 0 && list.output.contains("slip heal merges them"), "\(list.output)")
    #expect(try sh("slip doctor").output.contains("slip heal merges both versions"))
    let healed = try sh("slip heal")
    #expect(healed.output.contains("config.yaml") && healed.output.contains("k.yaml"), "\(healed.output)")
    let settings = try sh("cat .slipbox/config.yaml; git status --porcelain").output
    #expect(
      settings.contains("inbox: Foo") && settings.contains("# slip: not taken: inbox: Bar"), "\(settings)")
    #expect(try sh("slip list").output.contains("heal") == false)
    let synced = try sh("git remote add origin ../hub.git; slip sync --yes", in: "b")
    #expect(synced.status == 0, "\(synced.output)")
    #expect(
      try sh("cat .slipbox/config.yaml .slipbox/kinds/k.yaml", in: "b").output.contains("<<<<") == false)
  }

  /// A box "a" with a remote, and its clone "b".
  private func clones() throws {
    try sh("slip init -q a; git init -q --bare -b main hub.git", in: ".")
    try sh("git remote add origin ../hub.git; slip new One -q; slip sync -q; cd ..; git clone -q hub.git b")
  }

  /// The first digits of the last commit of "a".
  private func lastCommit() throws -> String {
    String(try sh("git rev-parse HEAD").output.prefix(8))
  }

  @Test func `a fault in fetched settings names the commit and the remote branch`() throws {
    try clones()
    try sh("printf 'path: [\\n' >.slipbox/config.yaml; git commit -qam 'Break it'; git push -q origin main")
    let origin = "commit \(try lastCommit()) of origin/main changed it last ("
    try sh("git pull -q --ff-only origin main", in: "b")
    let listed = try sh("slip list", in: "b")
    #expect(listed.status == 78 && listed.output.contains(origin), "\(listed.output)")
    #expect(listed.output.contains("Break it)"), "\(listed.output)")
    #expect(try sh("slip doctor", in: "b").output.contains(origin))
    // An uncommitted change is the user's own.
    try sh("printf 'daily: [\\n' >.slipbox/config.yaml", in: "b")
    #expect(try sh("slip list", in: "b").output.contains("origin/main") == false)
    try sh("printf 'layout: nowhere\\n' >.slipbox/config.yaml; git commit -qam Name; git push -q origin main")
    let place = "commit \(try lastCommit()) of origin/main changed it last ("
    try sh("git checkout -q .slipbox; git pull -q --ff-only origin main", in: "b")
    let shown = try sh("slip new Two", in: "b")
    #expect(shown.status == 78 && shown.output.contains(place), "\(shown.output)")
  }

  @Test func `settings that both sides changed name the commit and the remote branch`() throws {
    try clones()
    try sh("slip config inbox Inbox1 -q && slip sync -q")
    let synced = try sh("slip config inbox Inbox2 -q && slip sync", in: "b")
    let line = "config.yaml: both versions of inbox; origin/main changed it in commit \(try lastCommit())"
    #expect(synced.output.contains(line), "\(synced.output)")
  }
}
