import Foundation
import Git
import SlipboxTesting
import Testing

/// Histories with merges, made by `git fast-import` from a seed.
struct RandomHistory {
  let test: TestRepository

  /// - Parameters:
  ///   - clock: the committer's seconds for the n-th commit.
  ///   - isNested: whether files become folders and folders files.
  init(seed: UInt64, commits: Int, paths: Int, clock: Clock, isNested: Bool = false) throws {
    test = try TestRepository([:])
    var random = SplitMix64(seed: seed)
    var stream = ""
    var contents: [[String: Int]] = []
    for number in 0..<commits {
      var parents: [Int] = number == 0 ? [] : [Int.random(in: max(0, number - 4)..<number, using: &random)]
      while number > 2, parents.count < 3, Int.random(in: 0..<3, using: &random) == 0 {
        let other = Int.random(in: max(0, number - 6)..<number, using: &random)
        if !parents.contains(other) { parents.append(other) }
      }
      stream += "commit refs/heads/main\nmark :\(number + 1)\n"
      stream +=
        "author A <a@x> \(1_000_000 + number * 7) +0100\ncommitter C <c@x> \(clock(number, &random)) -0230\n"
      stream += "data 2\nx\n"
      for (place, parent) in parents.enumerated() {
        stream += "\(place == 0 ? "from" : "merge") :\(parent + 1)\n"
      }
      if parents.isEmpty, number > 0 { stream += "deleteall\n" }
      var files = parents.first.map { contents[$0] } ?? [:]
      // A merge takes some files of its other parents, as merges do, and then some are changed.
      for parent in parents.dropFirst() {
        for (path, value) in contents[parent].sorted(by: { $0.key < $1.key })
        where Bool.random(using: &random) {
          files[path] = value
        }
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let chosen = Int.random(in: 0..<paths, using: &random)
        let path =
          isNested
          ? ["a", "a/b", "a/b/c", "d", "d/a", "d/a/b"][chosen % 6]
          : ["", "d/", "d/e/", "other/"][chosen % 4] + "f\(chosen)"
        if isNested {
          files = files.filter { !$0.key.hasPrefix(path + "/") && !path.hasPrefix($0.key + "/") }
        }
        files[path] = Int.random(in: 0..<6, using: &random) == 0 ? nil : Int.random(in: 0..<5, using: &random)
      }
      // What a merge took may not go together.
      let all = files.keys
      files = files.filter { file in !all.contains { file.key.hasPrefix($0 + "/") } }
      contents.append(files)
      stream += "deleteall\n"
      for (path, value) in files { stream += "M 100644 inline \(path)\ndata 2\n\(value)\n\n" }
      stream += "\n"
    }
    let result = try run("git", ["fast-import", "--quiet", "--force"], in: test.folder.path, input: stream)
    try #require(result.status == 0, "\(result.errors)")
  }

  typealias Clock = @Sendable (Int, inout SplitMix64) -> Int

  static let clocks: [Clock] = [
    { number, _ in 2_000_000 + number * 60 }, { _, _ in 2_000_000 },
    { number, random in 2_000_000 + Int.random(in: -3_000...3_000, using: &random) + number * 60 },
    { number, _ in 2_000_000 - number * 60 },
  ]
}

@Suite struct HistoryTests {
  private func ours(
    _ test: TestRepository, _ paths: [String], limit: Int? = nil, from revision: String = "HEAD"
  ) throws -> [String] {
    var result: [String] = []
    let paths = paths.map { Array($0.utf8) }
    try test.repository.history.visit(from: test.id(revision), touching: paths, limit: limit) { commit in
      result.append(commit.id.hex)
      return true
    }
    return result
  }

  private func gits(_ test: TestRepository, _ paths: [String]) throws -> [String] {
    let result = try run("git", ["log", "--format=%H", "HEAD", "--"] + paths, in: test.folder.path)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func listsWhatGitLists() throws {
    for seed in 0..<4 as Range<UInt64> {
      let clock = RandomHistory.clocks[Int(seed) % RandomHistory.clocks.count]
      let test = try RandomHistory(seed: seed, commits: 120, paths: 14, clock: clock).test
      let paths = try test.git("ls-files", "--with-tree=HEAD").split(separator: "\n").map(String.init)
      for choice in [[], ["d"], ["f0", "other"], ["nothing"]] + paths.prefix(8).map({ [$0] }) {
        let ours = try ours(test, choice)
        let gits = try gits(test, choice)
        #expect(Set(ours) == Set(gits), "seed \(seed) \(choice)")
        #expect(ours.count == gits.count)
        // Dates that rise one by one leave no choice of order.
        if seed % 4 == 0 { #expect(ours == gits) }
        if seed % 4 < 2 { try expectChildrenFirst(ours, test) }
        #expect(try Array(ours.prefix(3)) == self.ours(test, choice, limit: 3))
      }
    }
  }

  private func expectChildrenFirst(_ ids: [String], _ test: TestRepository) throws {
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    for id in ids {
      let commit = try test.repository.read(#require(ObjectID(hex: id)))
      for parent in commit.parents { #expect(places[parent.hex] ?? .max > places[id] ?? 0) }
    }
  }

  @Test func followsAPathThroughOneTreeOnTwoLevels() throws {
    let test = try TestRepository(["a/b": "1\n"])
    try test.git("mv", "a/b", "b")
    try test.git("commit", "-q", "-m", "Move all out of a folder")
    #expect(try test.line("rev-parse", "HEAD~1:a") == test.line("rev-parse", "HEAD^{tree}"))
    #expect(try ours(test, ["a/b"]) == gits(test, ["a/b"]))
    #expect(try ours(test, ["a/b"]).count == 2)
  }

  @Test func stopsWhenAsked() throws {
    let test = try RandomHistory(seed: 9, commits: 30, paths: 4, clock: RandomHistory.clocks[0]).test
    var seen = 0
    try test.repository.history.visit(from: test.id("HEAD"), touching: []) { _ in
      seen += 1
      return seen < 5
    }
    #expect(seen == 5)
  }

  @Test func readsCommits() throws {
    let test = try TestRepository()
    let message = "A subject\n over lines\n\nBody: text\n\nSlip-Operation: one\nSlip-Change: a b\n  c\n"
    try test.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-m", message)
    let commit = try test.repository.read(test.id("HEAD"))
    #expect(commit.subject == "A subject over lines")
    #expect(commit.author.name == "Ada" && commit.author.email == "ada@example.org")
    #expect(try commit.parents == [test.id("HEAD^")])
    #expect(commit.trailers.map(\.name) == ["Slip-Operation", "Slip-Change"])
    #expect(commit.trailers.map(\.value) == ["one", "a b c"])
  }

  @Test func readsTrailersAsGitDoes() throws {
    let messages = [
      "s\n\nA: 1\nB: 2\n", "s\n\nA: 1\nnot a trailer\n", "A: 1\n", "s\n\nbody\n\nA: 1\n\n\n",
      "s\n\nA: 1\n\nbody\n",
      "s\n\ntext\nSigned-off-by: X <x@x>\nmore\nand more\n",
      "s\n\none\ntwo\nthree\nfour\nSigned-off-by: X <x@x>\n",
      "s\n\nA: 1\n continued\n\tagain\nB:2\n",
      "s\n\n(cherry picked from commit 0123456789012345678901234567890123456789)\n",
      "s\n\nA : 1\nB b: 2\n", "s\n\nhttps://x\nA: 1\n", "s\n\nA:\nB: x\n", "s\n\n leading\nA: 1\n",
      "s\n \nA: 1\n",
    ]
    let test = try TestRepository()
    for message in messages {
      let commit = try test.git("commit-tree", "HEAD^{tree}", "-F", "-", input: message)
      let id = try #require(ObjectID(hex: String(commit.prefix(40))))
      let ours = try test.repository.read(id).trailers.map { "\($0.name): \($0.value)\n" }.joined()
      let gits = try test.git("log", "-1", "--format=%(trailers:only,unfold)", id.hex)
      #expect(ours == String(gits.dropLast()), "\(message.debugDescription)")
      #expect(try test.repository.read(id).subject == test.line("log", "-1", "--format=%s", id.hex))
    }
  }

  @Test func findsRevisions() throws {
    let test = try TestRepository()
    try test.git("tag", "-a", "-m", "t", "v1")
    try test.change("b.md", "x\n")
    let head = try test.id("HEAD")
    for revision in ["HEAD", "main", String(head.hex.prefix(7)), "@", "main@{0}"] {
      #expect(try test.repository.commit(revision: revision) == head)
    }
    #expect(try test.repository.commit(revision: "v1") == test.id("HEAD~1"))
    for revision in ["", "nothing", "HEAD~9", "..", "-x", "HEAD:b.md", "a\0b", "@{"] {
      #expect(try test.repository.commit(revision: revision) == nil, "\(revision)")
    }
  }

  @Test func readsBrokenCommitsOfOthers() throws {
    let test = try TestRepository()
    let tree = try test.line("rev-parse", "HEAD^{tree}")
    for author in [
      "A <a@x> 99999999999999999999 +0000", "A a@x 5 +0000", "<> 1 -9999999999", "", "A <a@x>", ">x< 1 2",
    ] {
      let text = "tree \(tree)\nauthor \(author)\ncommitter \(author)\n\nx\n"
      let id = try test.git("hash-object", "-w", "-t", "commit", "--literally", "--stdin", input: text)
      let commit = try test.repository.read(#require(ObjectID(hex: String(id.prefix(40)))))
      #expect(commit.message == "x\n")
    }
  }
}
