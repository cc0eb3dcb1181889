import Foundation
import SlipboxTesting
import Testing

/// Undo of commits into which another program put more than slip did.
@Suite struct AmendedCommitTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try sh("slip init -q . && printf 'one\\n' > a.md && slip commit -q")
  }

  @discardableResult
  private func sh(_ line: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line)
    return (ran.status, ran.output + ran.errors)
  }

  private var text: String { shell.folder.read("a.md").map { String(decoding: $0, as: UTF8.self) } ?? "" }

  @Test func `undo keeps text that was amended into slip's commit`() throws {
    try sh(
      "slip append a.md 'by slip' -q && echo typed >> a.md && echo other > extra.md && git add -A && git commit -q --amend --no-edit"
    )
    #expect(try sh("slip undo").status == 0)
    #expect(text == "one\ntyped\n")
    #expect(shell.folder.read("extra.md") != nil)
    #expect(try sh("slip redo").status == 0)
    #expect(text == "one\nby slip\ntyped\n")
  }

  @Test func `undo refuses a commit whose recorded versions are gone`() throws {
    try sh("slip set a.md rating:4 --new-field -q && echo typed >> a.md && git commit -qa --amend --no-edit")
    let before = text
    let refused = try sh("slip undo")
    #expect(refused.status == 65 && refused.output.contains("the commit was amended or rebased"))
    #expect(text == before)
  }

  @Test func `undo refuses to delete a new note into which text was amended`() throws {
    try sh(
      "slip new Fresh -q && f=$(slip list --paths Fresh) && echo typed >> $f && git commit -qa --amend --no-edit"
    )
    let refused = try sh("slip undo")
    #expect(refused.status == 65 && refused.output.contains("the commit was amended or rebased"))
    #expect(try sh("cat $(slip list --paths Fresh)").output.contains("typed"))
  }

  @Test func `undo deletes a new note to whose commit another file was added`() throws {
    try sh(
      "slip new Fresh -q && echo other > extra.txt && git add extra.txt && git commit -q --amend --no-edit")
    #expect(try sh("slip undo").status == 0)
    #expect(try sh("slip list --count Fresh").output == "0\n")
    #expect(shell.folder.read("extra.txt") != nil)
  }

  @Test func `undo refuses an operation on many notes into which text was amended`() throws {
    try sh(
      "for n in $(seq 25); do echo text > n$n.md; done; slip commit -q; slip set --where 'path:n*' +many --yes -q"
    )
    try sh("echo typed >> n3.md && git commit -qa --amend --no-edit")
    let refused = try sh("slip undo")
    #expect(refused.status == 65 && refused.output.contains("the commit was amended or rebased"))
    #expect(try sh("cat n3.md").output.contains("typed"))
    try sh("git reset -q --hard HEAD~1; slip set --where 'path:n*' +many --yes -q")
    #expect(try sh("slip undo").status == 0)
    #expect(try sh("slip list --count +many").output == "0\n")
  }
}
