import Foundation
import SlipboxTesting
import Testing

@testable import Git

/// What an index of history costs where trees or histories are made to cost much.
@Suite struct HistoryBoundsTests {
  /// Writes a tree object, and returns its name.
  private func tree(_ lines: [String], in test: TestRepository) throws -> String {
    try test.git("mktree", input: lines.joined(separator: "\n") + "\n").trimmingCharacters(in: .newlines)
  }

  /// A tree of ten levels, each with ten equal trees, over some files.
  private func bomb(_ text: String, in test: TestRepository) throws -> String {
    let blob = try test.git("hash-object", "-w", "--stdin", input: text).trimmingCharacters(in: .newlines)
    var name = try tree((0..<10).map { "100644 blob \(blob)\tf\($0)" }, in: test)
    for _ in 0..<10 { name = try tree((0..<10).map { "040000 tree \(name)\td\($0)" }, in: test) }
    return name
  }

  /// The peak of the memory of this process, in kilobytes.
  private var peak: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }

  @Test func aBombAtHeadIsRefusedAndEqualFoldersAreNot() throws {
    let test = try TestRepository([
      "a.md": "1\n", "one/b.md": "1\n", "two/b.md": "1\n", "two/one/b.md": "1\n",
    ])
    #expect(try test.repository.files(at: test.id("HEAD"), under: []).count == 4)
    let root = try tree(
      ["040000 tree \(bomb("x\n", in: test))\tbomb", test.line("ls-tree", "HEAD", "a.md")], in: test)
    let old = try test.id("HEAD")
    try test.git("reset", "-q", "--soft", try test.line("commit-tree", "-p", "HEAD", "-m", "Bomb", root))
    let (head, before, start) = (try test.id("HEAD"), peak, ContinuousClock.now)
    let walked = gitError { try test.repository.files(at: head, under: []) }
    #expect(walked?.message.contains("repeated too often") == true)
    let compared = gitError { try test.repository.changedFiles(from: old, to: head, under: []) }
    #expect(compared?.message.contains("repeated too often") == true)
    #expect(try test.repository.file(Array("bomb/d1/d2/d3".utf8), at: head) == nil)
    #expect(
      try test.repository.files(at: head, under: Array("bomb/d1/d2/d3/d4/d5/d6/d7".utf8)).count == 10_000)
    #expect(test.repository.objectLook(from: head)() == [])
    #expect(ContinuousClock.now - start < .seconds(60))
    // Other tests run at the same time.
    #expect(peak - before < 1_000_000)
  }

  @Test func survivesTreesThatHoldEachOther() throws {
    let test = try TestRepository(["a.md": "1\n", "n/b.md": "1\n"])
    func commit(_ lines: [String]) throws {
      let root = try tree(
        lines + [test.line("ls-tree", "HEAD", "a.md"), test.line("ls-tree", "HEAD", "n")], in: test)
      let commit = try test.line("commit-tree", "-p", "HEAD", "-m", "Bomb", root)
      try test.git("reset", "-q", "--soft", commit)
    }
    try test.change("a.md", "2\n")
    // It comes, changes in every file, and goes; notes are changed before and after.
    for text in ["x\n", "y\n"] { try commit(["040000 tree \(bomb(text, in: test))\tbomb"]) }
    try commit([])
    try test.git("reset", "-q", "--hard")
    try test.change("n/b.md", "2\n")
    let asked = HistoryIndexTests.Asked(test)
    let head = try test.id("HEAD")
    let before = peak
    let start = ContinuousClock.now
    let times = try asked.times(at: head)
    #expect(times.count == 2)
    for path in ["a.md", "n/b.md"] {
      #expect(try asked.indexed([path], from: head) == asked.walked([path], from: head))
      let gits = try test.line("log", "-1", "--format=%H", "--", path)
      #expect(times[Array(path.utf8)]?.modifiedBy.hex == gits)
      let first = try test.line("log", "--format=%at", "--reverse", "--", path)
      #expect(times[Array(path.utf8)].map { String($0.first.seconds) } == first)
    }
    #expect(try asked.indexed(["bomb"], from: head).count == 3)
    #expect(ContinuousClock.now - start < .seconds(60))
    // Other tests run at the same time.
    #expect(peak - before < 1_000_000)
    #expect((test.folder.read(".git/history")?.count ?? .max) < 16_384)
  }

  @Test func growsLinearlyWithAWideHistory() throws {
    // Every commit merges another that changed one of many files on the side.
    var sizes: [Int] = []
    var counts: [Int] = []
    for count in [200, 400] {
      let test = try TestRepository([:])
      var stream = "commit refs/heads/main\nmark :1\ncommitter C <c@x> 1000000 +0000\ndata 2\nx\n"
      for file in 0..<100 { stream += "M 100644 inline n/f\(file)\ndata 2\n0\n\n" }
      for number in 0..<count {
        let (side, merge) = (number * 2 + 2, number * 2 + 3)
        let time = 1_000_000 + number * 60
        stream += "commit refs/heads/side\nmark :\(side)\ncommitter C <c@x> \(time + 10) +0000\ndata 2\nx\n"
        stream += "from :1\nM 100644 inline n/f\(number % 100)\ndata 5\n\(1_000 + number)\n\n"
        stream += "commit refs/heads/main\nmark :\(merge)\ncommitter C <c@x> \(time + 20) +0000\ndata 2\nx\n"
        stream += "from :\(number == 0 ? 1 : merge - 2)\nmerge :\(side)\n"
        stream += "M 100644 inline n/f\(number % 100)\ndata 5\n\(1_000 + number)\n\n"
      }
      let made = try run("git", ["fast-import", "--quiet"], in: test.folder.path, input: stream)
      try #require(made.status == 0, "\(made.errors)")
      let asked = HistoryIndexTests.Asked(test)
      let head = try test.id("HEAD")
      #expect(try asked.times(at: head).count == 100)
      #expect(try asked.indexed(["n/f7"], from: head) == asked.walked(["n/f7"], from: head))
      let stored = try #require(try HistoryFile.read(asked.cache))
      sizes.append(stored.length)
      counts.append(stored.graph.segments.reduce(0) { $0 + $1.changes.count })
      // The merge is not what changed the file, but the commit on the side.
      let times = try asked.times(at: head)
      let gits = try test.line("log", "-1", "--format=%H", "--", "n/f7")
      #expect(times[Array("n/f7".utf8)]?.modifiedBy.hex == gits)
    }
    #expect(counts == [100 + 2 * 200, 100 + 2 * 400])
    #expect(sizes[1] < 2 * sizes[0])
  }

  @Test func answersSeveralThreadsAtOnce() throws {
    let clock = RandomHistory.clocks[0]
    let test = try RandomHistory(seed: 77, commits: 150, paths: 12, clock: clock).test
    let asked = HistoryIndexTests.Asked(test)
    _ = try asked.times(at: test.id("HEAD~5"))
    let head = try test.id("HEAD")
    let right = try asked.times(at: head, cache: nil)
    let walked = try asked.walked(["d"], from: head)
    let index = try test.repository.history.index(at: head, under: [], cache: asked.cache)
    let deleted = try index.deletedPaths()
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      do {
        for round in 0..<60 {
          switch (worker + round) % 4 {
          case 0: #expect(try index.commits(touching: [Array("d".utf8)]) == walked)
          case 1: #expect(try index.deletedPaths() == deleted)
          case 2: for (path, times) in right { #expect(try index.times(of: path) == times) }
          default:
            var cursor = index.cursor()
            var count = 0
            while let (path, times) = try cursor.next() {
              #expect(right[path] == times)
              count += 1
            }
            #expect(count == right.count)
          }
        }
      } catch { Issue.record(error) }
    }
  }
}
