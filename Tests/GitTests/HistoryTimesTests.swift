import Bytes
import Foundation
import SlipboxTesting
import Testing

@testable import Git

/// The times of all files at once are those that `git log` gives one by one.
@Suite struct HistoryTimesTests {
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
      let blobs = try test.repository.files(at: head, under: []).map { ($0.path, $0.id) }
      #expect(times.mapValues(\.blob) == Dictionary(uniqueKeysWithValues: blobs))
    }
  }

  /// The times of a file by a look at all files of commit after commit.
  private func walked(
    _ path: [UInt8], from head: ObjectID, _ files: (ObjectID) throws -> [[UInt8]: ObjectID],
    _ test: TestRepository
  ) throws -> PathTimes? {
    var (id, path) = (head, path)
    guard let blob = try files(id)[path] else { return nil }
    var modified: Commit?
    while true {
      let commit = try test.repository.read(id)
      let content = try #require(try files(id)[path])
      if let same = try commit.parents.first(where: { try files($0)[path] == content }) {
        id = same
        continue
      }
      modified = modified ?? commit
      if let keeper = try commit.parents.first(where: { try files($0)[path] != nil }) {
        id = keeper
        continue
      }
      if let former = try former(of: path, content, commit, files) {
        (id, path) = former
        continue
      }
      let last = try #require(modified)
      let first = try firstAddition(of: path, content, by: commit, files, test) ?? commit
      return PathTimes(
        modified: CommitTime(seconds: last.author.seconds, offsetMinutes: last.author.offsetMinutes),
        first: CommitTime(seconds: first.author.seconds, offsetMinutes: first.author.offsetMinutes),
        firstBy: first.id, modifiedBy: last.id, blob: blob)
    }
  }

  /// The parent and the path from which a commit renamed a file.
  private func former(
    of path: [UInt8], _ content: ObjectID, _ commit: Commit, _ files: (ObjectID) throws -> [[UInt8]: ObjectID]
  ) throws -> (ObjectID, [UInt8])? {
    guard let parent = commit.parents.first else { return nil }
    let (own, theirs) = (try files(commit.id), try files(parent))
    let name = path.split(separator: 47).last
    let formers = theirs.filter { $0.value == content && own[$0.key] == nil }.keys
      .sorted { $0.lexicographicallyPrecedes($1) }
    let former = formers.first(where: { $0.split(separator: 47).last == name }) ?? formers.first
    return former.map { (parent, $0) }
  }

  /// The commit that added a file that was deleted and came back, by the same look at all files.
  private func firstAddition(
    of path: [UInt8], _ content: ObjectID, by commit: Commit,
    _ files: (ObjectID) throws -> [[UInt8]: ObjectID], _ test: TestRepository
  ) throws -> Commit? {
    var (path, wanted, isSame, next) = (path, content, false, commit.parents.first)
    var first: Commit?
    while let id = next {
      let commit = try test.repository.read(id)
      guard let content = try files(id)[path] else {
        (isSame, next) = (false, commit.parents.first)
        continue
      }
      isSame = isSame || content == wanted
      if let parent = try commit.parents.first(where: { try files($0)[path] == content })
        ?? commit.parents.first(where: { try files($0)[path] != nil })
      {
        next = parent
      } else if isSame, let former = try former(of: path, content, commit, files) {
        (next, path) = former
      } else {
        if isSame { (first, wanted) = (commit, content) }
        (isSame, next) = (false, commit.parents.first)
      }
    }
    return first
  }

  @Test func aFileThatCameBackKeepsItsFirstTime() throws {
    let test = try TestRepository(["a.md": "1\n", "b.md": "b\n"])
    let first = try test.repository.pathTimes(at: test.id("HEAD"), under: [], cache: nil)[Array("a.md".utf8)]
    try test.change("a.md", "2\n")
    try test.change("a.md", nil)
    let back = try test.change("a.md", "1\n")
    let times = try test.repository.pathTimes(at: back, under: [], cache: nil)[Array("a.md".utf8)]
    #expect(times?.first == first?.first && times?.modifiedBy == back)
    try test.change("a.md", nil)
    let other = try test.change("a.md", "another file\n")
    let commit = try test.repository.read(other)
    let after = try test.repository.pathTimes(at: other, under: [], cache: nil)[Array("a.md".utf8)]
    #expect(after?.first.seconds == commit.author.seconds)
  }

  @Test func agreesWithAWalkOfEachFile() throws {
    for seed in 400..<408 as Range<UInt64> {
      let clock = RandomHistory.clocks[Int(seed) % RandomHistory.clocks.count]
      let test = try RandomHistory(seed: seed, commits: 120, paths: 12, clock: clock, isNested: seed % 2 == 1)
        .test
      var known: [ObjectID: [[UInt8]: ObjectID]] = [:]
      func files(_ id: ObjectID) throws -> [[UInt8]: ObjectID] {
        if let files = known[id] { return files }
        let files = try test.repository.files(at: id, under: []).map { ($0.path, $0.id) }
        known[id] = Dictionary(uniqueKeysWithValues: files)
        return known[id] ?? [:]
      }
      let ids = try test.git("rev-list", "HEAD").split(separator: "\n").map {
        try #require(ObjectID(hex: String($0)))
      }
      let cache = Array("\(test.folder.path)/cache".utf8)
      let all = Set(try ids.flatMap { try files($0).keys })
      for place in [119, 60, 30, 10, 0] where place < ids.count {
        let index = try test.repository.history.index(at: ids[place], under: [], cache: cache)
        for path in all {
          #expect(
            try index.times(of: path) == walked(path, from: ids[place], files, test), "seed \(seed) \(place)")
        }
        let past = try Set(
          test.git("rev-list", ids[place].hex).split(separator: "\n").map {
            try #require(ObjectID(hex: String($0)))
          })
        let everThere = Set(try past.flatMap { try files($0).keys })
        let deleted = everThere.subtracting(try files(ids[place]).keys)
        #expect(try index.deletedPaths() == deleted.sorted { $0.lexicographicallyPrecedes($1) })
        let commit = try test.repository.read(ids[place])
        let before = try commit.parents.first.map { try files($0) } ?? [:]
        let now = try files(commit.id)
        let touched = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }
        #expect(try index.paths(touchedBy: commit.id) == touched.sorted { $0.lexicographicallyPrecedes($1) })
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

  @Test func looksUpInAnyOrder() throws {
    let test = try RandomHistory(seed: 11, commits: 60, paths: 30, clock: RandomHistory.clocks[0]).test
    let cache = Array("\(test.folder.path)/.git/times".utf8)
    _ = try test.repository.history.index(at: test.id("HEAD~5"), under: [], cache: cache)
    let index = try test.repository.history.index(at: test.id("HEAD"), under: [], cache: cache)
    let all = try test.repository.pathTimes(at: test.id("HEAD"), under: [], cache: nil)
    var paths = (0..<32).flatMap { number in
      ["", "d/", "d/e/", "other/", "zz/"].map { Array("\($0)f\(number)".utf8) }
    }
    paths.sort { $0.lexicographicallyPrecedes($1) }
    var random = SplitMix64(seed: 4)
    for _ in 0..<20 {
      var cursor = index.cursor()
      for path in paths {
        #expect(try cursor.times(of: path) == all[path])
        #expect(try index.times(of: path) == all[path])
      }
      paths.shuffle(using: &random)
    }
    let below = try test.repository.history.index(at: test.id("HEAD"), under: Array("d".utf8), cache: nil)
    var cursor = below.cursor()
    for path in all.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where path.starts(with: "d/".utf8) {
      #expect(try cursor.times(of: Array(path.dropFirst(2))) == all[path])
      #expect(try below.times(of: path) == all[path])
    }
    #expect(try below.times(of: Array("d".utf8)) == nil && below.times(of: Array("other/f3".utf8)) == nil)
  }

  @Test func writesOnlyWhatChanged() throws {
    let files = (0..<40).map { ("n/\($0).md", "\($0)\n") }
    let test = try TestRepository(Dictionary(uniqueKeysWithValues: files))
    let cache = Array("\(test.folder.path)/.git/times".utf8)
    _ = try test.repository.history.index(at: test.id("HEAD"), under: [], cache: cache)
    let base = try #require(test.folder.read(".git/times"))
    for round in 0..<4 {
      let head = try test.change([
        Array("n/\(round).md".utf8): "new \(round)\n", Array("n/1\(round).md".utf8): nil,
        Array("m/\(round).md".utf8): "added\n",
      ])
      let cached = try test.repository.pathTimes(at: head, under: [], cache: cache)
      #expect(try cached == test.repository.pathTimes(at: head, under: [], cache: nil))
      let grown = try #require(test.folder.read(".git/times"))
      #expect(grown.starts(with: base) && grown.count < 2 * base.count)
    }
    // What was appended to another writer's file says nothing of this one.
    let recent = try #require(test.folder.read(".git/times")).dropFirst(base.count)
    let many = (0..<1_100).map { (Array("many/\($0).md".utf8), Optional("\($0)\n")) }
    let head = try test.change(Dictionary(uniqueKeysWithValues: many))
    let right = try test.repository.pathTimes(at: head, under: [], cache: nil)
    #expect(try test.repository.pathTimes(at: head, under: [], cache: cache) == right)
    let whole = try #require(test.folder.read(".git/times"))
    #expect(!whole.starts(with: base))
    for bytes in [whole + recent, base, base + recent, base + recent.dropLast()] {
      try test.folder.write(".git/times", bytes)
      #expect(try test.repository.pathTimes(at: head, under: [], cache: cache) == right)
    }
  }

  @Test func answersForRewrittenHistory() throws {
    let test = try TestRepository(["a.md": "1\n", "b.md": "1\n"])
    let cache = Array("\(test.folder.path)/.git/times".utf8)
    for round in 0..<4 {
      try test.change("a.md", "\(round)\n")
      _ = try test.repository.pathTimes(at: test.id("HEAD"), under: [], cache: cache)
    }
    try test.folder.write("a.md", "amended\n")
    try test.git("commit", "-q", "-a", "--amend", "--date", "@1600000000 +0000", "-m", "Amended")
    for revision in ["HEAD", "HEAD~2", "HEAD"] {
      let head = try test.id(revision)
      let cached = try test.repository.pathTimes(at: head, under: [], cache: cache)
      #expect(try cached == test.repository.pathTimes(at: head, under: [], cache: nil))
    }
  }

  @Test func followsRenamesToTheFirstCommit() throws {
    let test = try TestRepository([:])
    var time = 1_500_000_000
    func commit(_ subject: String) throws {
      time += 1_000
      try test.git("add", "-A")
      try test.git("commit", "-q", "--allow-empty", "-m", subject, "--date", "@\(time) +0000")
    }
    try test.folder.write("one.md", "one\n")
    try test.folder.write("empty.md", "")
    try commit("first")
    try test.folder.write("other/one.md", "another\n")
    try commit("second")
    try test.git("mv", "one.md", "two.md")
    try test.git("mv", "empty.md", "void.md")
    try commit("third")
    try test.folder.write("two.md", "one, edited\n")
    try commit("fourth")
    try test.git("mv", "two.md", "three.md")
    try test.git("mv", "other", "moved")
    try test.folder.write("one.md", "again\n")
    try commit("fifth")
    let cache = Array("\(test.folder.path)/.git/times".utf8)
    let expected = ["three.md": 1, "moved/one.md": 2, "one.md": 5, "void.md": 3]
    for old in ["HEAD~4", "HEAD~3", "HEAD~2", "HEAD~1", "HEAD"] {
      _ = try test.repository.pathTimes(at: test.id(old), under: [], cache: cache)
      let times = try test.repository.pathTimes(at: test.id("HEAD"), under: [], cache: cache)
      for (path, place) in expected {
        let found = try #require(times[Array(path.utf8)])
        #expect(found.first.seconds == Int64(1_500_000_000 + place * 1_000), "\(path) with \(old)")
        #expect(found.modified.seconds == (path == "void.md" ? 1_500_003_000 : 1_500_005_000))
      }
      unlink(test.folder.path + "/.git/times")
    }
  }

  @Test func ignoresDamagedCaches() throws {
    let test = try RandomHistory(seed: 5, commits: 40, paths: 8, clock: RandomHistory.clocks[0]).test
    let cache = Array("\(test.folder.path)/cache".utf8)
    let head = try test.id("HEAD")
    _ = try test.repository.pathTimes(at: test.id("HEAD~4"), under: [], cache: cache)
    let right = try test.repository.pathTimes(at: head, under: [], cache: cache)
    let good = try #require(test.folder.read("cache"))
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
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

  @Test func agreesWithGitOnTheSmallCorpus() throws { try agreesWithGitOnRealNotes(name: "small") }

  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: ["kepano", "garden", "eips"])
  func agreesWithGitOnRealNotes(name: String) throws {
    let bundle = try #require(corpus(name))
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

extension Repository {
  /// The times of all files of a commit below a folder, by their paths from the root of the repository.
  func pathTimes(
    at head: ObjectID, under prefix: [UInt8], cache: [UInt8]?
  ) throws -> [[UInt8]: PathTimes] {
    var result: [[UInt8]: PathTimes] = [:]
    var cursor = try history.index(at: head, under: prefix, cache: cache).cursor()
    while let (path, times) = try cursor.next() { result[prefix.isEmpty ? path : prefix / path] = times }
    return result
  }
}
