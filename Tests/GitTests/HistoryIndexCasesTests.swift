import Foundation
import SlipboxTesting
import Testing

@testable import Git

/// What may befall a repository and the cache of its history.
@Suite struct HistoryIndexCasesTests {
  typealias Asked = HistoryIndexTests.Asked

  private func random(_ seed: UInt64, commits: Int = 60) throws -> TestRepository {
    let clock = RandomHistory.clocks[Int(seed) % RandomHistory.clocks.count]
    return try RandomHistory(seed: seed, commits: commits, paths: 10, clock: clock).test
  }

  /// A repository with one commit after the other, each changing two of a hundred files.
  private func line(_ count: Int) throws -> TestRepository {
    let test = try TestRepository([:])
    var stream = ""
    for number in 0..<count {
      stream += "commit refs/heads/main\ncommitter C <c@x> \(2_000_000 + number * 60) +0000\ndata 2\nx\n"
      for path in ["n/f\(number * 7 % 100)", "f\(number % 50)"] {
        let text = "\(number)\n"
        stream += "M 100644 inline \(path)\ndata \(text.utf8.count)\n\(text)\n"
      }
    }
    let result = try run("git", ["fast-import", "--quiet"], in: test.folder.path, input: stream)
    try #require(result.status == 0, "\(result.errors)")
    return test
  }

  @Test func writesAllAnewInTheEnd() throws {
    let test = try line(3_000)
    let asked = Asked(test)
    var sizes: [Int] = []
    var starts: [[UInt8]] = []
    for revision in ["HEAD~2900", "HEAD~2890", "HEAD~2880", "HEAD~1200", "HEAD~1190", "HEAD~1100", "HEAD"] {
      let start = try test.id(revision)
      for path in ["n/f14", "f3", "n"] {
        #expect(try asked.indexed([path], from: start) == asked.walked([path], from: start), "\(revision)")
      }
      let bytes = try #require(test.folder.read(".git/history"))
      sizes.append(bytes.count)
      starts.append(Array(bytes.prefix(sizes[0])))
    }
    // A few commits are appended, and the bytes before them stay.
    #expect(starts[1] == starts[0] && starts[2] == starts[0] && sizes[1] > sizes[0] && sizes[2] > sizes[1])
    #expect(starts[3] != starts[0] && starts[4] == starts[3] && sizes[4] - sizes[3] < 4_096)
    // There is no more than what a build would make, and one chain.
    let grown = try #require(try HistoryFile.read(asked.cache)).graph
    unlink("\(test.folder.path)/.git/history")
    _ = try asked.indexed(["n"], from: test.id("HEAD"))
    #expect(test.folder.read(".git/history")?.count == sizes[6])
    #expect(grown.segments.count == 1)
    #expect(try grown.chain(of: 2_999).start == 0)
  }

  @Test func staysSmallOverManyCommits() throws {
    let test = try line(600)
    let asked = Asked(test)
    let ids = try test.git("rev-list", "--reverse", "HEAD").split(separator: "\n")
      .map { try #require(ObjectID(hex: String($0))) }
    for id in ids { _ = try test.repository.history.index(at: id, under: [], cache: asked.cache) }
    let stored = try #require(try HistoryFile.read(asked.cache))
    #expect(stored.graph.segments.count < 12)
    #expect(try stored.graph.number(of: ids[0]) != nil)
    unlink("\(test.folder.path)/.git/history")
    _ = try test.repository.history.index(at: ids[599], under: [], cache: asked.cache)
    let size = try #require(test.folder.read(".git/history")).count
    #expect(stored.length < 3 * size)
  }

  @Test func dropsWhatIsNoLongerInHistory() throws {
    let test = try line(400)
    let asked = Asked(test)
    let head = try test.id("HEAD")
    _ = try asked.indexed(["n"], from: head)
    try test.git("reset", "-q", "--soft", "HEAD~300")
    var stream = ""
    for number in 0..<400 {
      stream += "commit refs/heads/other\ncommitter C <c@x> \(3_000_000 + number * 60) +0000\ndata 2\ny\n"
      if number == 0 { stream += "from \(try test.line("rev-parse", "HEAD"))\n" }
      stream += "M 100644 inline other\ndata 4\n\(1_000 + number)\n\n"
    }
    #expect(try run("git", ["fast-import", "--quiet"], in: test.folder.path, input: stream).status == 0)
    let other = try test.id("other")
    #expect(try asked.indexed(["other"], from: other).count == 400)
    #expect(try asked.indexed(["n"], from: other) == asked.walked(["n"], from: other))
    let graph = try #require(try HistoryFile.read(asked.cache)).graph
    #expect(try graph.end == 500 && graph.number(of: head) == nil)
    // Once more part of history, it is read again.
    #expect(try asked.indexed(["n"], from: head) == asked.walked(["n"], from: head))
  }

  @Test func aFewCommitsAreFoundWithoutReadingAll() throws {
    let test = try line(2_000)
    let asked = Asked(test)
    let head = try test.id("HEAD")
    #expect(try asked.indexed(["f3"], from: head, limit: 5) == asked.walked(["f3"], from: head, limit: 5))
    #expect(test.folder.read(".git/history") == nil)
    #expect(try asked.indexed(["f3"], from: head) == asked.walked(["f3"], from: head))
    #expect(test.folder.read(".git/history") != nil)
    #expect(try asked.indexed(["f3"], from: head, limit: 5) == asked.walked(["f3"], from: head, limit: 5))
  }

  @Test func tellsHowFarItIs() throws {
    let test = try line(1_500)
    let asked = Asked(test)
    var reports: [[Int]] = []
    try test.repository.history.visit(
      from: test.id("HEAD"), touching: [Array("f3".utf8)], under: [], cache: asked.cache,
      progress: { reports.append([$0, $1]) }, { _ in true })
    #expect(reports.first == [0, 1_500] && reports.last == [1_500, 1_500] && reports.count > 2)
    #expect(reports.allSatisfy { $0[0] <= $0[1] })
  }

  @Test func neverStartsTheLibrary() throws {
    let test = try random(1)
    for _ in 0..<2 {
      let repository = try test.reopened()
      var seen = 0
      try repository.history.visit(
        from: test.id("HEAD"), touching: [Array("f0".utf8)], under: [], cache: Asked(test).cache
      ) { _ in
        seen += 1
        return true
      }
      #expect(seen > 0 && !repository.isOpen)
    }
  }

  @Test func answersForRewrittenHistory() throws {
    let test = try random(2)
    let asked = Asked(test)
    try test.git("reset", "-q", "--hard", "main")
    for (number, revision) in ["HEAD", "HEAD~3", "HEAD~1", "HEAD~5"].enumerated() {
      try asked.check(from: test.id("HEAD"), "before \(revision)")
      try test.git("reset", "-q", "--hard", revision)
      try asked.check(from: test.id("HEAD"), "at \(revision)")
      try test.folder.write("f0", "other \(number)\n")
      try test.git("add", "-A")
      try test.git("commit", "-q", "-m", "Other")
      try asked.check(from: test.id("HEAD"), "after \(revision)")
    }
    // An orphan branch, that has nothing to do with the rest, and a merge of both.
    try test.git("checkout", "-q", "--orphan", "lone")
    try test.git("commit", "-q", "-m", "Orphan")
    try asked.check(from: test.id("HEAD"), "orphan")
    try test.git("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "-m", "Both", "main")
    try asked.check(from: test.id("HEAD"), "both")
  }

  @Test func endsAtTheCutOfAShallowClone() throws {
    let origin = try random(0, commits: 80)
    let folder = try TemporaryFolder()
    let url = "file://" + origin.folder.path
    try folder.git("clone", "-q", "--no-checkout", "--depth", "5", url, "c")
    let clone = folder.path + "/c"
    let test = TestRepository(folder: folder, repository: try TestRepository.open(clone))
    let head = try origin.id("HEAD")
    var lengths: [Int] = []
    for depth in ["5", "20", "70"] {
      try test.git("-C", clone, "fetch", "-q", "--depth", depth, "origin")
      let asked = Asked(test, "cache")
      for path in ["f0", "d/f1", "d", "d/e/f2", "other/f3"] {
        #expect(try asked.indexed([path], from: head) == asked.walked([path], from: head), "\(depth) \(path)")
      }
      lengths.append(try asked.indexed(["d"], from: head).count)
    }
    #expect(lengths[0] < lengths[1] && lengths[1] < lengths[2])
  }

  @Test func worksWithoutACache() throws {
    let test = try line(1_200)
    let head = try test.id("HEAD")
    // A folder that is not there, and one that is a file.
    for name in ["no/where/cache", ".git/HEAD/cache"] {
      let asked = Asked(test, name)
      for path in ["f3", "n/f14"] {
        #expect(try asked.indexed([path], from: head) == asked.walked([path], from: head))
      }
    }
    let asked = Asked(test)
    for paths in [[], [""], ["/"]] as [[String]] {
      #expect(try asked.indexed(paths, from: head) == asked.walked(paths, from: head))
    }
    #expect(test.folder.read(".git/history") == nil)
  }

  @Test func severalProcessesMayAskAtOnce() throws {
    let test = try random(4, commits: 120)
    let ids = try test.git("rev-list", "--topo-order", "--reverse", "HEAD").split(separator: "\n").map(
      String.init)
    let root = test.folder.path
    let right = try ids.map { id in
      try Asked(test).walked(["d"], from: #require(ObjectID(hex: id))).map(\.hex)
    }
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      var random = SplitMix64(seed: UInt64(worker))
      for round in 0..<40 {
        let number = Int.random(in: 0..<ids.count, using: &random)
        if round % 10 == 9 { unlink(root + "/.git/history") }
        var found: [String] = []
        do {
          let repository = try TestRepository.open(root)
          try repository.history.visit(
            from: #require(ObjectID(hex: ids[number])), touching: [Array("d".utf8)],
            under: [], cache: Array("\(root)/.git/history".utf8)
          ) { commit in
            found.append(commit.id.hex)
            return true
          }
        } catch { Issue.record(error) }
        #expect(found == right[number])
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: root + "/.git")
    #expect(names.filter { $0.hasPrefix("history") }.allSatisfy { !$0.contains(".new") })
  }

  @Test func readsAroundTreesThatAreGone() throws {
    let test = try TestRepository(["a": "1\n", "x/one": "1\n"])
    for number in 2..<9 {
      try test.change(number % 2 == 0 ? "x/one" : "a", "\(number)\n")
    }
    let lost = try test.line("rev-parse", "HEAD~4:x")
    unlink("\(test.folder.path)/.git/objects/\(lost.prefix(2))/\(lost.dropFirst(2))")
    let reopened = TestRepository(folder: test.folder, repository: try test.reopened())
    let asked = Asked(reopened)
    let head = try test.id("HEAD")
    for _ in 0..<2 {
      #expect(try asked.indexed(["a"], from: head) == asked.walked(["a"], from: head))
      #expect(throws: GitError.self) { try asked.walked(["x/one"], from: head) }
      #expect(throws: GitError.self) { try asked.indexed(["x/one"], from: head) }
    }
    #expect(test.folder.read(".git/history") != nil)
  }

  @Test func tellsModesLinksAndSubmodulesApart() throws {
    let test = try TestRepository(["a": "b\n", "m/x": "1\n"])
    let asked = Asked(test)
    let blob = try test.line("rev-parse", "HEAD:a")
    let commit = try test.line("rev-parse", "HEAD")
    for line in [
      "100755,\(blob),a", "120000,\(blob),a", "100644,\(blob),a", "160000,\(commit),s", "160000,\(blob),s",
    ] {
      try test.git("update-index", "--add", "--cacheinfo", line)
      try test.git("commit", "-q", "-m", "Change")
    }
    try test.git("rm", "-q", "--cached", "s")
    try test.git("commit", "-q", "-m", "Remove")
    let head = try test.id("HEAD")
    #expect(try asked.indexed(["a"], from: head).count == 4)
    #expect(try asked.indexed(["s"], from: head).count == 3)
    try asked.check(from: head, "modes")
  }
}
