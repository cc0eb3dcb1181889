import Git
import SlipboxTesting
import Testing

/// Who git says that someone is.
@Suite struct IdentityTests {
  private func repository(
    _ test: TestRepository, _ variables: [String: String?], global: String? = nil
  ) throws -> Repository {
    var environment = testEnvironment.filter {
      !$0.key.hasPrefix("GIT_AUTHOR") && !$0.key.hasPrefix("GIT_COMM")
    }
    for (name, value) in variables { environment[name] = value }
    if let global {
      try test.folder.write(".git/global", global)
      environment["GIT_CONFIG_GLOBAL"] = test.folder.path + "/.git/global"
    }
    return try #require(
      try Repository.discover(from: test.folder.bytes, environment: GitEnvironment(environment)))
  }

  @Test func prefersVariablesThenRolesThenUser() throws {
    let test = try TestRepository()
    let global = "[user]\n\tname = User\n\temail = user@x\n[author]\n\tname = Author\n"
    let plain = try repository(test, [:], global: global).identity(at: (5, -90))
    #expect(plain.author == Signature(name: "Author", email: "user@x", seconds: 5, offsetMinutes: -90))
    #expect(plain.committer == Signature(name: "User", email: "user@x", seconds: 5, offsetMinutes: -90))
    let variables = ["GIT_AUTHOR_NAME": "Var", "GIT_COMMITTER_EMAIL": "com@x"]
    let set = try repository(test, variables, global: global).identity(at: (5, 0))
    #expect(set.author.name == "Var" && set.author.email == "user@x")
    #expect(set.committer.name == "User" && set.committer.email == "com@x")
    let mail = try repository(test, ["EMAIL": "env@x"], global: "[user]\n\tname = User\n").identity(
      at: (5, 0))
    #expect(mail.author.email == "env@x")
  }

  @Test func readsTheFilesThatGitReads() throws {
    let test = try TestRepository()
    try test.folder.write("home/.gitconfig", "[user]\n\temail = home@x\n")
    try test.folder.write("home/.config/git/config", "[user]\n\tname = Shared\n\temail = shared@x\n")
    let variables: [String: String?] = ["HOME": test.folder.path + "/home", "XDG_CONFIG_HOME": nil]
    var open = variables
    open["GIT_CONFIG_GLOBAL"] = .some(nil)
    #expect(try repository(test, open).identity(at: (0, 0)).author.email == "home@x")
    #expect(try repository(test, open).identity(at: (0, 0)).author.name == "Shared")
    #expect(gitError { try repository(test, variables).identity(at: (0, 0)) } != nil)
    try test.folder.write("system", "[user]\n\tname = System\n\temail = system@x\n")
    let system = ["GIT_CONFIG_SYSTEM": test.folder.path + "/system"]
    #expect(gitError { try repository(test, system).identity(at: (0, 0)) } != nil)
    let allowed = try repository(test, system.merging(["GIT_CONFIG_NOSYSTEM": "0"]) { $1 })
    #expect(try allowed.identity(at: (0, 0)).author.name == "System")
  }

  @Test(
    arguments: [
      [
        "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.email", "GIT_CONFIG_VALUE_0": "set@x",
        "GIT_CONFIG_KEY_1": "user.name", "GIT_CONFIG_VALUE_1": "An \"odd\"\\name; #x",
      ],
      ["GIT_CONFIG_PARAMETERS": "'user.email'='set@x' 'remote.a.b\"c.url'='/x' 'user.name=Set' 'x.y'"],
      ["GIT_CONFIG_PARAMETERS": "'user.name=Set'", "GIT_CONFIG_COUNT": "0"],
      ["GIT_CONFIG_COUNT": "x"],
      ["GIT_CONFIG_COUNT": "1"],
      ["GIT_CONFIG_PARAMETERS": "user.name=Set"],
    ], [nil, "[includeIf \"hasconfig:remote.*.url:x\"]\n\tpath = other\n"])
  func `has the author of git if the environment has settings`(
    variables: [String: String], include: String?
  ) throws {
    let test = try TestRepository()
    let global = "[user]\n\tname = User\n\temail = user@x\n" + (include ?? "")
    var environment = testEnvironment.filter {
      !$0.key.hasPrefix("GIT_AUTHOR") && !$0.key.hasPrefix("GIT_COMM")
    }
    environment["GIT_CONFIG_GLOBAL"] = test.folder.path + "/.git/global"
    environment.merge(variables) { $1 }
    try test.folder.write(".git/global", global)
    let git = try run("git", ["var", "GIT_AUTHOR_IDENT"], in: test.folder.path, environment: environment)
    do {
      let ours = try repository(test, variables, global: global).identity(at: (1, 0)).author
      #expect(git.status == 0 && git.output.hasPrefix("\(ours.name) <\(ours.email)> "), "\(git.output)")
    } catch {
      #expect(git.status != 0, "\(error)")
    }
  }

  @Test(arguments: [
    "hasconfig:remote.*.url:https://example.org/**", "hasconfig:remote.*.url:https://example.com/**",
    "gitdir:**/.git", "onbranch:main", "unheardof:x",
  ]) func `has the author of git if the configuration has conditional includes`(condition: String) throws {
    let test = try TestRepository()
    try test.git("remote", "add", "origin", "https://example.org/box.git")
    try test.folder.write(".git/work", "[user]\n\temail = work@x\n[commit]\n\tgpgSign\n")
    let global = """
      [user]
      \tname = User
      \temail = user@x
      [includeIf "\(condition)"]
      \tpath = work
      """
    let opened = try repository(test, [:], global: global)
    let ours = try opened.identity(at: (1, 0))
    var environment = testEnvironment.filter {
      !$0.key.hasPrefix("GIT_AUTHOR") && !$0.key.hasPrefix("GIT_COMM")
    }
    environment["GIT_CONFIG_GLOBAL"] = test.folder.path + "/.git/global"
    for (variable, who) in [("GIT_AUTHOR_IDENT", ours.author), ("GIT_COMMITTER_IDENT", ours.committer)] {
      let git = try run("git", ["var", variable], in: test.folder.path, environment: environment)
      #expect(git.output.hasPrefix("\(who.name) <\(who.email)> "), "\(git.output)")
    }
    let signs = try run("git", ["config", "commit.gpgSign"], in: test.folder.path, environment: environment)
    #expect(opened.hooks.skippedByCommit.contains("commit signing") == (signs.status == 0))
  }

  @Test func guessesNothing() throws {
    let test = try TestRepository()
    let error = gitError { try repository(test, [:]).identity(at: (0, 0)) }
    #expect(error?.reason == .noIdentity(what: "email"))
    #expect(error?.message.contains("git config --global user.name") == true)
    #expect(error?.message.contains("git config --global user.email") == true)
    // Else git takes the name of the account.
    let settings = "[user]\n\temail = a@x\n\tuseConfigOnly = true\n"
    let half = gitError { try repository(test, [:], global: settings).identity(at: (0, 0)) }
    #expect(half?.reason == .noIdentity(what: "name"))
  }

  @Test func cleansAsGitDoes() throws {
    let test = try TestRepository()
    for name in ["  Ada. ", "<Ada> Lovelace", "Ada, \"L\"", "Zoë \u{1F600}", "a<b>c"] {
      let variables = [
        "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": "<ada@x>", "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": "ada@x",
      ]
      let ours = try repository(test, variables).identity(at: (1, 0)).author
      let git = try run(
        "git", ["var", "GIT_AUTHOR_IDENT"], in: test.folder.path,
        environment: testEnvironment.merging(variables) { $1 })
      #expect(git.output.hasPrefix("\(ours.name) <\(ours.email)> "), "\(git.output)")
    }
  }

  @Test(arguments: ["A\nB", "\u{1B}[1m", "...", "<>"]) func refusesWhatACommitCannotCarry(name: String) throws
  {
    let test = try TestRepository()
    let variables = ["GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": "a@x"]
    #expect(gitError { try repository(test, variables).identity(at: (0, 0)) }?.reason == .badIdentity)
    let signature = Signature(name: "A\nB", email: "x", seconds: 0, offsetMinutes: 0)
    let tree = try test.repository.writeTree(base: nil, [])
    let write = {
      try test.repository.writeCommit(
        tree: tree, parents: [], message: "x", author: signature, committer: signature)
    }
    #expect(gitError(write)?.reason == .badIdentity)
  }
}
