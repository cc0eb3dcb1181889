import Foundation
import Git
import SlipboxTesting
import Testing

/// What is written together is there whole, as loose objects or as one pack, and git finds nothing wrong with it.
@Suite struct WritingTests {
  private struct Stop: Error {}

  /// Commits many new files, without index and work tree.
  @discardableResult
  private func commit(_ files: [[UInt8]: [UInt8]], in test: TestRepository) throws -> ObjectID {
    let repository = test.repository
    let tip = try repository.head().tip
    let who = try repository.identity(at: (1_700_000_000, 60))
    return try repository.writingTogether(failing: { $0 }) { () throws(GitError) in
      var edits: [TreeEdit] = []
      for (path, bytes) in files {
        edits.append(
          .put(path: path, blob: try repository.conversion.writeBlob(bytes, path: path), mode: 0o100644))
      }
      let tree = try repository.writeTree(base: tip, edits)
      let first = try repository.writeCommit(
        tree: tree, parents: tip.map { [$0] } ?? [], message: "Many", author: who.author,
        committer: who.committer)
      // What is not yet written can be built upon.
      let path = files.keys.first ?? []
      let again = try repository.writeTree(base: first, [.remove(path: path)])
      return try repository.writeCommit(
        tree: again, parents: [first], message: "Fewer", author: who.author, committer: who.committer)
    }
  }

  private func files(_ count: Int) -> [[UInt8]: [UInt8]] {
    var files: [[UInt8]: [UInt8]] = [:]
    for number in 0..<count {
      let text = String(repeating: "text \(number) ", count: number % 300)
      files[Array("folder \(number % 7)/\(number).md".utf8)] = Array(text.utf8)
    }
    return files
  }

  private func packFiles(_ test: TestRepository, _ ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: test.folder.path + "/.git/objects/pack")
      .filter { $0.hasSuffix(ending) }
  }

  private func verify(_ commit: ObjectID, _ files: [[UInt8]: [UInt8]], in test: TestRepository) throws {
    let listed = try test.reopened().files(at: commit, under: [])
    // One more that was there, one less that was removed.
    #expect(listed.count == files.count)
    for entry in listed where entry.path != Array("a.md".utf8) {
      #expect(try test.repository.blob(entry.id) == files[entry.path])
    }
    let check = try run("git", ["fsck", "--strict", "--no-dangling", "--full"], in: test.folder.path)
    #expect(check.status == 0 && check.output.isEmpty && check.errors.isEmpty, "\(check)")
    let left = try test.git("count-objects", "-v").split(separator: "\n").filter { $0.hasPrefix("garbage") }
    #expect(left == ["garbage: 0"])
  }

  @Test(arguments: [1, 40, 80, 101, 3_000]) func writesAnyNumber(count: Int) throws {
    let test = try TestRepository()
    let files = files(count)
    let tip = try #require(test.repository.head().tip)
    let commit = try commit(files, in: test)
    let isPacked = count > 80
    #expect(try packFiles(test, ".pack").count == (isPacked ? 1 : 0))
    #expect(try packFiles(test, ".keep").count == (isPacked ? 1 : 0))
    for name in try packFiles(test, ".idx") {
      #expect(try run("git", ["verify-pack", ".git/objects/pack/" + name], in: test.folder.path).status == 0)
    }
    try test.repository.holding { try $0.moveBranch(from: tip, to: commit, message: "slip: many") }
    test.repository.releasePacks()
    #expect(try packFiles(test, ".keep").isEmpty)
    try verify(commit, files, in: test)
    try test.git("gc", "-q", "--prune=now")
    try verify(commit, files, in: test)
  }

  @Test func survivesGarbageCollectionsBeforeTheBranchMoves() throws {
    let test = try TestRepository()
    let files = files(200)
    let tip = try #require(test.repository.head().tip)
    let commit = try commit(files, in: test)
    try test.git("repack", "-q", "-a", "-d")
    try test.git("gc", "-q", "--prune=now")
    try test.repository.holding { try $0.moveBranch(from: tip, to: commit, message: "slip: many") }
    test.repository.releasePacks()
    try verify(commit, files, in: test)
  }

  @Test func writesNothingWhereTheBodyFails() throws {
    let test = try TestRepository()
    let before = try test.git("count-objects", "-v")
    for count in [3, 500] {
      #expect(throws: Stop.self) {
        try test.repository.writingTogether(failing: { _ in Stop() }) { () throws(Stop) in
          for number in 0..<count {
            _ = try? test.repository.conversion.writeBlob(Array("\(number)".utf8), path: [65])
          }
          throw Stop()
        }
      }
      #expect(try test.git("count-objects", "-v") == before)
    }
  }

  @Test func writesWhatIsThereOnlyOnce() throws {
    let test = try TestRepository()
    let files = files(300)
    try commit(files, in: test)
    try commit(files, in: test)
    // The second time only trees and commits of the same content: none at all.
    #expect(try packFiles(test, ".pack").count == 1)
    #expect(try test.line("count-objects") == "3 objects, 12 kilobytes")
  }

  @Test func leavesTheMarksOfOthersAlone() throws {
    let test = try TestRepository()
    try commit(files(200), in: test)
    try test.folder.write(".git/objects/pack/pack-1.keep", "kept by hand\n")
    try test.git("worktree", "add", "-q", "linked")
    let other = try TestRepository.open(test.folder.path + "/linked")
    other.releasePacks()
    #expect(try packFiles(test, ".keep").count == 2)
    test.repository.releasePacks()
    #expect(try packFiles(test, ".keep") == ["pack-1.keep"])
  }

  @Test func healsDamagedObjectsOnTheWay() throws {
    let test = try TestRepository()
    let files = files(150)
    let blob = try test.repository.conversion.writeBlob(Array("text 1 ".utf8), path: [65])
    let file = ".git/objects/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2))"
    chmod(test.folder.path + "/" + file, 0o644)
    try test.folder.write(file, "")
    let tip = try #require(test.repository.head().tip)
    let commit = try commit(files, in: test)
    try test.repository.holding { try $0.moveBranch(from: tip, to: commit, message: "slip: many") }
    try verify(commit, files, in: test)
    #expect(test.folder.read(".git/damaged-\(blob.hex)") == [])
  }
}
