import Foundation
import SlipboxTesting
import Testing

/// A nested git repository in the place of a folder of notes.
@Suite struct NestedRepositoryTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try sh("git init -q --bare -b main hub.git; slip init -q a", in: ".")
    try sh(
      """
      git remote add origin ../hub.git; mkdir sub; printf '# One\\n' >sub/one.md; printf '# Two\\n' >sub/two.md
      printf '# Top\\n' >top.md; slip commit -q; slip sync -q; cd ..; git clone -q hub.git b
      """)
  }

  @discardableResult
  private func sh(_ line: String, in folder: String = "a") throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/" + folder, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  private func replaceFolder() throws { try sh("rm -r sub; git init -q sub; echo x >sub/x.md") }

  @Test func `the notes of the folder are left to git and named`() throws {
    try replaceFolder()
    let status = try sh("slip status").output
    #expect(status.contains("for git    sub  nested repository instead of a folder"), "\(status)")
    #expect(!status.contains("deleted"), "\(status)")
    let committed = try sh("slip commit")
    #expect(committed.status == 0 && committed.output.contains("nothing to commit"), "\(committed.output)")
    try sh("echo more >>top.md; slip commit -q; slip append top.md text -q; slip sync -q")
    #expect(try sh("git ls-tree -r --name-only HEAD sub").output == "sub/one.md\nsub/two.md\n")
    #expect(try sh("git pull -q; ls sub", in: "b").output == "one.md\ntwo.md\n")
  }

  @Test func `notes with files of the nested repository at their paths are no deleted notes`() throws {
    try sh("git init -q sub")
    let status = try sh("slip status; slip commit").output
    #expect(status.contains("nothing to commit") && !status.contains("for git"), "\(status)")
    #expect(try sh("git ls-tree -r --name-only HEAD sub").output == "sub/one.md\nsub/two.md\n")
  }

  @Test func `an undo writes no note into the nested repository`() throws {
    try sh("slip rm sub/one.md -q")
    try replaceFolder()
    let undone = try sh("slip undo")
    #expect(undone.status == 73, "\(undone.output)")
    #expect(undone.output.contains("sub/one.md is in a nested repository"), "\(undone.output)")
    #expect(try sh("ls sub").output == "x.md\n")
  }

  @Test func `a sync writes no fetched note into the nested repository`() throws {
    try sh("printf '# Three\\n' >sub/three.md; slip commit -q; slip sync -q", in: "b")
    try replaceFolder()
    let synced = try sh("slip sync")
    #expect(synced.status == 75, "\(synced.output)")
    #expect(synced.output.contains("sub blocks an incoming file"), "\(synced.output)")
    #expect(try sh("ls sub").output == "x.md\n")
  }
}
