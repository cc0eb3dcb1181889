import SlipboxTesting
import Testing

/// Commits and histories that git replaces by others; see git-replace(1). slip reads the originals.
@Suite struct ReplacedCommitTests {
  private let shell: Shell

  /// A box with a remote whose note has the lines one to three, each of a commit of git.
  init() throws {
    shell = try Shell()
    try shell.output("git init -q --bare -b main hub.git; slip init -q a")
    try shell.output(
      """
      git remote add origin ../hub.git; printf -- '---\\nid: kqzmvtrp\\n---\\none\\n' >a.md; slip commit -q
      for line in two three; do echo $line >>a.md; git commit -qam $line; done; git push -qu origin main
      """, in: "a")
  }

  private func sh(_ line: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/a", seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  /// Replaces the commit of HEAD by one whose note has another line.
  private func replaceHead() throws {
    try shell.output(
      """
      head=$(git rev-parse HEAD); echo replaced >>a.md; git commit -qam other; tree=$(git rev-parse HEAD^{tree})
      git reset -q --hard $head; git replace $head $(git commit-tree -p HEAD~1 -m other $tree); git reset -q --hard
      """, in: "a")
    #expect(try sh("grep -c replaced a.md; git status --porcelain").output == "1\n")
  }

  @Test(
    arguments: ["slip set a.md x:1", "slip append a.md four", "slip sync"], [":", "git pack-refs --all"])
  func `no commit is made on a commit whose files git replaces`(command: String, before: String) throws {
    try replaceHead()
    let tip = try sh("\(before); git rev-parse HEAD").output
    let refused = try sh(command)
    #expect(refused.status == 78, "\(refused.output)")
    #expect(refused.output.contains("git replace gives HEAD's commit"), "\(refused.output)")
    #expect(refused.output.contains("git replace -d"), "\(refused.output)")
    #expect(try sh("git rev-parse HEAD; grep -c replaced a.md").output == "\(tip)1\n")
    let done = try sh("git commit -qam 'Take the replaced files' --allow-empty; slip set a.md y:1")
    #expect(done.status == 0, "\(done.output)")
    #expect(try sh("git status --porcelain; git show HEAD:a.md | grep -c replaced").output == "1\n")
  }

  @Test(arguments: [
    "git replace --graft HEAD~1", "git replace HEAD $(git commit-tree -p HEAD~1 -m told HEAD^{tree})",
  ])
  func `a graft or a replaced message is no obstacle`(replace: String) throws {
    let done = try sh("\(replace); slip append a.md four -q && slip sync -q && git status --porcelain")
    #expect(done.status == 0 && !done.output.contains("a.md"), "\(done.output)")
    #expect(try shell.output("git clone -q hub.git c; tail -2 c/a.md") == "three\nfour\n")
  }
}
