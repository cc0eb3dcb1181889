import Foundation
import Git
import SlipboxTesting
import Testing

/// Moving a branch is a compare-and-swap.
@Suite struct BranchTests {
  private func commit(_ test: TestRepository, parents: [ObjectID], _ message: String = "x") throws -> ObjectID
  {
    let who = Signature(name: "Ada", email: "ada@x", seconds: 1, offsetMinutes: 0)
    let tree = try test.repository.writeTree(base: parents.first, [])
    return try test.repository.writeCommit(
      tree: tree, parents: parents, message: message, author: who, committer: who)
  }

  private func move(_ repository: Repository, _ old: ObjectID?, to new: ObjectID) throws {
    try repository.holding { try $0.moveBranch(from: old, to: new, message: "x") }
  }

  @Test func bornByTheFirstCommit() throws {
    let test = try TestRepository([:])
    let commit = try test.change("a.md", "one\n")
    #expect(try test.repository.head() == .branch(name: "main", tip: commit))
    #expect(try test.line("reflog", "-1", "--format=%gs %gn") == "slip: change Ada")
    #expect(try test.line("reflog", "-1", "--format=%gs", "main") == "slip: change")
    try test.verify()
    let other = try self.commit(test, parents: [])
    #expect(gitError { try move(test.repository, nil, to: other) }?.reason == .moved)
    #expect(try test.id("HEAD") == commit)
  }

  @Test func `writes no log line about a move that failed`() throws {
    for isBorn in [true, false] {
      let test = try TestRepository(isBorn ? ["a.md": "one\n"] : [:])
      let tip = try test.repository.head().tip
      let next = try commit(test, parents: tip.map { [$0] } ?? [])
      let logs = [".git/logs/HEAD", ".git/logs/refs/heads/main"]
      let before = logs.map { test.folder.read($0) }
      // The branch is written here first, and a folder can't be replaced.
      try test.folder.write(".git/branch.slip/in-the-way", "")
      #expect(gitError { try move(test.repository, tip, to: next) } != nil)
      #expect(logs.map { test.folder.read($0) } == before)
      #expect(try test.reopened().head().tip == tip)
      try FileManager.default.removeItem(atPath: test.folder.path + "/.git/branch.slip")
      try move(test.repository, tip, to: next)
      #expect(try test.git("reflog", "--format=%gs").hasPrefix("x\n"))
    }
  }

  @Test func `moves the branch although its log can't be written`() throws {
    let test = try TestRepository()
    let tip = try test.id("HEAD")
    let next = try commit(test, parents: [tip])
    try FileManager.default.removeItem(atPath: test.folder.path + "/.git/logs")
    try test.folder.write(".git/logs", "")
    try move(test.repository, tip, to: next)
    #expect(try test.id("HEAD") == next)
    #expect(!FileManager.default.fileExists(atPath: test.folder.path + "/.git/refs/heads/main.lock"))
  }

  @Test(arguments: [false, true]) func `makes no branch beside one that excludes it`(isPacked: Bool) throws {
    for (old, new) in [("a/b", "a"), ("a", "a/b"), ("a/b/c", "a")] {
      let test = try TestRepository()
      try test.git("branch", old)
      if isPacked { try test.git("pack-refs", "--all") }
      try test.folder.write(".git/HEAD", "ref: refs/heads/\(new)\n")
      let first = try commit(test, parents: [])
      let error = gitError { try move(test.reopened(), nil, to: first) }
      #expect(error?.message.contains("refs/heads/\(old) exists") == true, "\(String(describing: error))")
    }
    let test = try TestRepository()
    try FileManager.default.createDirectory(
      atPath: test.folder.path + "/.git/refs/heads/gone/with/the", withIntermediateDirectories: true)
    try test.git("symbolic-ref", "HEAD", "refs/heads/gone")
    let first = try commit(test, parents: [])
    try move(test.reopened(), nil, to: first)
    #expect(try test.id("gone") == first)
  }

  @Test func losesWhenItHasMoved() throws {
    let test = try TestRepository()
    let first = try test.id("HEAD")
    let mine = try commit(test, parents: [first])
    try test.git("commit", "-q", "--allow-empty", "-m", "theirs")
    let theirs = try test.id("HEAD")
    #expect(
      gitError { try move(test.repository, first, to: mine) }?.reason == .moved)
    #expect(try test.id("HEAD") == theirs)
    try test.git("pack-refs", "--all")
    #expect(
      gitError { try move(test.repository, first, to: mine) }?.reason == .moved)
    let later = try commit(test, parents: [theirs])
    try move(test.repository, theirs, to: later)
    #expect(try test.id("HEAD") == later)
    // Where the branch already stands there, it has happened.
    try move(test.repository, theirs, to: later)
    try test.verify()
  }

  @Test func waitsForLocksAndNamesThem() throws {
    let test = try TestRepository()
    test.repository.lockPolicy.timeoutMilliseconds = 150
    let tip = try test.id("HEAD")
    let lock = Array((test.folder.path + "/.git/refs/heads/other.lock").utf8)
    try test.folder.write(".git/refs/heads/other.lock", "")
    let error = gitError { try test.repository.references.set("refs/heads/other", to: tip) }
    guard case .locked(lock, 0...2)? = error?.reason else {
      Issue.record("not locked")
      return
    }
    #expect(test.folder.read(".git/refs/heads/other.lock") != nil)
    test.repository.lockPolicy.timeoutMilliseconds = 10_000
    let path = test.folder.path
    let thread = Thread {
      usleep(200_000)
      unlink(path + "/.git/refs/heads/other.lock")
    }
    thread.start()
    try test.repository.references.set("refs/heads/other", to: tip)
    #expect(try test.id("other") == tip)
    try test.verify()
  }

  @Test func `locks the branch to which HEAD went after the locks were taken`() throws {
    let test = try TestRepository()
    test.repository.lockPolicy.timeoutMilliseconds = 50
    try test.git("branch", "other")
    let tip = try test.id("HEAD")
    let next = try commit(test, parents: [tip])
    try test.repository.holding { held in
      try test.folder.write(".git/HEAD", "ref: refs/heads/other\n")
      try test.folder.write(".git/refs/heads/other.lock", "")
      let error = gitError { try held.moveBranch(from: tip, to: next, message: "x") }
      #expect(error?.message.contains("other.lock") == true)
      unlink(test.folder.path + "/.git/refs/heads/other.lock")
      try held.moveBranch(from: tip, to: next, message: "x")
    }
    #expect(try test.id("other") == next)
    #expect(try test.id("main") == tip)
    try test.verify()
  }

  @Test func refusesADetachedHead() throws {
    let test = try TestRepository()
    try test.git("switch", "-q", "--detach")
    let tip = try test.id("HEAD")
    let error = gitError { try move(test.repository, tip, to: tip) }
    #expect(error?.message.contains("git switch") == true)
  }

  @Test func refusesParentsThatAreNotThere() throws {
    let test = try TestRepository()
    let absent = try #require(ObjectID(hex: String(repeating: "12", count: 20)))
    #expect(gitError { try commit(test, parents: [absent]) }?.reason == .missing)
  }

  @Test func survivesManyWritersAtOnce() throws {
    let test = try TestRepository()
    let folder = test.folder
    let path = folder.path
    let rounds = 8
    let failures = Failures()
    let group = DispatchGroup()
    for writer in 0..<4 {
      DispatchQueue.global().async(group: group) {
        do {
          let mine = TestRepository(folder: folder, repository: try TestRepository.open(path))
          var done = 0
          while done < rounds {
            do {
              try mine.change("w\(writer)/\(done).md", "text\n")
              done += 1
            } catch let error as GitError where error.reason == .moved {}
          }
        } catch { failures.add("\(error)") }
      }
    }
    for number in 0..<10 {
      try test.folder.write("staged\(number)", "x\n")
      while try run("git", ["add", "staged\(number)"], in: path).status != 0 { usleep(1_000) }
    }
    group.wait()
    #expect(failures.all.isEmpty)
    #expect(try test.line("rev-list", "--count", "HEAD") == "\(1 + 4 * rounds)")
    #expect(try test.git("ls-files", "staged*").split(separator: "\n").count == 10)
    #expect(
      try test.git("ls-tree", "-r", "--name-only", "HEAD").split(separator: "\n").count == 1 + 4 * rounds)
    try test.verify(status: (0..<10).map { "A  staged\($0)\n" }.joined())
  }
}

/// What went wrong on other threads.
final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []
  var all: [String] { lock.withLock { texts } }
  func add(_ text: String) { lock.withLock { texts.append(text) } }
}
