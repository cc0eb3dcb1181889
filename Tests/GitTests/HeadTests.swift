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
    guard case .lostBranch(commit: good.hex, let cure)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.message.contains(good.hex) == true)
    #expect(cure.last == "restore the branch with: git update-ref refs/heads/main \(good.hex)")
  }

  /// A branch that had commits is never taken for one that is not born yet.
  @Test(arguments: ["empty", "cut", "gone", "garbled", "empty branch", "NUL bytes"])
  func neverTakesALostBranchForANewOne(_ damage: String) throws {
    let test = try TestRepository()
    let good = try test.id("HEAD")
    try test.git("tag", "-a", "-m", "x", "one")
    try test.git("pack-refs", "--all")
    let packed = test.folder.path + "/.git/packed-refs"
    switch damage {
    case "empty": try test.folder.write(".git/packed-refs", "")
    case "cut": #expect(truncate(packed, 80) == 0)
    case "gone": unlink(packed)
    case "garbled":
      try test.folder.write(".git/packed-refs", (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 131) })
    default:
      try test.folder.write(
        ".git/refs/heads/main", damage == "NUL bytes" ? [UInt8](repeating: 0, count: 41) : [])
    }
    for logs in [".git/logs/refs/heads/main", ".git/logs/HEAD"] {
      let error = gitError { try test.reopened().head() }
      guard case .lostBranch(let commit, let cure)? = error?.reason else {
        Issue.record("\(damage), \(logs): \(String(describing: error))")
        continue
      }
      #expect(commit == good.hex)
      #expect(cure.last?.hasSuffix(good.hex) == true)
      unlink(test.folder.path + "/" + logs)
    }
  }

  @Test func theCureBringsTheBranchBack() throws {
    let test = try TestRepository()
    let good = try test.id("HEAD")
    try test.folder.write(".git/refs/heads/main", "")
    guard case .lostBranch(_, let cure)? = gitError({ try test.reopened().head() })?.reason else {
      Issue.record("not noticed")
      return
    }
    for line in cure {
      guard let colon = line.range(of: ": ") else { continue }
      let done = try run("sh", ["-c", String(line[colon.upperBound...])], in: test.folder.path)
      #expect(done.status == 0, "\(line): \(done.errors)")
    }
    #expect(try test.reopened().head().tip == good)
    try test.verify()
  }

  @Test func aFreshBranchIsNoLostOne() throws {
    let fresh = try TestRepository([:])
    #expect(try fresh.repository.head() == .branch(name: "main", tip: nil))
    let test = try TestRepository()
    try test.git("checkout", "-q", "--orphan", "new")
    #expect(try test.reopened().head() == .branch(name: "new", tip: nil))
    try test.git("pack-refs", "--all")
    #expect(try test.reopened().head() == .branch(name: "new", tip: nil))
    try test.git("checkout", "-q", "-f", "main")
    try test.git("checkout", "-q", "--orphan", "other")
    try test.git("branch", "-D", "main")
    #expect(try test.reopened().head() == .branch(name: "other", tip: nil))
    // Deleted by hand, as some do to begin anew.
    let gone = try TestRepository()
    try gone.git("update-ref", "-d", "HEAD")
    #expect(try gone.reopened().head() == .branch(name: "main", tip: nil))
    let clone = try TemporaryFolder()
    try clone.git("clone", "-q", fresh.folder.path, clone.path + "/c")
    #expect(try TestRepository.open(clone.path + "/c").head().tip == nil)
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
    #expect(test.repository.operation.kind == nil)
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
      #expect(test.repository.operation.kind == operation, "\(begin)")
      _ = try run("git", end, in: test.folder.path)
      #expect(test.repository.operation.kind == nil, "\(end)")
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
    try repository.history.visit(from: try #require(repository.head().tip), touching: []) { _ in
      seen += 1
      return true
    }
    #expect(seen == 1)
    let times = try repository.pathTimes(at: test.id("HEAD"), under: [], cache: nil)
    #expect(times[Array("a.md".utf8)]?.modifiedBy == (try test.id("HEAD")))
  }
}
