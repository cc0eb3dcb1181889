import Bytes
import Foundation
import Git
import SlipboxTesting
import Testing

/// Objects that are damaged or missing are named, whatever is left of them.
@Suite struct ObjectCheckTests {
  private static let files = ["a.md": "one\n", "folder/b.md": "two\n", "folder/c.md": "one\n"]

  private func faults(
    _ test: TestRepository, _ limits: ObjectCheckLimits = ObjectCheckLimits()
  ) throws -> [ObjectFault] {
    let repository = try test.reopened()
    return repository.objectLook(from: try repository.head().tip, within: limits)()
  }

  private func place(_ id: ObjectID) -> String {
    ".git/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
  }

  private func change(_ test: TestRepository, _ path: String, _ edit: (inout [UInt8]) -> Void) throws {
    var bytes = try #require(test.folder.read(path))
    edit(&bytes)
    unlink(test.folder.path + "/" + path)
    try test.folder.write(path, bytes)
  }

  @Test func soundOnesHaveNoFaults() throws {
    let test = try TestRepository(Self.files)
    #expect(try faults(test) == [])
    try test.change("a.md", "three\n")
    try test.git("repack", "-q")
    try test.git("prune-packed")
    try test.change("a.md", "four\n")
    #expect(try faults(test) == [])
    let clone = try TemporaryFolder()
    try clone.git("clone", "-q", "--depth", "1", "file://\(test.folder.path)", "shallow")
    try clone.git("clone", "-q", "--shared", test.folder.path, "shared")
    for name in ["shallow", "shared"] {
      let other = try TestRepository.open("\(clone.path)/\(name)")
      #expect(other.objectLook(from: try other.head().tip)() == [])
    }
    #expect(try faults(TestRepository([:])) == [])
  }

  @Test func whatIsMissingIsNamedByItsUse() throws {
    let uses: [(revision: String, use: ObjectFault.Use)] = [
      ("HEAD:a.md", .file(Array("a.md".utf8))), ("HEAD:folder", .folder(Array("folder".utf8))),
      ("HEAD^{tree}", .folder([])), ("HEAD", .commit), ("HEAD~1", .commit), ("HEAD~1^{tree}", .commit),
    ]
    for (revision, use) in uses {
      let test = try TestRepository(Self.files)
      try test.change("a.md", "three\n")
      let id = try test.id(revision)
      let bytes = try #require(test.folder.read(place(id)))
      unlink(test.folder.path + "/" + place(id))
      let missing = try faults(test)
      #expect(missing.map(\.what) == [.missing(id)], "\(revision)")
      #expect(missing.map(\.use) == [use], "\(revision)")
      try test.folder.write(place(id), bytes.dropLast(3))
      let cut = try faults(test)
      #expect(cut.map(\.what) == [.loose(id)], "\(revision)")
      #expect(cut.map(\.file) == [test.folder.bytes + Array("/\(place(id))".utf8)], "\(revision)")
      #expect(revision == "HEAD~1^{tree}" || cut.map(\.use) == [use], "\(revision)")
    }
  }

  /// Git can't read such an object, so it must not count as written.
  @Test func whatStandsBehindAnObjectIsDamage() throws {
    let test = try TestRepository(Self.files)
    let id = try test.id("HEAD:a.md")
    try change(test, place(id)) { $0 += $0 }
    #expect(try faults(test).map(\.what) == [.loose(id)])
    let repository = try test.reopened()
    #expect(gitError { try repository.blob(id) }?.reason == .damaged(object: id.hex))
    #expect(try repository.conversion.writeBlob(Array("one\n".utf8), path: [65]) == id)
    #expect(try test.git("cat-file", "-p", id.hex) == "one\n")
    #expect(try faults(test) == [])
  }

  @Test func manyFaultsAreNamedUpToALimit() throws {
    let names = (0..<40).map { "\($0).md" }
    let test = try TestRepository(Dictionary(uniqueKeysWithValues: names.map { ($0, "text \($0)\n") }))
    for name in names { unlink(test.folder.path + "/" + place(try test.id("HEAD:\(name)"))) }
    var limits = ObjectCheckLimits()
    limits.faults = 5
    let found = try faults(test, limits)
    #expect(found.count == 6)
    #expect(found.last?.what == .more)
  }

  @Test func packsAndTheirIndexesAreHeldAgainstTheirChecksums() throws {
    let test = try TestRepository(Self.files)
    try test.git("repack", "-adq")
    let (pack, index) = (
      try #require(try test.packFiles(".pack").first), try #require(try test.packFiles(".idx").first)
    )
    let (goodPack, goodIndex) = (try #require(test.folder.read(pack)), try #require(test.folder.read(index)))
    for (path, what) in [(pack, ObjectFault.What.pack), (index, .packIndex)] {
      try change(test, path) { $0[$0.count - 50] ^= 1 }
      #expect(try faults(test).map(\.what).contains(what), "\(path)")
      unlink(test.folder.path + "/" + path)
      let gone = try faults(test).map(\.what)
      #expect(gone.contains(what), "\(path)")
      try test.folder.write(pack, goodPack)
      try test.folder.write(index, goodIndex)
      #expect(try faults(test) == [])
    }
    // What a pack that is being written leaves matters to nobody.
    try test.folder.write(".git/objects/pack/pack-\(String(repeating: "0", count: 40)).pack", goodPack)
    #expect(try faults(test) == [])
  }

  /// Whatever the bytes are: no crash, no endless walk, and no damage to a pack is missed.
  @Test func anyDamageOfPacksIsSeen() throws {
    var random = SplitMix64(seed: 7)
    let test = try TestRepository(Self.files)
    for number in 0..<12 { try test.change("a.md", "one\ntwo\n\(number)\n") }
    try test.git("repack", "-adq")
    let paths = try test.packFiles(".pack") + test.packFiles(".idx")
    for round in 0..<120 {
      let path = paths[round % paths.count]
      let good = try #require(test.folder.read(path))
      try change(test, path) { bytes in
        switch round % 4 {
        case 0: bytes.removeLast(.random(in: 1...bytes.count, using: &random))
        case 1:
          bytes.replaceSubrange(
            .random(in: 0..<bytes.count - 8, using: &random)..., with: [0x7F, 0xFF, 0xFF])
        default:
          for _ in 0..<3 {
            bytes[.random(in: 0..<bytes.count, using: &random)] ^= .random(in: 1...255, using: &random)
          }
        }
      }
      let found = try faults(test)
      #expect(!found.isEmpty || test.folder.read(path) == good, "round \(round)")
      try change(test, path) { $0 = good }
    }
    #expect(try faults(test) == [])
  }
}
