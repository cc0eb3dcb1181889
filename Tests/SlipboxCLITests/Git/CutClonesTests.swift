import Foundation
import SlipboxTesting
import Testing

/// Clones that hold a part of the history: shallow ones and partial ones.
@Suite struct CutClonesTests {
  private let shell: Shell

  /// Makes `hub`, and `a`, a clone with two notes, one of them deleted.
  init() throws {
    shell = try Shell()
    try sh(
      """
      git init -q --bare -b main hub && git -C hub config uploadpack.allowFilter true && git clone -q hub a && cd a
      slip init -q . && slip new One -b first -q && slip new Two -b 'the needle' -q
      slip rm Two --yes -q && slip append One second -q && slip sync -q
      """)
  }

  @discardableResult
  private func sh(_ lines: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(lines)
    return (ran.status, ran.output + ran.errors)
  }

  private func clone(_ options: String) throws { try sh("git clone -q \(options) file://$PWD/hub c") }

  /// What git finds wrong in the clone.
  private func faults() throws -> String {
    try sh("cd c && git status --porcelain && git fsck --strict --no-dangling").output
  }

  @Test func `a shallow clone pushes and says where it stands`() throws {
    try clone("--depth 1")
    try sh("cd c && slip new Three -q")
    let status = try sh("cd c && slip status")
    #expect(status.status == 0 && status.output.contains("1 commit ahead of origin/main"))
    #expect(try sh("cd c && slip sync").status == 0)
    #expect(try sh("git -C hub log -1 --format=%s").output == "New note: Three\n")
    #expect(try faults() == "")
  }

  @Test func `a shallow clone merges what it has in common`() throws {
    try clone("--depth 1")
    try sh("cd c && slip append One here -q; cd ../a && slip new Four -q && slip sync -q")
    #expect(try sh("cd c && slip sync").status == 0)
    #expect(try sh("cd c && slip list --count && slip show One").output.contains("here"))
    #expect(try sh("git -C hub rev-parse main").output == sh("git -C c rev-parse HEAD").output)
    #expect(try faults() == "")
  }

  @Test func `a shallow clone says how to get the common commit, and changes nothing`() throws {
    try clone("--depth 1")
    try sh("cd c && slip append One here -q; cd ../a && slip append One there -q && slip sync -q")
    // The next fetch is cut too, above what both have in common.
    try sh("cd c && git fetch -q --depth 1")
    let before = try sh("git -C c rev-parse HEAD; git -C hub rev-parse main").output
    let refused = try sh("cd c && slip sync")
    #expect(refused.status == 69 && refused.output.contains("git fetch --unshallow"))
    #expect(try sh("git -C c rev-parse HEAD; git -C hub rev-parse main").output == before)
    #expect(try sh("cd c && git fetch -q --unshallow && slip sync").status == 0)
    #expect(try sh("cd c && slip show One").output.contains("there"))
    #expect(try faults() == "")
  }

  private static let questions = [
    "slip list --deleted", "slip search --history needle", "slip restore Two", "slip diff One HEAD~1",
    "slip show One --as-of HEAD~1", "slip log One", "slip undo",
  ]

  @Test(arguments: questions, ["blob:none", "tree:0"])
  func `a partial clone answers as a whole one`(_ question: String, filter: String) throws {
    try clone("--filter=\(filter)")
    try sh("git clone -q hub whole")
    let answer = try sh("cd c && \(question)")
    let expected = try sh("cd whole && \(question)")
    #expect(answer.status == 0 && answer == expected)
    #expect(try faults() == "")
  }

  @Test(arguments: ["list --deleted", "restore Two", "search --history needle"])
  func `a partial clone without its remote says so`(_ command: String) throws {
    try clone("--filter=blob:none")
    try sh("mv hub away")
    let refused = try sh("cd c && slip \(command)")
    #expect(refused.status == 69 && refused.output.contains("this clone is partial"))
  }

  @Test func `a partial clone fetches all that is missing in one process`() throws {
    try clone("--filter=blob:none")
    try sh("cd c && GIT_TRACE=$PWD/../trace slip search --history needle -q")
    let fetches = try sh("grep -c 'built-in: git fetch' trace").output
    #expect(fetches == "1\n")
  }

  @Test func `completion fetches nothing`() throws {
    try clone("--filter=blob:none")
    try sh("cd c && GIT_TRACE=$PWD/../trace slip complete -- restore T; true")
    #expect(try sh("grep -c 'built-in: git fetch' trace").output != "1\n")
  }

  @Test(
    .enabled(if: !Machine.isRoot || Machine.has("setpriv"), "needs setpriv"),
    arguments: ["objects", "refs/remotes"])
  func `a clone that can't be written is not blamed on the remote`(_ folder: String) throws {
    try clone("")
    try sh("cd a && slip append One third -q && slip sync -q; cd ../c && chmod -R a-w .git/\(folder)")
    defer { _ = try? sh("chmod -R u+w c") }
    let asUser =
      getuid() == 0
      ? "chown -R 65534 . && setpriv --reuid 65534 --clear-groups env HOME=$PWD GIT_CONFIG_GLOBAL=/dev/null "
      : ""
    let refused = try sh("\(asUser)sh -c 'cd c && slip sync'")
    #expect(
      refused.status == 77 && refused.output.contains("the git directory of this clone can't be written"))
  }
}
