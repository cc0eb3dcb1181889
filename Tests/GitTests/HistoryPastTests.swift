import Foundation
import SlipboxTesting
import Testing

@testable import Git

/// What an index of history says of the past, held against git.
@Suite struct HistoryPastTests {
  typealias Asked = HistoryIndexTests.Asked

  private func histories() throws -> [(seed: UInt64, test: TestRepository, index: HistoryIndex)] {
    try (400..<406 as Range<UInt64>).map { seed in
      let clock = RandomHistory.clocks[Int(seed) % RandomHistory.clocks.count]
      let test = try RandomHistory(
        seed: seed, commits: 160, paths: 12, clock: clock, isNested: seed % 4 == 3
      ).test
      return (seed, test, try index(test))
    }
  }

  private func index(_ test: TestRepository, at revision: String = "HEAD") throws -> HistoryIndex {
    try test.repository.history.index(at: test.id(revision), under: [], cache: Asked(test).cache)
  }

  @Test func theLastCommitBeforeADateIsThatOfGit() throws {
    for (seed, test, index) in try histories() {
      let dates = try test.git("log", "--first-parent", "--format=%ct").split(separator: "\n").compactMap {
        Int64($0)
      }
      for date in Set(dates.flatMap { [$0 - 1, $0, $0 + 1] }).sorted().prefix(40) where date > 100 {
        let git = try test.git("rev-list", "-1", "--first-parent", "--min-age=\(date)", "HEAD")
        let found = try index.lastCommit(notAfter: date).map { $0.hex + "\n" } ?? ""
        #expect(found == git, "seed \(seed), \(date)")
      }
      let line = try test.git("rev-list", "--first-parent", "HEAD").split(separator: "\n")
      #expect(try index.oldestCommit().id.hex == line.last.map(String.init), "seed \(seed)")
      for generations in [0, 1, 2, line.count / 2, line.count - 1, line.count] {
        let named = line.dropFirst(generations).first.map(String.init)
        #expect(try index.ancestor(generations)?.hex == named, "seed \(seed) ~\(generations)")
      }
    }
  }

  /// A path is deleted where history has it and the tip has not; its last version is that of a parent of the deletion.
  @Test func deletedFilesAreThoseThatGitDeleted() throws {
    for (seed, test, index) in try histories() {
      let renamed = try Set(index.deletedPaths()).subtracting(index.deletedFiles { _ in true }.map(\.path))
      for file in try index.deletedFiles(where: { _ in true }) where !file.isBack {
        let (path, commit) = (String(decoding: file.path, as: UTF8.self), file.deletedBy.hex)
        #expect(
          try test.git("ls-tree", "HEAD", "--", path).contains(" blob ") == false, "seed \(seed) \(path)")
        // Git also names the commits that took a file out of a folder of that name.
        let own =
          try test.git(
            "log", "-m", "--first-parent", "--no-renames", "--diff-filter=D", "--format=%H %P", "HEAD", "--",
            path
          ).split(separator: "\n").map { $0.split(separator: " ") }.first { commits in
            try test.git("ls-tree", String(commits[1]), "--", path).contains(" blob ")
              && !test.git("ls-tree", String(commits[0]), "--", path).contains(" blob ")
          }?[1...1] ?? []
        let all = try test.git("rev-list", "--parents", "-1", commit).split(separator: " ").dropFirst()
        let parents = own.isEmpty ? Array(all) : Array(own)
        let blobs = try parents.map { parent in
          try test.git("ls-tree", String(parent.prefix(40)), "--", path).split(separator: " ").dropFirst(2)
            .first.map { $0.prefix(40) } ?? ""
        }
        #expect(blobs.contains(file.last.blob.hex[...]), "seed \(seed) \(path)")
        #expect(try test.git("ls-tree", commit, "--", path).contains("blob") == false, "seed \(seed) \(path)")
      }
      // What was renamed lives on under another name, for a time at least.
      for path in renamed {
        let name = String(decoding: path, as: UTF8.self)
        let log = try test.git(
          "log", "--all", "-m", "-M100%", "--diff-filter=R", "--name-status", "--format=")
        #expect(log.contains("\t\(name)\t"), "seed \(seed) \(name)")
      }
    }
  }

  @Test func theVersionsOfFilesAreAllBlobsThereEverWere() throws {
    for (seed, test, index) in try histories() {
      let versions = try index.versions { _ in true }
      let listed = try test.git("rev-list", "--objects", "HEAD").split(separator: "\n")
        .map { $0.split(separator: " ", maxSplits: 1).map(String.init) }.filter { $0.count == 2 }
      let kinds = try test.git(
        "cat-file", "--batch-check=%(objectname) %(objecttype)",
        input: listed.map { $0[0] + "\n" }.joined())
      let blobs = Set(
        kinds.split(separator: "\n").filter { $0.hasSuffix(" blob") }.map { String($0.prefix(40)) })
      #expect(Set(versions.map(\.blob.hex)) == blobs, "seed \(seed)")
      let head = try test.git("ls-tree", "-r", "HEAD").split(separator: "\n").count
      #expect(versions.count { $0.ended == nil } == head, "seed \(seed)")
    }
  }

  @Test func aFileIsFollowedThroughItsNames() throws {
    let test = try TestRepository(["a.md": "one\n", "z.md": "other\n"])
    for (old, new) in [("a.md", "b.md"), ("b.md", "folder/c.md")] {
      try FileManager.default.createDirectory(
        atPath: test.folder.path + "/folder", withIntermediateDirectories: true)
      try test.git("mv", old, new)
      try test.git("commit", "-q", "-m", "Move")
      try test.folder.write(new, "one of \(new)\n")
      try test.git("commit", "-q", "-a", "-m", "Edit")
    }
    // Another file takes the first name.
    try test.git("mv", "z.md", "a.md")
    try test.git("commit", "-q", "-m", "Take")
    let index = try index(test)
    let all = try (0...5).map { try test.id("HEAD~\($0)") }
    #expect(try index.ancestors(of: all[2], among: all) == Set(all[2...]))
    #expect(try index.ancestors(of: .zero, among: all) == nil)
    #expect(try index.deletedFiles { _ in true }.isEmpty)
  }

  @Test func theReadingOrderHasAllPlaces() throws {
    let test = try TestRepository(["a.md": "one\n", "b.md": "two\n"])
    try test.git("gc", "-q")
    try test.folder.write("c.md", "three\n")
    try test.git("add", "-A")
    try test.git("commit", "-q", "-m", "More")
    let ids = try ["HEAD:a.md", "HEAD:c.md", "HEAD:b.md"].map { try test.id($0) } + [.zero]
    let order = try test.reopened().readingOrder(of: ids)
    #expect(Set(order) == [0, 1, 2, 3] && Set(order.prefix(2)) == [0, 2])
  }
}
