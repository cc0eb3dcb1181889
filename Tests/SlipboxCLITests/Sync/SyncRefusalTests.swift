import Foundation
import SlipboxTesting
import Testing

/// States in which a sync can't do its work, and says so.
@Suite struct SyncRefusalTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try sh(
      """
      git init -q --bare -b main hub.git; slip init -q a; cd a; git remote add origin ../hub.git
      printf '# A\\n\\none\\n' >a.md; echo one >other.txt; git add -A; git commit -qm base
      git push -qu origin main
      """)
  }

  @discardableResult
  private func sh(_ line: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["slip sync", "git push"])
  func `commands that change the box are refused in a pre-push hook`(command: String) throws {
    try sh(
      """
      cd a; printf '#!/bin/sh\\nslip set a.md x:1 >>../said 2>&1; echo $? >>../said\\nslip sync >>../said 2>&1\\necho $? >>../said\\n' >.git/hooks/pre-push
      chmod +x .git/hooks/pre-push; echo more >>a.md; git commit -qam more
      """)
    let ran = try sh("cd a; \(command); cat ../said")
    #expect(ran.output.contains("slip can't change the box in a hook that slip runs"), "\(ran.output)")
    #expect(ran.output.contains("\n75\n"), "\(ran.output)")
    if command == "slip sync" { #expect(try sh("cd a; git show HEAD:a.md").output.contains("x: 1") == false) }
  }

  @Test func `a branch that a shallow clone can't follow is not named rewritten`() throws {
    try sh(
      "git clone -q --depth 1 file://$PWD/hub.git b; cd b; echo x >>a.md; slip sync; cd ../a; git pull -q")
    try sh("cd a; for n in 1 2; do echo $n >>other.txt; git commit -qam $n; done; git push -q")
    let refused = try sh("cd b; echo mine >>a.md; git commit -qam mine; git fetch -q --depth 1; slip sync")
    #expect(refused.status != 0 && refused.output.contains("this clone is shallow"), "\(refused.output)")
    #expect(!refused.output.contains("rewritten"), "\(refused.output)")
    let done = try sh("cd b; git fetch -q --unshallow; slip sync")
    #expect(done.status == 0, "\(done.output)")
  }

  @Test func `the advice after a stash pop leads to its end`() throws {
    try sh("cd a; echo stashed >>a.md; echo stashed >>other.txt; git stash -q")
    try sh(
      "cd a; sed -i '$ d' a.md; echo head >>a.md; echo head >>other.txt; git commit -qam head; git stash pop")
    let left = try sh("cd a; slip resolve --yes")
    #expect(left.status == 75 && left.output.contains("then: slip commit"), "\(left.output)")
    #expect(left.output.contains("git stash drop"), "\(left.output)")
    let done = try sh(
      "cd a; sed -i '/^[<=>]\\{7\\}/d' other.txt; git add :/other.txt; slip commit; git status --short")
    #expect(done.output.contains("M  other.txt\n"), "\(done.output)")
  }
}
