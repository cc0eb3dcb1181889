import Bytes
import Foundation
import Git
import SlipboxTesting
import Testing

/// What is broken is named, kept and never made worse.
@Suite struct DamageTests {
  private func loosePath(_ id: ObjectID) -> String {
    ".git/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
  }

  @Test(arguments: [0, 1, 2, 15, 40]) func anEmptyOrCutObjectIsNoticedAndWrittenAnew(_ length: Int) throws {
    let test = try TestRepository()
    let content = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 7) }
    let id = try test.repository.conversion.writeBlob(content, path: [65])
    let file = test.folder.path + "/" + loosePath(id)
    chmod(file, 0o644)
    #expect(truncate(file, length) == 0)
    let repository = try test.reopened()
    #expect(gitError { try repository.blob(id) }?.reason == .damaged(object: id.hex))
    #expect(try repository.conversion.writeBlob(content, path: [65]) == id)
    #expect(try repository.blob(id) == content)
    #expect(test.folder.read(".git/damaged-\(id.hex)")?.count == length)
  }

  @Test func otherContentUnderTheNameIsSetAside() throws {
    let test = try TestRepository()
    let one = try test.repository.conversion.writeBlob(Array("one!\n".utf8), path: [65])
    let two = try test.repository.conversion.contentID(of: Array("two!\n".utf8), path: [65])
    let bytes = try #require(test.folder.read(loosePath(one)))
    try test.folder.write(loosePath(two), bytes)
    let repository = try test.reopened()
    #expect(gitError { try repository.blob(two) }?.reason == .damaged(object: two.hex))
    #expect(try repository.conversion.writeBlob(Array("two!\n".utf8), path: [65]) == two)
    #expect(try repository.blob(two) == Array("two!\n".utf8))
  }

  @Test func noticesABrokenCommit() throws {
    let test = try TestRepository()
    let head = try test.id("HEAD")
    chmod(test.folder.path + "/" + loosePath(head), 0o644)
    try test.folder.write(loosePath(head), "")
    #expect(gitError { try test.repository.read(head) }?.reason == .damaged(object: head.hex))
    #expect(gitError { try test.repository.files(at: head, under: []) }?.reason == .damaged(object: head.hex))
    #expect(gitError { try test.repository.blob(.zero) }?.reason == .missing)
  }

  @Test func rebuildsAnIndex() throws {
    let broken: [(String, ([UInt8]) -> [UInt8]?)] = [
      ("empty", { _ in [] }), ("cut", { Array($0.dropLast(30)) }),
      (
        "flipped",
        { bytes in
          var bytes = bytes
          bytes[60] ^= 0x10
          return bytes
        }
      ), ("no index", { _ in nil }), ("text", { _ in Array("hello".utf8) }),
      (
        "count",
        { bytes in
          var bytes = bytes
          bytes[8] = 0xFF
          return bytes
        }
      ),
    ]
    for (name, damage) in broken {
      let test = try TestRepository(IndexTests.files)
      let old = try #require(test.folder.read(".git/index"))
      let new = damage(old)
      unlink(test.folder.path + "/.git/index")
      if let new { try test.folder.write(".git/index", new) }
      try test.folder.write("b.md", "edited\n")
      let place = Array("\(test.folder.path)/a.md".utf8)
      try test.folder.write("a.md", "changed\n")
      let blob = try test.repository.conversion.writeBlob(Array("changed\n".utf8), path: Array("a.md".utf8))
      let put = TreeEdit.put(path: Array("a.md".utf8), blob: blob, mode: 0o100644)
      let statuses = [Array("a.md".utf8): try status(of: place)]
      let repair = try test.repository.holding { try $0.updateIndex([put], statuses: statuses) }
      let kept = test.folder.bytes + Array("/.git/index.bad-1".utf8)
      #expect(repair == (new == nil ? .missing : .damaged(kept: kept)), "\(name)")
      #expect(test.folder.read(".git/index.bad-1") == new, "\(name)")
      try test.verify(status: "M  a.md\n M b.md\n")
    }
  }

  /// Whatever has happened to the index, HEAD's files stand in for it, and the next change builds it again.
  @Test(arguments: ["2", "4", "split", "untracked"]) func aDamagedIndexStopsNobody(_ form: String) throws {
    var random = SplitMix64(seed: 11)
    let test = try TestRepository(IndexTests.files)
    switch form {
    case "split": try test.git("update-index", "--split-index")
    case "untracked": try test.git("update-index", "--untracked-cache")
    default: try test.git("update-index", "--index-version", form)
    }
    let good = try #require(test.folder.read(".git/index"))
    for round in 0..<8 {
      var bytes = good
      switch round {
      case 0: bytes = []
      case 1: bytes.removeLast(bytes.count / 2)
      case 2: bytes.replaceSubrange(8..<12, with: [0x7F, 0xFF, 0xFF, 0xFF])
      case 3: bytes[7] = 9
      case 4: bytes = (0..<500).map { _ in .random(in: .min ... .max, using: &random) }
      default:
        for _ in 0..<4 {
          bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
      }
      unlink(test.folder.path + "/.git/index")
      try test.folder.write(".git/index", bytes)
      let repository = try test.reopened()
      _ = try repository.index.entries()
      _ = try repository.index.stagedState(of: [Array("a.md".utf8)], at: test.id("HEAD"))
      try test.change([Array("a.md".utf8): "round \(form) \(round)\n"], in: repository)
      try test.verify()
    }
  }

  @Test func aMissingIndexIsHeadsFiles() throws {
    let test = try TestRepository(IndexTests.files)
    unlink(test.folder.path + "/.git/index")
    let repository = try test.reopened()
    #expect(
      try repository.index.entries().map(\.path)
        == repository.files(at: test.id("HEAD"), under: []).map(\.path))
    #expect(repository.index.damage == .missing)
  }

  /// Libgit2 1.5 would end the program.
  @Test func refusesAnIndexOfAPackThatCanNotBe() throws {
    let test = try TestRepository(IndexTests.files)
    let head = try test.id("HEAD")
    try test.git("repack", "-adq")
    let path = try #require(try test.packFiles(".idx").first)
    let good = try #require(test.folder.read(path))
    for count: [UInt8] in [
      [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0x0A, 0, 0, 0],
    ] {
      var bytes = good
      bytes.replaceSubrange(1_028..<1_032, with: count)
      unlink(test.folder.path + "/" + path)
      try test.folder.write(path, bytes)
      let error = gitError { try test.reopened().read(head) }
      guard case .damaged? = error?.reason else {
        Issue.record("\(count): \(String(describing: error))")
        continue
      }
      #expect(error?.message.contains(path) == true)
    }
  }

  /// An index of a pack with which commits seem to be their own ancestors.
  @Test func historyEndsWhereCommitsArePassedOffForOthers() throws {
    let test = try TestRepository()
    for number in 1...6 { try test.change("a.md", "\(number)\n") }
    let commits = try test.git("log", "--format=%H").split(separator: "\n").compactMap {
      ObjectID(hex: Array($0.utf8))
    }
    try test.git("repack", "-adq")
    let path = try #require(try test.packFiles(".idx").first)
    var bytes = try #require(test.folder.read(path))
    let count = Int(bytes[1_031]) + Int(bytes[1_030]) << 8
    let place: (ObjectID) throws -> Int = { id in
      try #require((0..<count).first { Array(bytes[(1_032 + $0 * 20)...].prefix(20)) == id.bytes })
    }
    let offsets = 1_032 + count * 24
    let (young, old) = (offsets + 4 * (try place(commits[1])), offsets + 4 * (try place(commits[4])))
    bytes.replaceSubrange(old..<(old + 4), with: bytes[young..<(young + 4)])
    unlink(test.folder.path + "/" + path)
    try test.folder.write(path, bytes)
    let repository = try test.reopened()
    let damaged = GitError.Reason.damaged(object: commits[4].hex)
    let walked = gitError { try repository.history.visit(from: commits[0], touching: []) { _ in true } }
    #expect(walked?.reason == damaged)
    let indexed = gitError { try repository.history.index(at: commits[0], under: [], cache: nil) }
    #expect(indexed?.reason == damaged)
  }

  @Test func startsAnIndexWhereNothingWasCommitted() throws {
    let test = try TestRepository([:])
    try test.folder.write("a.md", "x\n")
    let blob = try test.repository.conversion.writeBlob(Array("x\n".utf8), path: [65])
    let place = Array("\(test.folder.path)/a.md".utf8)
    let put = TreeEdit.put(path: Array("a.md".utf8), blob: blob, mode: 0o100644)
    let statuses = [Array("a.md".utf8): try status(of: place)]
    #expect(try test.repository.holding { try $0.updateIndex([put], statuses: statuses) } == nil)
    #expect(try test.git("status", "--porcelain") == "A  a.md\n")
    try test.folder.write(".git/index", "")
    let repair = try test.repository.holding { try $0.updateIndex([put], statuses: statuses) }
    guard case .damaged? = repair else {
      Issue.record("not mended")
      return
    }
    #expect(try test.git("status", "--porcelain") == "A  a.md\n")
  }

  @Test func leavesNothingBehindWhenItFails() throws {
    let test = try TestRepository()
    try test.git("update-index", "--index-version", "4")
    // Git cannot be found: the private copy and the lock must go.
    var environment = testEnvironment
    environment["PATH"] = "/nonexistent"
    let repository = try #require(
      try Repository.discover(from: test.folder.bytes, environment: GitEnvironment(environment)))
    _ = gitError { try repository.holding { try $0.updateIndex([.remove(path: Array("a.md".utf8))]) } }
    try test.verifyNoLock()
    try test.verify(status: test.git("status", "--porcelain"))
  }

  /// In parts, because git is started for each damaged index.
  @Test(arguments: ["2", "4"], 0..<4 as Range<UInt64>)
  func neverTrapsOnBrokenIndexes(version: String, part: UInt64) throws {
    let test = try TestRepository(IndexTests.files)
    var random = SplitMix64(seed: 7 + part)
    try test.git("update-index", "--index-version", version)
    let good = try #require(test.folder.read(".git/index"))
    for _ in 0..<20 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      try test.folder.write(".git/index", bytes)
      #expect(gitError { try test.repository.index.entries() } == nil)
    }
  }
}
