import Foundation
import Git
import SlipboxTesting
import Testing

/// Where HEAD stands and what git is in the middle of.
@Suite struct HeadTests {
  @Test func readsBranchesLooseAndPacked() throws {
    let test = try TestRepository()
    #expect(try test.repository.head() == .branch(name: "main", tip: test.id("HEAD")))
    try test.git("switch", "-q", "-c", "work/deep")
    try test.git("pack-refs", "--all")
    #expect(try test.repository.head() == .branch(name: "work/deep", tip: test.id("HEAD")))
    try test.git("switch", "-q", "--detach")
    #expect(try test.repository.head() == .detached(test.id("HEAD")))
    try test.git("switch", "-q", "--orphan", "fresh")
    #expect(try test.repository.head() == .branch(name: "fresh", tip: nil))
  }

  @Test func followsBranchesThatStandForOthers() throws {
    let test = try TestRepository()
    try test.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    try test.git("symbolic-ref", "HEAD", "refs/heads/alias")
    #expect(try test.repository.head().tip == test.id("main"))
    let commit = try test.change("a.md", "by another name\n")
    #expect(try test.id("main") == commit)
    #expect(test.folder.read(".git/HEAD") == Array("ref: refs/heads/alias\n".utf8))
    try test.verify()
    try test.git("symbolic-ref", "refs/heads/main", "refs/heads/alias")
    #expect(gitError { try test.repository.head() } != nil)
  }

  @Test func namesTheLastGoodCommitOfADamagedBranch() throws {
    let test = try TestRepository()
    let good = try test.id("HEAD")
    try test.folder.write(".git/refs/heads/main", [UInt8](repeating: 0, count: 41))
    let error = gitError { try test.repository.head() }
    #expect(error?.reason == .damaged(object: "refs/heads/main"))
    #expect(error?.message.contains(good.hex) == true)
  }

  @Test func seesEveryOperation() throws {
    let test = try TestRepository(["a.md": "one\n"])
    try test.git("switch", "-q", "-c", "side")
    for text in ["side\n", "side two\n"] {
      try test.folder.write("a.md", text)
      try test.git("commit", "-q", "-am", text)
    }
    try test.git("format-patch", "-q", "-1", "side~1", "-o", test.folder.path + "/.git")
    try test.git("switch", "-q", "main")
    try test.folder.write("a.md", "main\n")
    try test.git("commit", "-q", "-am", "main")
    #expect(test.repository.operationUnderWay == nil)
    let cases: [([String], Repository.Operation, [String])] = [
      (["merge", "side"], .merge, ["merge", "--abort"]),
      (["rebase", "side"], .rebase, ["rebase", "--abort"]),
      (["rebase", "--apply", "side"], .rebase, ["rebase", "--abort"]),
      (["cherry-pick", "side"], .cherryPick, ["cherry-pick", "--abort"]),
      (["cherry-pick", "side~1", "side"], .cherryPick, ["cherry-pick", "--abort"]),
      (["revert", "side"], .revert, ["revert", "--abort"]),
      (["am", ".git/0001-side.patch"], .applyMailbox, ["am", "--abort"]),
      (["bisect", "start"], .bisect, ["bisect", "reset"]),
    ]
    for (begin, operation, end) in cases {
      _ = try run("git", begin, in: test.folder.path)
      #expect(test.repository.operationUnderWay == operation, "\(begin)")
      _ = try run("git", end, in: test.folder.path)
      #expect(test.repository.operationUnderWay == nil, "\(end)")
    }
  }

  @Test func knowsShallowClones() throws {
    let test = try TestRepository()
    try test.change("a.md", "two\n")
    #expect(!test.repository.isShallow)
    let clone = try TemporaryFolder()
    try clone.git("clone", "-q", "--depth", "1", "file://\(test.folder.path)", "c")
    let repository = try TestRepository.open(clone.path + "/c")
    #expect(repository.isShallow)
    var seen = 0
    try repository.history(from: try #require(repository.head().tip), touching: []) { _ in
      seen += 1
      return true
    }
    #expect(seen == 1)
    let times = try repository.pathTimes(at: test.id("HEAD"), under: [], cache: nil)
    #expect(times[Array("a.md".utf8)]?.modifiedBy == (try test.id("HEAD")))
  }
}
