import Foundation
import Git
import SlipboxTesting
import Testing

/// Locks of git's that are held over several steps, and known again after a crash.
@Suite struct LockTests {
  private func marked(_ test: TestRepository) throws -> LockMark {
    let mark = try LockMark(at: Array((test.folder.path + "/.git/slipbox/lock-mark").utf8))
    test.repository.lockPolicy.mark = mark
    return mark
  }

  private let index = ".git/index.lock"
  private let branch = ".git/refs/heads/main.lock"

  private func path(_ lock: String, _ test: TestRepository) -> [UInt8] {
    Array((test.folder.path + "/" + lock).utf8)
  }

  private func lockInTheWay(_ test: TestRepository) throws -> [UInt8]? {
    guard case .blocked(by: let lock) = try test.repository.tryHolding() else { return nil }
    return lock
  }

  @Test func `releases the locks when the held repository goes`() throws {
    let test = try TestRepository()
    var held: HeldRepository? = try test.repository.hold()
    withExtendedLifetime(held) {
      for lock in [index, branch] { #expect(test.folder.read(lock) != nil) }
    }
    held = nil
    for lock in [index, branch] { #expect(test.folder.read(lock) == nil) }
  }

  @Test(arguments: [false, true]) func keepGitOut(isMarked: Bool) throws {
    let test = try TestRepository()
    if isMarked { _ = try marked(test) }
    let held = try test.repository.hold()
    try test.folder.write("x.md", "x\n")
    #expect(try run("git", ["add", "x.md"], in: test.folder.path).status != 0)
    #expect(try run("git", ["commit", "--allow-empty", "-qm", "x"], in: test.folder.path).status != 0)
    try test.change([Array("a.md".utf8): "held\n"], in: nil, held)
    #expect(test.folder.read(index) != nil)
    held.release()
    #expect(test.folder.read(index) == nil)
    #expect(test.folder.read(branch) == nil)
    try test.git("add", "x.md")
    try test.verify(status: "A  x.md\n")
  }

  @Test(arguments: [".git/index.lock", ".git/refs/heads/main.lock"])
  func areTakenBothOrNone(lock: String) throws {
    let test = try TestRepository()
    _ = try marked(test)
    try test.folder.write(lock, "")
    #expect(try lockInTheWay(test) == path(lock, test))
    for other in [index, branch] where other != lock { #expect(test.folder.read(other) == nil) }
    test.repository.releaseLeft()
    #expect(test.folder.read(lock) != nil)
  }

  @Test func ofACrashAreTakenOver() throws {
    let test = try TestRepository()
    let mark = try marked(test)
    for lock in [index, branch] {
      #expect(!mark.isOn(path(lock, test)))
      try FileManager.default.linkItem(
        atPath: test.folder.path + "/.git/slipbox/lock-mark", toPath: test.folder.path + "/" + lock)
      #expect(mark.isOn(path(lock, test)))
    }
    try test.repository.hold().release()
    #expect(test.folder.read(index) == nil)
    #expect(test.folder.read(branch) == nil)
  }

  @Test func ofAnotherBoxAreForeign() throws {
    let (test, other) = (try TestRepository(), try TestRepository())
    let mark = try marked(test)
    _ = try marked(other)
    let foreign = try #require(other.folder.read(".git/slipbox/lock-mark"))
    try test.folder.write(index, foreign)
    #expect(!mark.isOn(path(index, test)))
    #expect(try lockInTheWay(test) == path(index, test))
  }

  /// As on file systems that give no file two names: the lock is a file of its own with the same bytes.
  @Test func areKnownAlsoWithoutSecondNames() throws {
    let test = try TestRepository()
    let mark = try marked(test)
    try FileManager.default.removeItem(atPath: test.folder.path + "/.git/slipbox/lock-mark")
    let held = try test.repository.hold()
    #expect(mark.isOn(path(index, test)))
    #expect(mark.isOn(path(branch, test)))
    held.release()
    #expect(test.folder.read(index) == nil)
  }

  @Test func aMarkThatIsBrokenIsMadeAnew() throws {
    let test = try TestRepository()
    try test.folder.write(".git/slipbox/lock-mark", "")
    _ = try marked(test)
    try test.repository.hold().release()
    #expect(test.folder.read(".git/slipbox/lock-mark")?.isEmpty == false)
  }

  @Test func aBranchThatIsOnlyPackedMoves() throws {
    let test = try TestRepository()
    try test.git("switch", "-q", "-c", "side/one")
    try test.git("pack-refs", "--all")
    // As branches that were deleted leave them.
    try FileManager.default.createDirectory(
      atPath: test.folder.path + "/.git/refs/heads/side/one", withIntermediateDirectories: true)
    let commit = try test.change("a.md", "x\n")
    #expect(try test.id("refs/heads/side/one") == commit)
    #expect(try test.line("reflog", "-1", "--format=%gs %gn", "side/one") == "slip: change Ada")
    #expect(try test.line("reflog", "-1", "--format=%gs %gn") == "slip: change Ada")
    try test.verify()
  }

  @Test func logsAreKeptAsGitIsTold() throws {
    let test = try TestRepository()
    try test.git("config", "core.logAllRefUpdates", "false")
    try FileManager.default.removeItem(atPath: test.folder.path + "/.git/logs/refs/heads/main")
    let before = try test.git("reflog")
    try test.change("a.md", "x\n")
    #expect(test.folder.read(".git/logs/refs/heads/main") == nil)
    #expect(try test.git("reflog") != before, "a log that is there is kept on")
  }

  @Test func ofOthersAreDescribedInWords() throws {
    let test = try TestRepository()
    for (seconds, words) in [
      (90.0, "1 minute old"), (200, "3 minutes old"), (7_500, "2 hours old"),
      (90_000, "1 day old"), (-90, "dated in the future"),
    ] {
      try test.folder.write(index, "")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
        ofItemAtPath: test.folder.path + "/" + index)
      let message = GitError.locked(path(index, test)).message
      #expect(message.contains("\(words), no process has it open"), "\(message)")
    }
  }
}
