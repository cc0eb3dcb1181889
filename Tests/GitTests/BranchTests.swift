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

  @Test func bornByTheFirstCommit() throws {
    let test = try TestRepository([:])
    let commit = try test.change("a.md", "one\n")
    #expect(try test.repository.head() == .branch(name: "main", tip: commit))
    #expect(try test.line("reflog", "-1", "--format=%gs %gn") == "slip: change Ada")
    #expect(try test.line("reflog", "-1", "--format=%gs", "main") == "slip: change")
    try test.verify()
    let other = try self.commit(test, parents: [])
    #expect(gitError { try test.repository.moveBranch(from: nil, to: other, message: "x") }?.reason == .moved)
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
      #expect(gitError { try test.repository.moveBranch(from: tip, to: next, message: "x") } != nil)
      #expect(logs.map { test.folder.read($0) } == before)
      #expect(try test.reopened().head().tip == tip)
      try FileManager.default.removeItem(atPath: test.folder.path + "/.git/branch.slip")
      try test.repository.moveBranch(from: tip, to: next, message: "x")
      #expect(try test.git("reflog", "--format=%gs").hasPrefix("x\n"))
    }
  }

  @Test func `moves the branch although its log can't be written`() throws {
    let test = try TestRepository()
    let tip = try test.id("HEAD")
    let next = try commit(test, parents: [tip])
    try FileManager.default.removeItem(atPath: test.folder.path + "/.git/logs")
    try test.folder.write(".git/logs", "")
    try test.repository.moveBranch(from: tip, to: next, message: "x")
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
      let error = gitError { try test.reopened().moveBranch(from: nil, to: first, message: "x") }
      #expect(error?.message.contains("refs/heads/\(old) exists") == true, "\(String(describing: error))")
    }
    let test = try TestRepository()
    try FileManager.default.createDirectory(
      atPath: test.folder.path + "/.git/refs/heads/gone/with/the", withIntermediateDirectories: true)
    try test.git("symbolic-ref", "HEAD", "refs/heads/gone")
    let first = try commit(test, parents: [])
    try test.reopened().moveBranch(from: nil, to: first, message: "x")
    #expect(try test.id("gone") == first)
  }

  @Test func losesWhenItHasMoved() throws {
    let test = try TestRepository()
    let first = try test.id("HEAD")
    let mine = try commit(test, parents: [first])
    try test.git("commit", "-q", "--allow-empty", "-m", "theirs")
    let theirs = try test.id("HEAD")
    #expect(
      gitError { try test.repository.moveBranch(from: first, to: mine, message: "x") }?.reason == .moved)
    #expect(try test.id("HEAD") == theirs)
    try test.git("pack-refs", "--all")
    #expect(
      gitError { try test.repository.moveBranch(from: first, to: mine, message: "x") }?.reason == .moved)
    let later = try commit(test, parents: [theirs])
    try test.repository.moveBranch(from: theirs, to: later, message: "x")
    #expect(try test.id("HEAD") == later)
    // Where the branch already stands there, it has happened.
    try test.repository.moveBranch(from: theirs, to: later, message: "x")
    try test.verify()
  }

  @Test func waitsForLocksAndNamesThem() throws {
    let test = try TestRepository()
    test.repository.lockTimeoutMilliseconds = 150
    let tip = try test.id("HEAD")
    let next = try commit(test, parents: [tip])
    let lock = Array((test.folder.path + "/.git/refs/heads/main.lock").utf8)
    try test.folder.write(".git/refs/heads/main.lock", "")
    guard
      case .locked(lock, 0...2)? = gitError({
        try test.repository.moveBranch(from: tip, to: next, message: "x")
      })?.reason
    else {
      Issue.record("not locked")
      return
    }
    unlink(test.folder.path + "/.git/refs/heads/main.lock")
    let index = Array((test.folder.path + "/.git/index.lock").utf8)
    try test.folder.write(".git/index.lock", "")
    guard case .locked(index, _)? = gitError({ try test.change("a.md", "x\n") })?.reason else {
      Issue.record("not locked")
      return
    }
    #expect(test.folder.read(".git/index.lock") != nil)
    test.repository.lockTimeoutMilliseconds = 10_000
    let path = test.folder.path
    let thread = Thread {
      usleep(200_000)
      unlink(path + "/.git/index.lock")
    }
    thread.start()
    try test.change("a.md", "y\n")
    try test.verify()
  }

  @Test func refusesADetachedHead() throws {
    let test = try TestRepository()
    try test.git("switch", "-q", "--detach")
    let tip = try test.id("HEAD")
    let error = gitError { try test.repository.moveBranch(from: tip, to: tip, message: "x") }
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
