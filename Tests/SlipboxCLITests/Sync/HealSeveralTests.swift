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
