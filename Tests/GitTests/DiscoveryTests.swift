import Foundation
import Git
import SlipboxTesting
import Testing

/// Which repository a folder belongs to, and which cannot be used.
@Suite struct DiscoveryTests {
  private func discover(_ path: String, _ environment: [String: String] = testEnvironment) throws
    -> Repository?
  {
    try Repository.discover(from: Array(path.utf8), environment: GitEnvironment(environment))
  }

  @Test func findsFromBelowAndNotElsewhere() throws {
    let test = try TestRepository(["deep/er/a.md": "x\n"])
    let found = try #require(try discover(test.folder.path + "/deep/er"))
    #expect(found.workTree == test.folder.bytes)
    #expect(found.gitDirectory == test.folder.bytes + Array("/.git".utf8))
    #expect(found.commonDirectory == found.gitDirectory)
    #expect(try discover(TemporaryFolder().path) == nil)
    #expect(try discover("/does/not/exist") == nil)
    let link = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: link.path + "/link", withDestinationPath: test.folder.path + "/deep")
    #expect(try discover(link.path + "/link")?.workTree == test.folder.bytes)
  }

  /// For root every file can be read, but no folder as one.
  @Test(arguments: ["folder", "loop"]) func saysThatTheSettingsCanNotBeRead(_ what: String) throws {
    let test = try TestRepository()
    let path = test.folder.path + "/.git/config"
    try FileManager.default.removeItem(atPath: path)
    if what == "folder" {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "config")
    }
    let error = gitError { try discover(test.folder.path) }
    #expect(error?.reason == .unreadable(path: Array(path.utf8)))
    #expect(error?.message.hasPrefix("\(path) can't be read: ") == true)
    try FileManager.default.removeItem(atPath: path)
    #expect(try discover(test.folder.path) != nil)
  }

  @Test func obeysTheSettingOfAnotherWorkTree() throws {
    let test = try TestRepository()
    let other = try TemporaryFolder()
    try test.git("config", "core.worktree", other.path)
    #expect(try discover(test.folder.path)?.workTree == other.bytes)
    let above = test.folder.bytes.split(separator: UInt8(ascii: "/")).dropLast()
    try test.git("--work-tree=.", "config", "core.worktree", "../..")
    #expect(try discover(test.folder.path)?.workTree == above.flatMap { [UInt8(ascii: "/")] + $0 })
  }

  @Test func obeysNoLocationVariables() throws {
    let other = try TestRepository()
    let test = try TestRepository()
    var environment = testEnvironment
    environment["GIT_DIR"] = other.folder.path + "/.git"
    environment["GIT_INDEX_FILE"] = other.folder.path + "/.git/index"
    environment["GIT_WORK_TREE"] = other.folder.path
    environment["GIT_OBJECT_DIRECTORY"] = other.folder.path + "/.git/objects"
    let repository = try #require(try discover(test.folder.path, environment))
    try test.git("update-index", "--index-version", "4")
    try test.change([Array("a.md".utf8): "changed\n"], in: repository)
    try test.verify()
    try other.verify()
  }

  @Test func knowsBareRepositories() throws {
    let folder = try TemporaryFolder()
    try folder.git("init", "-q", "--bare", "-b", "main", "x.git")
    let repository = try #require(try discover(folder.path + "/x.git"))
    #expect(repository.workTree == nil)
    #expect(try repository.head() == .branch(name: "main", tip: nil))
    #expect(
      gitError { try repository.holding { try $0.updateIndex([.remove(path: [65])]) } }?.reason == .other)
  }

  @Test func worksInLinkedWorktrees() throws {
    let test = try TestRepository(["a.md": "one\n"])
    try test.git("worktree", "add", "-q", "-b", "side", "linked")
    let repository = try #require(try discover(test.folder.path + "/linked"))
    #expect(repository.workTree == test.folder.bytes + Array("/linked".utf8))
    #expect(repository.gitDirectory == test.folder.bytes + Array("/.git/worktrees/linked".utf8))
    #expect(repository.commonDirectory == test.folder.bytes + Array("/.git".utf8))
    #expect(try repository.head() == .branch(name: "side", tip: test.id("main")))
    let commit = try test.change([Array("b.md".utf8): "two\n"], in: repository)
    #expect(try test.id("side") == commit)
    #expect(try test.line("-C", "linked", "status", "--porcelain") == "")
    #expect(try test.line("-C", "linked", "reflog", "-1", "--format=%gs") == "slip: change")
    #expect(try test.line("reflog", "-1", "--format=%gs", "side") == "slip: change")
    try test.verify(status: "?? linked/\n")
    #expect(try test.line("rev-parse", "main") != commit.hex)
  }

  @Test func worksInSubmodulesAndFoldersOfLargerRepositories() throws {
    let inner = try TestRepository(["n.md": "x\n"])
    let outer = try TestRepository(["notes/a.md": "1\n", "code/main.c": "int x;\n"])
    try outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.folder.path, "sub")
    try outer.git("commit", "-q", "-m", "sub")
    let sub = try #require(try discover(outer.folder.path + "/sub"))
    #expect(sub.workTree == outer.folder.bytes + Array("/sub".utf8))
    try outer.change([Array("n.md".utf8): "y\n"], in: sub)
    #expect(try outer.line("-C", "sub", "status", "--porcelain") == "")
    try outer.folder.write("code/main.c", "int y;\n")
    try outer.change("notes/b.md", "2\n")
    try outer.verify(status: " M code/main.c\n M sub\n")
    #expect(try outer.repository.files(at: outer.id("HEAD"), under: Array("notes".utf8)).count == 2)
    // The submodule is no file.
    #expect(
      try outer.repository.files(at: outer.id("HEAD"), under: []).map(\.path).contains(Array("sub".utf8))
        == false)
  }

  @Test(arguments: ["refStorage", "partialClone", "relativeWorktrees", "objectFormat"])
  func namesUnsupportedExtensions(name: String) throws {
    let test = try TestRepository()
    try test.git("config", "core.repositoryFormatVersion", "1")
    let config = try #require(test.folder.read(".git/config"))
    try test.folder.write(".git/config", config + Array("[extensions]\n\t\(name) = reftable\n".utf8))
    let error = gitError { try discover(test.folder.path) }
    #expect(error?.reason == .unsupported(extension: name.lowercased()))
  }

  @Test func refusesSHA256() throws {
    let folder = try TemporaryFolder()
    try folder.git("init", "-q", "--object-format=sha256")
    #expect(gitError { try discover(folder.path) }?.reason == .unsupported(extension: "objectformat"))
  }

  @Test func readsSettingsOfOneWorktree() throws {
    let test = try TestRepository()
    try test.git("config", "extensions.worktreeConfig", "true")
    try test.git("config", "--worktree", "user.name", "Here")
    var environment = testEnvironment
    environment["GIT_AUTHOR_NAME"] = nil
    let repository = try #require(try discover(test.folder.path, environment))
    #expect(try repository.identity(at: (0, 0)).author.name == "Here")
    try test.change("b.md", "x\n")
    try test.verify()
  }

  @Test(.enabled(if: Machine.isRoot, "needs root")) func asksWhoseRepositoryItIs() throws {
    let test = try TestRepository()
    try test.git("config", "user.name", "X")
    for path in ["", "/.git"] { #expect(chown(test.folder.path + path, 12_345, 12_345) == 0) }
    let error = gitError { try discover(test.folder.path) }
    #expect(error?.reason == .notOwned)
    #expect(error?.message.contains("git config --global --add safe.directory \(test.folder.path)") == true)
    for trusted in ["*", test.folder.path] {
      try test.folder.write("global", "[safe]\n\tdirectory = \(trusted)\n")
      var environment = testEnvironment
      environment["GIT_CONFIG_GLOBAL"] = test.folder.path + "/global"
      let repository = try #require(try discover(test.folder.path, environment))
      #expect(repository.settings["user.name"] == "X")
    }
  }

  @Test func doesNotTakeADamagedRepositoryForNone() throws {
    let outer = try TestRepository()
    try FileManager.default.createDirectory(
      atPath: outer.folder.path + "/in/.git", withIntermediateDirectories: true)
    // An empty folder of that name means nothing to git.
    #expect(try discover(outer.folder.path + "/in")?.workTree == outer.folder.bytes)
    try outer.folder.git("init", "-q", "in2")
    try outer.folder.write("in2/.git/HEAD", "")
    #expect(gitError { try discover(outer.folder.path + "/in2") }?.reason == .damaged(object: "HEAD"))
    try outer.folder.write("in3/.git", "gitdir: ../nowhere\n")
    #expect(gitError { try discover(outer.folder.path + "/in3") }?.reason == .missing)
  }

  @Test func makesRepositories() throws {
    let folder = try TemporaryFolder()
    var environment = testEnvironment
    let plain = try Repository.create(
      at: Array((folder.path + "/one/two").utf8), environment: GitEnvironment(environment))
    #expect(try plain.head() == .branch(name: "main", tip: nil))
    try folder.write("global", "[init]\n\tdefaultBranch = trunk\n")
    environment["GIT_CONFIG_GLOBAL"] = folder.path + "/global"
    let named = try Repository.create(
      at: Array((folder.path + "/three").utf8), environment: GitEnvironment(environment))
    #expect(try named.head() == .branch(name: "trunk", tip: nil))
    #expect(try folder.git("-C", "three", "status", "--porcelain") == "")
  }

  @Test func leaksNoDescriptors() throws {
    let count = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    let test = try TestRepository(IndexTests.files)
    try test.change("a.md", "warm\n")
    let before = try count()
    for round in 0..<10 {
      let again = try test.reopened()
      try test.change([Array("a.md".utf8): "\(round)\n"], in: again)
      _ = gitError { try again.holding { try $0.updateIndex([.remove(path: Array("../x".utf8))]) } }
      _ = try again.pathTimes(at: test.id("HEAD"), under: [], cache: nil)
      _ = gitError { try again.blob(.zero) }
    }
    // Other tests run at the same time.
    #expect(try count() < before + 40)
  }
}
