import Bytes
import Foundation
import SlipboxTesting
import Testing

@testable import Git

/// The history of a path by the index is the one that a walk finds.
@Suite struct HistoryIndexTests {
  /// A cache beside a repository, with the questions that are asked through it.
  struct Asked {
    let test: TestRepository
    let cache: [UInt8]

    init(_ test: TestRepository, _ name: String = ".git/history") {
      self.test = test
      cache = Array("\(test.folder.path)/\(name)".utf8)
    }

    func indexed(_ paths: [String], from start: ObjectID, limit: Int? = nil) throws -> [ObjectID] {
      var result: [ObjectID] = []
      try test.repository.history.visit(
        from: start, touching: paths.map { Array($0.utf8) }, limit: limit, under: [], cache: cache
      ) { commit in
        result.append(commit.id)
        return true
      }
      return result
    }

    func times(at head: ObjectID, under prefix: String = "") throws -> [[UInt8]: PathTimes] {
      try times(at: head, under: prefix, cache: cache)
    }

    func times(
      at head: ObjectID, under prefix: String = "", cache: [UInt8]?
    ) throws -> [[UInt8]: PathTimes] {
      try test.repository.pathTimes(at: head, under: Array(prefix.utf8), cache: cache)
    }

    func walked(_ paths: [String], from start: ObjectID, limit: Int? = nil) throws -> [ObjectID] {
      var result: [ObjectID] = []
      try test.repository.history.visit(from: start, touching: paths.map { Array($0.utf8) }, limit: limit) {
        commit in
        result.append(commit.id)
        return true
      }
      return result
    }

    /// Holds the two against each other for all paths there ever were.
    func check(
      from start: ObjectID, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for (number, paths) in try choices().enumerated() {
        let walked = try walked(paths, from: start)
        #expect(
          try indexed(paths, from: start) == walked, "\(comment) \(paths)", sourceLocation: sourceLocation)
        if number % 4 == 0 {
          #expect(try indexed(paths, from: start, limit: 2) == Array(walked.prefix(2)), "\(comment) \(paths)")
        }
      }
    }

    private func choices() throws -> [[String]] {
      let lines = try test.git("log", "--all", "--format=", "--name-only", "-m", "--root", "--no-renames")
      let files = Set(lines.split(separator: "\n").map(String.init)).sorted()
      let folders = Set(
        files.flatMap { file in file.indices.filter { file[$0] == "/" }.map { String(file[..<$0]) } })
      return files.map { [$0] } + folders.sorted().map { [$0] } + [
        Array(files.prefix(3)), ["nothing"], ["d", "a"],
      ]
    }
  }

  private func histories(_ seeds: Range<UInt64>, commits: Int) throws -> [(UInt64, TestRepository)] {
    try seeds.map { seed in
      let clock = RandomHistory.clocks[Int(seed) % RandomHistory.clocks.count]
      return (
        seed,
        try RandomHistory(seed: seed, commits: commits, paths: 12, clock: clock, isNested: seed % 8 > 3).test
      )
    }
  }

  @Test func agreesWithTheWalkOnRandomHistories() throws {
    for (seed, test) in try histories(300..<308, commits: 220) {
      let asked = Asked(test)
      let ids = try test.git("rev-list", "--topo-order", "--reverse", "HEAD").split(separator: "\n")
        .map { try #require(ObjectID(hex: String($0))) }
      for start in [ids.count - 1, ids.count / 2, 0] {
        try asked.check(from: ids[start], "seed \(seed), commit \(start)")
      }
    }
  }

  @Test func agreesWithGitWhereDatesTellTheOrder() throws {
    for seed in [320, 324] as [UInt64] {
      let test = try RandomHistory(
        seed: seed, commits: 200, paths: 12, clock: RandomHistory.clocks[0], isNested: seed == 324
      ).test
      let asked = Asked(test)
      let head = try test.id("HEAD")
      for path in try test.git("ls-files", "--with-tree=HEAD").split(separator: "\n").map(String.init) {
        let gits = try test.git("log", "--format=%H", "HEAD", "--", path).split(separator: "\n").map(
          String.init)
        #expect(try asked.indexed([path], from: head).map(\.hex) == gits, "seed \(seed) \(path)")
      }
    }
  }

  @Test func agreesWithTheWalkOnTheSmallCorpus() throws { try agreesWithTheWalkOnRealNotes(name: "small") }

  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: ["kepano", "garden"])
  func agreesWithTheWalkOnRealNotes(name: String) throws {
    let bundle = try #require(corpus(name))
    let folder = try TemporaryFolder()
    try folder.git("clone", "-q", "--no-checkout", bundle, "c")
    let test = TestRepository(folder: folder, repository: try TestRepository.open(folder.path + "/c"))
    let asked = Asked(test, "cache")
    let head = try #require(test.repository.head().tip)
    let files = try test.repository.files(at: head, under: []).map {
      String(decoding: $0.path, as: UTF8.self)
    }
    for path in files.indices.filter({ $0 % (files.count / 6) == 0 }).map({ files[$0] }) {
      #expect(try asked.indexed([path], from: head) == asked.walked([path], from: head), "\(path)")
    }
  }

  @Test func growsInSteps() throws {
    for (seed, test) in try histories(340..<346, commits: 90) {
      let asked = Asked(test)
      let ids = try test.git("rev-list", "--topo-order", "--reverse", "HEAD").split(separator: "\n")
        .map { try #require(ObjectID(hex: String($0))) }
      var random = SplitMix64(seed: seed)
      var segments: Set<Int> = []
      for place in ids.indices where place % 9 == 0 || Int.random(in: 0..<8, using: &random) == 0 {
        try asked.check(from: ids[place], "seed \(seed), commit \(place)")
        segments.insert(try #require(try HistoryFile.read(asked.cache)).graph.segments.count)
      }
      // A few commits were appended, and in the end became one with the others.
      #expect(segments.count > 1, "seed \(seed)")
    }
  }

  @Test func ignoresDamage() throws {
    let (_, test) = try #require(histories(351..<352, commits: 120).first)
    let asked = Asked(test, "cache")
    let head = try test.id("HEAD")
    _ = try asked.indexed(["f1"], from: test.id("HEAD~6"))
    _ = try asked.indexed(["f1"], from: head)
    let good = try #require(test.folder.read("cache"))
    #expect(try #require(try HistoryFile.read(asked.cache)).graph.segments.count == 2)
    let paths = ["f0", "d/f1", "d", "d/e/f6", "nothing"]
    let right = try paths.map { try asked.walked([$0], from: head) }
    let times = try asked.times(at: head)
    var random = SplitMix64(seed: 5)
    for round in 0..<400 {
      var bytes = good
      for _ in 0...round % 3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if round % 5 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
      if round % 7 == 0 { bytes.append(0) }
      try test.folder.write("cache", bytes)
      let number = round % paths.count
      #expect(try asked.indexed([paths[number]], from: head) == right[number], "round \(round)")
      try test.folder.write("cache", bytes)
      #expect(try asked.times(at: head) == times, "round \(round)")
    }
    // Every byte of it was whole again in the end.
    for (path, answer) in zip(paths, right) { #expect(try asked.indexed([path], from: head) == answer) }
  }

  @Test func readsWhateverWasAppended() throws {
    let (_, test) = try #require(histories(353..<354, commits: 120).first)
    let asked = Asked(test, "cache")
    let head = try test.id("HEAD")
    let right = try asked.walked(["d"], from: head)
    let times = try asked.times(at: head, cache: nil)
    var files: [[UInt8]] = []
    for revision in ["HEAD~8", "HEAD~6", "HEAD~4", "HEAD~3", "HEAD"] {
      _ = try asked.indexed(["d"], from: test.id(revision))
      files.append(try #require(test.folder.read("cache")))
    }
    // A write that ended early, and those of several writers, in any order and with bytes of none between them.
    var random = SplitMix64(seed: 7)
    for round in 0..<100 {
      var bytes = files[Int.random(in: 0..<files.count, using: &random)]
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let other = files[Int.random(in: 0..<files.count, using: &random)]
        bytes += other.dropFirst(Int.random(in: 0...1, using: &random) == 0 ? files[0].count : 0)
        if round % 3 == 0 { bytes.removeLast(Int.random(in: 0...100, using: &random)) }
      }
      try test.folder.write("cache", bytes)
      #expect(try asked.indexed(["d"], from: head) == right, "round \(round)")
      #expect(try asked.times(at: head) == times, "round \(round)")
    }
  }

  @Test func survivesNumbersThatMakeNoSense() throws {
    let (_, test) = try #require(histories(355..<356, commits: 120).first)
    let asked = Asked(test, "cache")
    let head = try test.id("HEAD")
    _ = try asked.indexed(["a"], from: head)
    let good = try #require(test.folder.read("cache"))
    var random = SplitMix64(seed: 6)
    for _ in 0..<200 {
      var bytes = good
      let place = Int.random(in: 24..<bytes.count, using: &random)
      bytes[place] = [0, 1, 0x7F, 0xFF, bytes[place] ^ 1].randomElement(using: &random) ?? 0
      // The sums say that all is well.
      try test.folder.write("cache", resealed(bytes))
      for path in ["a", "d/a", "d"] { _ = try? asked.indexed([path], from: head) }
      _ = try? asked.times(at: head)
      _ = try? test.repository.history.index(at: head, under: [], cache: asked.cache).deletedPaths()
    }
  }

  /// Bytes of one segment with new sums.
  private func resealed(_ bytes: [UInt8]) -> [UInt8] {
    let header = 80
    let start = (header...bytes.count).first {
      $0 - header == CheckedBlocks.blockCount(of: bytes.count - $0, blockLength: 4_096) * 8
    }
    guard let start else { return bytes }
    var middle = Array(bytes[16..<header])
    middle += BlockSums.of(Array(bytes[start...]), blockLength: 4_096)
    var result = Array(bytes[..<8])
    result.append(little: middle.withUnsafeBytes(Checksum.of))
    return result + middle + bytes[start...]
  }
}

extension HistoryFile {
  /// The index in a file, whatever it is of.
  static func read(_ path: [UInt8]) throws -> Stored? {
    guard let bytes = try RawFile.map(path)?.bytes, let first = HistorySegment(bytes) else { return nil }
    return HistoryFile(path, key: first.key).read()
  }
}
