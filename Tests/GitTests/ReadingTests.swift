import Foundation
import SlipboxTesting
import Testing

@testable import Git

/// Objects are read from their files as git reads them, and what is only read costs no start of libgit2.
@Suite struct ReadingTests {
  /// Every object of a repository is as git has it.
  private func verifyAll(_ test: TestRepository) throws {
    let repository = try test.reopened()
    let listing = try test.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    for line in listing.split(separator: "\n") {
      let words = line.split(separator: " ")
      let id = try #require(ObjectID(hex: String(words[0])))
      switch words[1] {
      case "blob":
        #expect(
          String(decoding: try repository.blob(id), as: UTF8.self)
            == (try test.git("cat-file", "blob", id.hex)))
      case "commit":
        let tree = try test.line("rev-parse", "\(id.hex)^{tree}")
        #expect(try repository.read(id).tree.hex == tree)
        let listed = try repository.files(at: id, under: []).map { entry in
          "\(String(entry.mode, radix: 8)) blob \(entry.id)\t\(String(decoding: entry.path, as: UTF8.self))\0"
        }
        #expect(listed.joined() == (try test.git("ls-tree", "-r", "-z", id.hex)))
      default: break
      }
    }
  }

  /// A history of texts that are stored as changes of each other.
  private func history() throws -> TestRepository {
    let test = try TestRepository([:])
    var random = SplitMix64(seed: 21)
    var lines = (0..<400).map { "line \($0) \(UInt64.random(in: .min ... .max, using: &random))" }
    for round in 0..<12 {
      lines[Int.random(in: 0..<400, using: &random)] = "changed \(round)"
      try test.folder.write("long.md", lines.joined(separator: "\n"))
      try test.folder.write("d/\(round % 3).md", "text \(round)\n")
      try test.folder.write("empty.md", "")
      try test.git("add", "-A")
      try test.git("commit", "-q", "-m", "Round \(round)")
    }
    return test
  }

  @Test func readsLooseObjectsAndPacks() throws {
    let test = try history()
    try verifyAll(test)
    try test.git("repack", "-q", "-a", "-d", "-f", "--depth=50")
    try verifyAll(test)
    try test.change("after.md", "after\n")
    try verifyAll(test)
  }

  @Test func readsChangesByName() throws {
    let test = try history()
    // Without --delta-base-offset a pack names the objects that others are changes of.
    let all = try test.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    let name = try run(
      "git", ["pack-objects", "-q", ".git/objects/pack/pack"], in: test.folder.path, input: all)
    #expect(name.status == 0)
    try test.git("prune-packed")
    try verifyAll(test)
  }

  @Test(arguments: ["index 1", "alternate", "many packs", "multi-pack index"])
  func readsUnusualStores(form: String) throws {
    let test = try history()
    switch form {
    case "index 1":
      try test.git("-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d")
      try verifyAll(test)
    case "alternate":
      try test.git("clone", "-q", "--shared", ".", "clone")
      let clone = TestRepository(
        folder: test.folder, repository: try TestRepository.open(test.folder.path + "/clone"))
      let tip = try #require(clone.repository.head().tip)
      #expect(
        try clone.repository.files(at: tip, under: []) == test.repository.files(at: tip, under: []))
    default:
      for round in 0..<3 {
        try test.change("n\(round).md", "\(round)\n")
        try test.git("repack", "-q", "-d")
      }
      if form == "multi-pack index" { try test.git("multi-pack-index", "write") }
      try verifyAll(test)
    }
  }

  @Test func findsWhatIsPackedMeanwhile() throws {
    let test = try history()
    let tip = try test.id("HEAD")
    _ = try test.repository.files(at: tip, under: [])
    try test.git("gc", "-q", "--prune=now")
    let after = try test.repository.files(at: tip, under: [])
    #expect(try after.map(\.id) == test.reopened().files(at: tip, under: []).map(\.id))
    for entry in after { _ = try test.repository.blob(entry.id) }
  }

  @Test func namesWhatIsBrokenInAPack() throws {
    let test = try history()
    try test.git("repack", "-q", "-a", "-d", "-f", "--depth=0")
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: test.folder.path + "/.git/objects/pack")
        .first { $0.hasSuffix(".pack") })
    let file = ".git/objects/pack/" + name
    var bytes = try #require(test.folder.read(file))
    for place in stride(from: 20, to: bytes.count - 20, by: 40) { bytes[place] ^= 0x55 }
    unlink(test.folder.path + "/" + file)
    try test.folder.write(file, bytes)
    let repository = try test.reopened()
    let head = try #require(repository.head().tip)
    #expect(gitError { try repository.files(at: head, under: []) }?.reason == .damaged(object: head.hex))
    #expect(!repository.isOpen)
    // Written anew, it is found beside the pack.
    let text = Array("text 3\n".utf8)
    let blob = try repository.conversion.writeBlob(text, path: [65])
    #expect(try repository.blob(blob) == text)
  }

  @Test func neverTrapsOnBrokenPacks() throws {
    let test = try history()
    try test.git("repack", "-q", "-a", "-d", "-f")
    let packs = test.folder.path + "/.git/objects/pack"
    let files = try FileManager.default.contentsOfDirectory(atPath: packs).filter { !$0.hasSuffix(".rev") }
    let ids = try test.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
      .split(separator: "\n").compactMap { ObjectID(hex: String($0)) }
    var random = SplitMix64(seed: 9)
    for file in files {
      let good = try #require(test.folder.read(".git/objects/pack/" + file))
      chmod(packs + "/" + file, 0o644)
      for _ in 0..<40 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        // A new file each time: it may be mapped.
        unlink(packs + "/" + file)
        try test.folder.write(".git/objects/pack/" + file, bytes)
        // Not libgit2, which may end the program.
        let objects = ObjectFiles(Array("\(test.folder.path)/.git/objects".utf8))
        for id in ids {
          // What is read has the name that it was asked by.
          if case .found(let object) = objects.look(for: id, isVerified: true) { #expect(object.isNamed(id)) }
          _ = objects.look(for: id, isVerified: false)
        }
      }
      unlink(packs + "/" + file)
      try test.folder.write(".git/objects/pack/" + file, good)
    }
  }

  @Test func readsWithoutLibgit2() throws {
    let test = try TestRepository(IndexTests.files)
    try test.git("worktree", "add", "-q", "linked")
    try test.git("clone", "-q", "--bare", ".", "bare.git")
    try test.git("-C", "bare.git", "worktree", "add", "-q", "../other")
    let cache = Array("\(test.folder.path)/.git/times".utf8)
    for folder in ["", "/linked", "/other", "/d"] {
      let repository = try TestRepository.open(test.folder.path + folder)
      let tip = try #require(repository.head().tip)
      #expect(repository.operation.kind == nil && !repository.isShallow)
      #expect(try repository.files(at: tip, under: []).count == IndexTests.files.count)
      #expect(try repository.index.entries().count == IndexTests.files.count)
      let times = try repository.pathTimes(at: tip, under: [], cache: cache)
      #expect(times[Array("a.md".utf8)]?.blob == ObjectID(ofBlob: Array("one\n".utf8)))
      #expect(try repository.pathTimes(at: tip, under: [], cache: cache) == times)
      #expect(!repository.isOpen)
      try test.git("commit", "-q", "--allow-empty", "-m", "Next")
    }
    try test.git("switch", "-q", "--detach")
    let repository = try test.reopened()
    #expect(try repository.head().tip == test.id("HEAD"))
    try test.git("switch", "-q", "--orphan", "unborn")
    #expect(try repository.head() == .branch(name: "unborn", tip: nil))
    #expect(!repository.isOpen)
    _ = repository.settings["user.name"]
    #expect(repository.isOpen)
  }

  @Test func `keeps the settings of a write as they were at its first look`() throws {
    let test = try TestRepository(settings: ["slip.test": "before"])
    let settings = test.repository.settings
    settings.keep()
    settings.keep()
    #expect(settings["slip.test"] == "before")
    try test.git("config", "slip.test", "after")
    #expect(settings["slip.test"] == "before")
    settings.release()
    #expect(settings["slip.test"] == "before")
    try settings.set("slip.own", to: "true")
    #expect(settings["slip.test"] == "after")
    #expect(settings.isTrue("slip.own"))
    settings.release()
    try test.git("config", "slip.test", "later")
    #expect(settings["slip.test"] == "later")
  }

  @Test func `reads a ref that is a symbolic link to another one`() throws {
    let test = try TestRepository()
    let refs = test.folder.path + "/.git/refs/heads/"
    try FileManager.default.createSymbolicLink(
      atPath: refs + "alias", withDestinationPath: "refs/heads/main")
    #expect(try test.repository.references["refs/heads/alias"] == test.id("HEAD"))
    try FileManager.default.moveItem(atPath: refs + "main", toPath: test.folder.path + "/.git/main-file")
    try FileManager.default.createSymbolicLink(
      atPath: refs + "main", withDestinationPath: "../../main-file")
    #expect(try test.reopened().head().tip == test.id("HEAD"))
  }
}
