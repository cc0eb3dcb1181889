import Foundation
import Git
import SlipboxTesting
import Testing

/// Running git itself, hooks, ignore rules and configuration.
@Suite struct ProgramTests {
  @Test func hidesVariablesThatNameAnotherPlace() {
    let environment = GitEnvironment([
      "GIT_DIR": "x", "GIT_INDEX_FILE": "x", "GIT_WORK_TREE": "x", "GIT_OBJECT_DIRECTORY": "x",
      "GIT_PREFIX": "x",
      "GIT_CONFIG_PARAMETERS": "x", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "k", "GIT_CONFIG": "x",
      "GIT_COMMON_DIR": "x", "GIT_NAMESPACE": "x",
      "GIT_AUTHOR_NAME": "a", "GIT_COMMITTER_DATE": "b", "GIT_SSH_COMMAND": "c", "GIT_CONFIG_GLOBAL": "d",
      "GIT_TERMINAL_PROMPT": "0", "HOME": "h", "PATH": "p",
    ])
    #expect(
      GitProgram.environment(environment) == [
        "GIT_AUTHOR_NAME": "a", "GIT_COMMITTER_DATE": "b", "GIT_SSH_COMMAND": "c", "GIT_CONFIG_GLOBAL": "d",
        "GIT_CONFIG_PARAMETERS": "x", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "k",
        "GIT_TERMINAL_PROMPT": "0", "HOME": "h", "PATH": "p",
      ])
  }

  @Test func capturesLongOutput() throws {
    let test = try TestRepository()
    let long = [UInt8](repeating: 65, count: 3_000_000)
    let answer = try GitProgram.capture(
      ["hash-object", "--stdin"], in: test.folder.bytes, environment: TestRepository.environment, input: long)
    let expected = try test.repository.conversion.contentID(of: long, path: [65])
    #expect(String(decoding: answer.output, as: UTF8.self) == expected.hex + "\n")
    let id = try test.repository.conversion.writeBlob(long, path: [65])
    let back = try GitProgram.capture(
      ["cat-file", "blob", id.hex], in: test.folder.bytes, environment: TestRepository.environment)
    #expect(back.output == long && back.status == 0)
    let failed = try GitProgram.capture(
      ["nonsense"], in: test.folder.bytes, environment: TestRepository.environment)
    #expect(failed.status == 1 && !failed.errors.isEmpty)
  }

  @Test func namesWhatCommitWouldRun() throws {
    let test = try TestRepository()
    #expect(test.repository.hooks.skippedByCommit.isEmpty)
    for (name, mode) in [("pre-commit", 0o755), ("post-merge", 0o755), ("pre-merge-commit", 0o644)]
      as [(String, mode_t)]
    {
      try test.folder.write(".git/hooks/\(name)", "#!/bin/sh\n")
      chmod(test.folder.path + "/.git/hooks/\(name)", mode)
    }
    #expect(test.repository.hooks.skippedByCommit == ["post-merge hook"])
    try test.git("config", "slipbox.hooks", "skip")
    #expect(try test.reopened().hooks.skippedByCommit == ["pre-commit hook", "post-merge hook"])
    try test.git("config", "slipbox.hooks", "run")
    try test.folder.write("hooks/pre-merge-commit", "#!/bin/sh\n")
    chmod(test.folder.path + "/hooks/pre-merge-commit", 0o755)
    try test.git("config", "core.hooksPath", "hooks")
    try test.git("config", "commit.gpgSign", "true")
    #expect(try test.reopened().hooks.skippedByCommit == ["pre-merge-commit hook", "commit signing"])
  }

  @Test func hooksThatAreLinksRun() throws {
    let test = try TestRepository()
    try test.folder.write("hook.sh", "#!/bin/sh\necho ran; exit 3\n")
    chmod(test.folder.path + "/hook.sh", 0o755)
    let hooks = test.folder.path + "/.git/hooks"
    for (name, target) in [
      ("pre-commit", "../../hook.sh"), ("post-merge", test.folder.path + "/hook.sh"),
      ("commit-msg", "gone"), ("post-commit", ".."),
    ] {
      #expect(symlink(target, hooks + "/" + name) == 0)
    }
    #expect(test.repository.hooks.skippedByCommit == ["post-merge hook"])
    let answer = try #require(try test.repository.hooks.run(.preCommit, index: nil, adding: [:]))
    #expect(!answer.hasAgreed && answer.lines == ["ran"])
    #expect(try test.repository.hooks.run(.message, index: nil, adding: [:]).map(\.lines) == nil)
    #expect(try test.repository.hooks.run(.postCommit, index: nil, adding: [:]).map(\.lines) == nil)
  }

  @Test func setsConfiguration() throws {
    let test = try TestRepository()
    try test.repository.settings.set("merge.slipbox.driver", to: "slip merge-driver %O %A %B %P")
    #expect(try test.line("config", "--local", "merge.slipbox.driver") == "slip merge-driver %O %A %B %P")
    #expect(test.repository.settings["merge.slipbox.driver"] == "slip merge-driver %O %A %B %P")
    #expect(test.repository.settings["no.such"] == nil)
    #expect(gitError { try test.repository.settings.set("bad", to: "x") } != nil)
    test.repository.lockPolicy.timeoutMilliseconds = 100
    try test.folder.write(".git/config.lock", "")
    guard case .locked? = gitError({ try test.repository.settings.set("a.b", to: "x") })?.reason else {
      Issue.record("not locked")
      return
    }
  }

  @Test func knowsIgnoreRules() throws {
    let test = try TestRepository([
      ".gitignore": "*.tmp\n!keep.tmp\nbuild/\n", "d/.gitignore": "# no\nprivate*.md\n", "tracked.tmp": "x\n",
    ])
    try test.folder.write(".git/info/exclude", "secret.md\n")
    for path in [
      "a.md", "a.tmp", "keep.tmp", "build/x.md", "d/private1.md", "private1.md", "secret.md", "d/secret.md",
      "é\n.tmp",
    ] {
      let answer = try run("git", ["check-ignore", "--no-index", "-q", path], in: test.folder.path)
      #expect(try test.repository.ignoreRules.isIgnored(Array(path.utf8)) == (answer.status == 0), "\(path)")
      #expect(
        (test.repository.ignoreRules.rule(for: Array(path.utf8)) != nil) == (answer.status == 0), "\(path)")
    }
    #expect(
      test.repository.ignoreRules.rule(for: Array("d/private1.md".utf8)) == "d/.gitignore:2: private*.md")
    #expect(
      test.repository.ignoreRules.rule(for: Array("secret.md".utf8)) == ".git/info/exclude:1: secret.md")
  }

  @Test func startsCollectionOnlyWhenThereIsMuch() throws {
    let test = try TestRepository(settings: ["gc.auto": "512", "gc.autoDetach": "false"])
    #expect(!GitProgram.startAutoGC(test.repository))
    try test.git("config", "gc.auto", "1")
    for number in 0..<700 {
      _ = try test.repository.conversion.writeBlob(Array("\(number)".utf8), path: [65])
    }
    let repository = try test.reopened()
    try #require(GitProgram.startAutoGC(repository))
    let packs = test.folder.path + "/.git/objects/pack"
    for _ in 0..<200 where try FileManager.default.contentsOfDirectory(atPath: packs).isEmpty {
      usleep(20_000)
    }
    #expect(try !FileManager.default.contentsOfDirectory(atPath: packs).isEmpty)
    #expect(try repository.blob(test.id("HEAD:a.md")) == Array("one\n".utf8))
  }

  @Test func hashesAsGitDoes() throws {
    let test = try TestRepository()
    for length in [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1_000] {
      let text = String(repeating: "x", count: length)
      let id = try test.git("hash-object", "--stdin", input: text)
      #expect(try test.repository.conversion.contentID(of: Array(text.utf8), path: [65]).hex + "\n" == id)
    }
  }

  @Test func tellsWhatIsStaged() throws {
    let test = try TestRepository(["a.md": "1\n", "b.md": "1\n", "c.md": "1\n"])
    let head = try test.id("HEAD")
    try test.folder.write("a.md", "2\n")
    try test.folder.write("new.md", "n\n")
    try test.folder.write("later.md", "n\n")
    try test.git("add", "a.md", "new.md")
    try test.git("add", "-N", "later.md")
    try test.git("rm", "-q", "--cached", "b.md")
    let staged = { (path: String) in
      let path = Array(path.utf8)
      return try test.repository.index.stagedState(of: [path], at: head).entries[path]
    }
    #expect(try staged("a.md")?.id == test.id(":a.md"))
    #expect(try staged("new.md")?.id == test.id(":new.md"))
    #expect(try staged("b.md") == nil)
    #expect(try staged("c.md")?.id == test.id("HEAD:c.md"))
    #expect(try staged("later.md")?.intentToAdd == true)
    #expect(try staged("absent.md") == nil)
    let conflict = try IndexTests.conflict()
    let path = Array("a.md".utf8)
    let state = try conflict.repository.index.stagedState(of: [path], at: nil)
    #expect(state.entries[path]?.stage != 0)
  }

  /// So a checkout leaves the index before it moves HEAD.
  @Test func tellsAnIndexOfAnotherTree() throws {
    let test = try TestRepository(["a.md": "1\n"])
    let first = try test.id("HEAD")
    try test.change("a.md", "2\n")
    let second = try test.id("HEAD")
    let isOfOtherTree = { (commit: ObjectID?) in
      try test.repository.index.stagedState(of: [], at: commit).isOfOtherTree
    }
    #expect(try !isOfOtherTree(first), "of an index of slip's nothing is known")
    try test.git("read-tree", "HEAD")
    #expect(try isOfOtherTree(first))
    #expect(try !isOfOtherTree(second))
    #expect(try !isOfOtherTree(nil))
    try test.folder.write("b.md", "n\n")
    try test.git("add", "b.md")
    #expect(try !isOfOtherTree(first), "somebody staged something")
  }
}
