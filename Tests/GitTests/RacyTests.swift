import Foundation
import Git
import Platform
import SlipboxTesting
import Testing

/// Changes of others in the very second that an index was written are never hidden by a newer index.
@Suite struct RacyTests {
  @Test(arguments: ["2", "4"]) func seesEditsOfTheSameSize(version: String) throws {
    for _ in 0..<4 {
      let test = try TestRepository(["a.md": "one\n", "b.md": "two\n", "c.md": "xyz\n"])
      try test.git("update-index", "--index-version", version)
      try test.folder.write("b.md", "TWO\n")
      try test.git("add", "b.md")
      // In place, same size, same second as the index.
      try writeFile(Array("\(test.folder.path)/b.md".utf8), Array("owt\n".utf8))
      try test.change("a.md", "changed\n")
      let status = try test.git("status", "--porcelain")
      #expect(status == "MM b.md\n")
      let changed = try test.git("diff-files", "--name-only")
      #expect(changed == "b.md\n")
    }
  }

  @Test(arguments: ["2", "4"]) func seesSuchEditsAfterAWhile(version: String) throws {
    let test = try TestRepository(
      ["a.md": "one\n", "b.md": "two\n"], settings: ["core.trustCtime": "false", "core.checkStat": "minimal"])
    try test.git("update-index", "--index-version", version)
    let file = Array("\(test.folder.path)/b.md".utf8)
    let index = Array("\(test.folder.path)/.git/index".utf8)
    let past = timespec(tv_sec: Int(try status(of: file).modified.seconds) - 9, tv_nsec: 0)
    // As if all of this had happened in one second, some time ago.
    #expect(file.withPath { utimensat(AT_FDCWD, $0, [past, past], 0) } == 0)
    try test.git("update-index", "--refresh")
    try writeFile(file, Array("owt\n".utf8))
    for path in [file, index] { #expect(path.withPath { utimensat(AT_FDCWD, $0, [past, past], 0) } == 0) }
    try test.change("a.md", "changed\n")
    #expect(try test.git("status", "--porcelain") == " M b.md\n")
  }

  @Test func leavesCleanFilesClean() throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<50).map { ("\($0).md", "text \($0)\n") })
    let test = try TestRepository(files)
    try test.change("x.md", "x\n")
    #expect(try test.git("diff-files") == "")
    try test.verify()
  }

  @Test func seesEditsWithTheTimeSetBack() throws {
    let test = try TestRepository(["a.md": "one\n", "b.md": "two\n"])
    let path = Array("\(test.folder.path)/b.md".utf8)
    let before = try status(of: path)
    try writeFile(path, Array("owt\n".utf8))
    let time = timespec(tv_sec: Int(before.modified.seconds), tv_nsec: Int(before.modified.nanoseconds))
    #expect(path.withPath { utimensat(AT_FDCWD, $0, [time, time], 0) } == 0)
    try test.change("a.md", "changed\n")
    #expect(try test.git("status", "--porcelain") == " M b.md\n")
  }

  @Test func seesOurOwnFileChangeAfterwards() throws {
    for _ in 0..<5 {
      let test = try TestRepository(["a.md": "one\n"])
      try test.change("a.md", "two\n")
      try writeFile(Array("\(test.folder.path)/a.md".utf8), Array("owt\n".utf8))
      #expect(try test.git("status", "--porcelain") == " M a.md\n")
    }
  }
}
