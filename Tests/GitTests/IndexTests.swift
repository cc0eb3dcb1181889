import Foundation
import Git
import Platform
import SlipboxTesting
import Testing

/// Changes of our own paths leave all else in the index as it was, whatever form it has.
@Suite struct IndexTests {
  static let files = [
    "a.md": "one\n", "b.md": "two\n", "d/c.md": "three\n", "d/e/f.md": "four\n", "x/y.md": "five\n",
  ]

  @Test func addsReplacesAndRemoves() throws {
    let test = try TestRepository(Self.files)
    try test.change([
      Array("new/deep/n.md".utf8): "new\n", Array("a.md".utf8): "changed\n", Array("x/y.md".utf8): nil,
    ])
    try test.verify()
    #expect(try test.line("write-tree") == test.line("rev-parse", "HEAD^{tree}"))
    #expect(try test.git("show", "HEAD:a.md") == "changed\n")
    #expect(try test.git("ls-files") == "a.md\nb.md\nd/c.md\nd/e/f.md\nnew/deep/n.md\n")
  }

  @Test func keepsTreesOfOtherFolders() throws {
    let test = try TestRepository(Self.files)
    try test.git("write-tree")
    try test.change("d/c.md", "more\n")
    let index = try #require(test.folder.read(".git/index"))
    #expect(index.indices.contains { index[$0...].starts(with: Array("x\0".utf8) + Array("1 0\n".utf8)) })
    #expect(index.indices.contains { index[$0...].starts(with: Array("d\0".utf8) + Array("-1 1\n".utf8)) })
    try test.verify()
  }

  static let forms: [[String: String]] = [
    [:], ["index.version": "3"], ["index.version": "4"], ["core.untrackedCache": "true"],
    ["core.splitIndex": "true"], ["index.threads": "true"], ["core.fsmonitor": "true"],
  ]

  @Test(arguments: forms) func keepsWhatTheUserStaged(settings: [String: String]) throws {
    var settings = settings
    let usesMonitor = settings.removeValue(forKey: "core.fsmonitor") != nil
    let test = try TestRepository(Self.files, settings: settings)
    if usesMonitor { try Self.installMonitor(test) }
    if let version = settings["index.version"] { try test.git("update-index", "--index-version", version) }
    if settings["core.splitIndex"] != nil { try test.git("update-index", "--split-index") }
    if settings["core.untrackedCache"] != nil { try test.git("update-index", "--untracked-cache") }
    try test.folder.write("b.md", "staged\n")
    try test.folder.write("d/added.md", "added\n")
    try test.folder.write("announced.md", "later\n")
    try test.git("add", "b.md", "d/added.md")
    try test.git("add", "-N", "announced.md")
    try test.git("rm", "-q", "--cached", "d/e/f.md")
    try test.git("update-index", "--skip-worktree", "x/y.md")
    try test.git("update-index", "--assume-unchanged", "d/c.md")
    try test.folder.write("b.md", "staged, then changed\n")
    let before = try test.git("ls-files", "--stage", "-t", "-v")
    try test.change("a.md", "changed\n")
    try test.change("zz/new.md", "new\n")
    let after = try test.git("ls-files", "--stage", "-t", "-v").split(separator: "\n")
    for line in before.split(separator: "\n") where !line.hasSuffix("\ta.md") {
      #expect(after.contains(line))
    }
    #expect(after.count == before.split(separator: "\n").count + 1)
    try test.verify(status: " A announced.md\nMM b.md\nA  d/added.md\nD  d/e/f.md\n?? d/e/\n")
    if let version = settings["index.version"], version == "4" {
      #expect(test.folder.read(".git/index")?[7] == 4)
    }
  }

  private static func installMonitor(_ test: TestRepository) throws {
    // A monitor that knows of no change at all would hide ours; this one names every file each time.
    try test.folder.write(".git/monitor", "#!/bin/sh\nprintf 'token\\0/\\0'\n")
    try test.git("config", "core.fsmonitor", test.folder.path + "/.git/monitor")
    chmod(test.folder.path + "/.git/monitor", 0o755)
    try test.git("update-index", "--fsmonitor")
  }

  @Test func readsEveryForm() throws {
    for form in [["--index-version", "2"], ["--index-version", "4"], ["--split-index"]] {
      let test = try TestRepository(Self.files)
      _ = try run("git", ["update-index"] + form, in: test.folder.path)
      try test.git("update-index", "--skip-worktree", "x/y.md")
      try test.folder.write("later.md", "later\n")
      try test.git("add", "-N", "later.md")
      let entries = try test.repository.index.entries()
      let listed = entries.map { entry in
        "\(String(entry.mode, radix: 8)) \(entry.id) \(entry.stage)\t\(String(decoding: entry.path, as: UTF8.self))\n"
      }
      #expect(listed.joined() == (try test.git("ls-files", "--stage")))
      #expect(entries.filter(\.skipWorktree).map(\.path) == [Array("x/y.md".utf8)])
      #expect(entries.filter(\.intentToAdd).map(\.path) == [Array("later.md".utf8)])
      let own = try status(of: Array("\(test.folder.path)/b.md".utf8))
      let entry = try #require(entries.first { $0.path == Array("b.md".utf8) })
      #expect(entry.modified == own.modified && entry.changed == own.changed && Int64(entry.size) == own.size)
      #expect(UInt64(entry.inode) == own.inode & 0xFFFF_FFFF)
    }
  }

  @Test func keepsResolvedConflictsAndRefusesOpenOnes() throws {
    let test = try Self.conflict()
    let error = gitError { try test.change("a.md", "mine\n") }
    #expect(error?.reason == .unmerged(path: Array("a.md".utf8)))
    try test.verifyNoLock()
    let before = try test.git("ls-files", "--stage")
    try test.change("other.md", "x\n")
    #expect(
      try test.git("ls-files", "--unmerged")
        == before.split(separator: "\n").filter { $0.hasSuffix("\ta.md") }
        .map { $0 + "\n" }.joined())
    try test.folder.write("a.md", "settled\n")
    try test.git("add", "a.md")
    let undo = try test.git("ls-files", "--resolve-undo")
    #expect(!undo.isEmpty)
    try test.change("other.md", "y\n")
    #expect(try test.git("ls-files", "--resolve-undo") == undo)
  }

  @Test func refusesOpenConflictsInVersion4() throws {
    let test = try Self.conflict()
    try test.git("update-index", "--index-version", "4")
    #expect(gitError { try test.change("a.md", "mine\n") }?.reason == .unmerged(path: Array("a.md".utf8)))
    try test.verifyNoLock()
  }

  static func conflict() throws -> TestRepository {
    let test = try TestRepository(["a.md": "one\n", "other.md": "o\n"])
    try test.git("switch", "-q", "-c", "side")
    try test.folder.write("a.md", "side\n")
    try test.git("commit", "-q", "-am", "side")
    try test.git("switch", "-q", "main")
    try test.folder.write("a.md", "main\n")
    try test.git("commit", "-q", "-am", "main")
    let merge = try run("git", ["merge", "side"], in: test.folder.path)
    #expect(merge.status == 1)
    return test
  }

  @Test(arguments: ["2", "4"]) func fileAndFolderTakeEachOthersPlace(version: String) throws {
    let test = try TestRepository(["a": "file\n", "b/one": "1\n", "b/two": "2\n", "b-x": "x\n", "c": "c\n"])
    try test.git("update-index", "--index-version", version)
    unlink(test.folder.path + "/a")
    try test.change([Array("a/inside".utf8): "in\n", Array("a".utf8): nil])
    #expect(try test.git("ls-files") == "a/inside\nb-x\nb/one\nb/two\nc\n")
    try FileManager.default.removeItem(atPath: test.folder.path + "/b")
    try test.change([Array("b".utf8): "file\n"])
    #expect(try test.git("ls-files") == "a/inside\nb\nb-x\nc\n")
    try test.verify()
    #expect(try test.line("write-tree") == test.line("rev-parse", "HEAD^{tree}"))
  }

  @Test func handlesAnyName() throws {
    let names: [[UInt8]] = [
      Array("-dash.md".utf8), Array("new\nline.md".utf8), [0xFF, 0xFE] + Array(".md".utf8),
      Array("tab\t.md".utf8),
      Array("é/ü.md".utf8), Array("e\u{301}.md".utf8), Array(repeating: 120, count: 255),
      Array((String(repeating: "long/", count: 60) + "x.md").utf8), Array("\"quoted\".md".utf8),
      Array(" .md".utf8),
    ]
    for version in ["2", "4"] {
      let test = try TestRepository()
      try test.git("update-index", "--index-version", version)
      try test.change(Dictionary(uniqueKeysWithValues: names.map { ($0, "text\n") }))
      try test.verify()
      let listed = try test.repository.files(at: test.id("HEAD"), under: [])
      let expected = (names + [Array("a.md".utf8)]).sorted { $0.lexicographicallyPrecedes($1) }
      #expect(listed.map(\.path) == expected)
      #expect(try test.repository.index.entries().map(\.path) == expected)
      try test.change(Dictionary(uniqueKeysWithValues: names.map { ($0, nil) }))
      try test.verify()
      #expect(try test.git("ls-files") == "a.md\n")
    }
  }

  @Test func refusesPathsThatGitRefuses() throws {
    let test = try TestRepository()
    let blob = try test.repository.conversion.writeBlob([65], path: Array("ok".utf8))
    let bad = [
      "", "/abs", "a//b", "a/", "../x", "a/../b", "./a", ".git/x", "a/.GIT/x", "GIT~1", ".git ", ".git.",
      "a/.git::$x",
      ".g\u{200C}it", "a\0b",
    ]
    for path in bad.map({ Array($0.utf8) }) {
      #expect(
        gitError { try test.repository.writeTree(base: nil, [.put(path: path, blob: blob, mode: 0o100644)]) }
          != nil)
      #expect(gitError { try test.repository.holding { try $0.updateIndex([.remove(path: path)]) } } != nil)
    }
    let put = { (path: String) in TreeEdit.put(path: Array(path.utf8), blob: blob, mode: 0o100644) }
    #expect(gitError { try test.repository.writeTree(base: nil, [put("a"), put("a/b")]) } != nil)
    try test.verify()
  }
}

extension TestRepository {
  func verifyNoLock(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.git")
    #expect(!left.contains { $0.hasSuffix(".lock") || $0.contains("copy") }, sourceLocation: sourceLocation)
  }
}
