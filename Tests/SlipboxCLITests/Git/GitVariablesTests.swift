import SlipboxTesting
import Testing

/// Settings of `git -c` and `GIT_CONFIG_COUNT`: they count for slip as they do for git.
@Suite struct GitVariablesTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try sh("git init -q --bare -b main hub.git && git init -q -b main box")
    try sh("cd box && git config user.name Home && git config user.email home@x")
    try sh("cd box && slip init -q . && git remote add origin ../hub.git")
    try sh("cd box && slip new One -q && git push -qu origin HEAD")
  }

  @discardableResult
  private func sh(_ line: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(
      "unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL; \(line)",
      seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  @Test func `the author is that of the environment`() throws {
    let set = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.email GIT_CONFIG_VALUE_0=work@x"
    #expect(try sh("cd box && \(set) slip new Two -q").status == 0)
    #expect(try sh("cd box && git log -1 --format='%an %ae'").output == "Home work@x\n")
    try sh("cd box && git -c user.name=Alias -c alias.s='!slip' s new Three -q")
    #expect(try sh("cd box && git log -1 --format='%an %ae'").output == "Alias home@x\n")
  }

  @Test func `nothing is pushed that git would not push`() throws {
    try sh("cd box && slip new Two -q")
    let before = try sh("git -C hub.git rev-parse HEAD").output
    let set = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=push.default GIT_CONFIG_VALUE_0=nothing"
    #expect(try sh("cd box && \(set) git push").status != 0)
    #expect(try sh("cd box && \(set) slip sync").status != 0)
    #expect(try sh("git -C hub.git rev-parse HEAD").output == before)
    let hooks = "printf '#!/bin/sh\\ngit config x.y >../seen; git config core.editor >>../seen; true\\n'"
    try sh("cd box && \(hooks) > .git/hooks/pre-push && chmod +x .git/hooks/pre-push")
    let pushed = try sh("cd box && git -c x.y=\"it's\" -c alias.s='!slip' s sync")
    #expect(try sh("cat seen").output == "it's\n", "\(pushed)")
  }

  @Test func `settings that can't be read are named`() throws {
    let bad = try sh("cd box && GIT_CONFIG_COUNT=1 slip new Two")
    #expect(bad.status != 0 && bad.output.contains("GIT_CONFIG_KEY_0"), "\(bad.output)")
    let moved = try sh("cd box && git -c core.worktree=/ -c alias.s='!slip' s new Two")
    #expect(moved.status != 0 && moved.output.contains("core.worktree"), "\(moved.output)")
  }
}
