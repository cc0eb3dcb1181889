import Foundation
import Git
import SlipboxTesting
import Testing

/// The times of all files at once are those that `git log` gives one by one.
@Suite struct PathTimesTests {
  /// What `git log -1 -- PATH` says of each path.
  private func gits(_ test: TestRepository, _ paths: [[UInt8]]) throws -> [[UInt8]: String] {
    var result: [[UInt8]: String] = [:]
    for path in paths {
      result[path] = try test.line(
        "log", "-1", "--format=%at %H", "HEAD", "--", String(decoding: path, as: UTF8.self))
    }
    return result
  }

  private func text(_ times: [[UInt8]: PathTimes]) -> [[UInt8]: String] {
    times.mapValues { "\($0.modified.seconds) \($0.modifiedBy)" }
  }

  @Test func agreesWithGitOnRandomHistories() throws {
    for seed in 0..<8 as Range<UInt64> {
      let clock = RandomHistory.clocks[Int(seed) % RandomHistory.clocks.count]
      let test = try RandomHistory(seed: seed + 100, commits: 150, paths: 12, clock: clock).test
      let head = try test.id("HEAD")
      let times = try test.repository.pathTimes(at: head, under: [], cache: nil)
      let paths = try test.repository.files(at: head, under: []).map(\.path)
      #expect(Set(times.keys) == Set(paths))
      #expect(try text(times) == gits(test, paths), "seed \(seed)")
      let below = try test.repository.pathTimes(at: head, under: Array("d".utf8), cache: nil)
      #expect(below == times.filter { $0.key.starts(with: "d/".utf8) })
      for time in times.values {
        #expect(time.first.seconds <= time.modified.seconds && time.modified.offsetMinutes == 60)
      }
    }
  }

  @Test func answersTheSameWithEveryCache() throws {
    for seed in 0..<6 as Range<UInt64> {
      let clock = RandomHistory.clocks[Int(seed) % RandomHistory.clocks.count]
      let test = try RandomHistory(seed: seed + 200, commits: 80, paths: 10, clock: clock).test
      let commits = try test.git("rev-list", "--topo-order", "HEAD").split(separator: "\n")
      let cache = Array("\(test.folder.path)/cache".utf8)
      let head = try test.id("HEAD")
      let fresh = try test.repository.pathTimes(at: head, under: [], cache: nil)
      for old in commits {
        unlink(test.folder.path + "/cache")
        _ = try test.repository.pathTimes(at: #require(ObjectID(hex: String(old))), under: [], cache: cache)
        #expect(
          try test.repository.pathTimes(at: head, under: [], cache: cache) == fresh, "seed \(seed) \(old)")
        // Now it is the head's own, and is read as it is.
        #expect(try test.repository.pathTimes(at: head, under: [], cache: cache) == fresh)
      }
    }
  }

  @Test func growsWithHistory() throws {
    let test = try TestRepository(["a.md": "1\n", "b.md": "1\n"])
    let cache = Array("\(test.folder.path)/.git/times".utf8)
    for round in 0..<6 {
      try test.change("n\(round % 3).md", round % 4 == 3 ? nil : "\(round)\n")
      let head = try test.id("HEAD")
      let cached = try test.repository.pathTimes(at: head, under: [], cache: cache)
      #expect(cached == (try test.repository.pathTimes(at: head, under: [], cache: nil)))
    }
  }

  @Test func ignoresDamagedCaches() throws {
    let test = try RandomHistory(seed: 5, commits: 40, paths: 8, clock: RandomHistory.clocks[0]).test
    let cache = Array("\(test.folder.path)/cache".utf8)
    let head = try test.id("HEAD")
    let right = try test.repository.pathTimes(at: head, under: [], cache: cache)
    let good = try #require(test.folder.read("cache"))
    var random = SplitMix64(seed: 3)
    for _ in 0..<100 {
      var bytes = good
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      try test.folder.write("cache", bytes)
      #expect(try test.repository.pathTimes(at: head, under: [], cache: cache) == right)
    }
    let nowhere = Array("/nonexistent/cache".utf8)
    #expect(try test.repository.pathTimes(at: head, under: [], cache: nowhere) == right)
    // Another folder is another question.
    let below = try test.repository.pathTimes(at: head, under: Array("d".utf8), cache: cache)
    #expect(below == right.filter { $0.key.starts(with: "d/".utf8) })
  }

  @Test func takesAFileAndAFolderOfOneNameApart() throws {
    let test = try TestRepository(["x/a": "1\n", "y": "1\n"])
    try FileManager.default.removeItem(atPath: test.folder.path + "/x")
    try test.change([Array("x/a".utf8): nil, Array("x".utf8): "file\n"])
    unlink(test.folder.path + "/y")
    try test.change([Array("y".utf8): nil, Array("y/b".utf8): "1\n"])
    let head = try test.id("HEAD")
    let times = try test.repository.pathTimes(at: head, under: [], cache: nil)
    #expect(try text(times) == gits(test, [Array("x".utf8), Array("y/b".utf8)]))
  }

  @Test func keepsNamesAsBytes() throws {
    let test = try TestRepository()
    let name: [UInt8] = [0xFF, 10, 0x2D]
    try test.change([name: "x\n"])
    let cache = Array("\(test.folder.path)/.git/times".utf8)
    for _ in 0..<2 {
      #expect(try test.repository.pathTimes(at: test.id("HEAD"), under: [], cache: cache)[name] != nil)
    }
  }

  @Test(arguments: ["kepano", "garden", "eips"]) func agreesWithGitOnRealNotes(name: String) throws {
    guard let bundle = corpus(name) else { return }
    let folder = try TemporaryFolder()
    try folder.git("clone", "-q", "--no-checkout", bundle, "c")
    let test = TestRepository(folder: folder, repository: try TestRepository.open(folder.path + "/c"))
    let head = try #require(test.repository.head().tip)
    let times = try test.repository.pathTimes(at: head, under: [], cache: nil)
    let files = try test.repository.files(at: head, under: []).map(\.path)
    #expect(Set(times.keys) == Set(files))
    // All of them agree, but git takes minutes for that.
    for path in files.indices.filter({ $0 % (files.count / 12) == 0 }).map({ files[$0] }) {
      let line = try test.line(
        "-C", "c", "--literal-pathspecs", "log", "-1", "--format=%at %H", "--",
        String(decoding: path, as: UTF8.self))
      #expect(times[path].map { "\($0.modified.seconds) \($0.modifiedBy)" } == line)
    }
  }
}
