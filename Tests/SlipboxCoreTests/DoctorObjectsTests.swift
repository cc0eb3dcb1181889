import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// What the doctor says of git's objects, in words by which a person can mend them.
@Suite struct DoctorObjectsTests {
  private func object(_ box: WritingBox, _ revision: String) throws -> String {
    let id = try box.folder.git("rev-parse", revision)
    return ".git/objects/\(id.prefix(2))/\(id.dropFirst(2).prefix(38))"
  }

  private static let fetching =
    "git fetch --refetch REMOTE restores it from a remote or from another clone"

  @Test func aTextIsWrittenAgainFromItsFile() throws {
    let box = try WritingBox(["a.md": "# A\n", "b.md": "# B\n"])
    #expect(try box.findings() == [])
    let place = try object(box, "HEAD:a.md")
    try FileManager.default.removeItem(atPath: box.folder.path + "/" + place)
    let id = place.dropFirst(13).filter { $0 != "/" }
    let cure = "git hash-object -w a.md rewrites it from the file"
    #expect(
      try box.findings() == [
        "a.md: its text in the last commit is missing in git: object \(id); by hand: \(cure)"
      ])
    try box.folder.git("hash-object", "-w", "a.md")
    #expect(try box.findings() == [])
    try FileManager.default.removeItem(atPath: box.folder.path + "/" + place)
    try box.folder.write(place, "")
    let file = "\(box.folder.path)/\(place)"
    #expect(
      try box.findings() == [
        "a.md: its text in the last commit is corrupt in git: \(file); by hand: rm \(file), then \(cure)"
      ])
  }

  @Test func whatIsNowhereElseIsFetchedFromAnotherClone() throws {
    let box = try WritingBox(["a.md": "# A\n", "2026/b.md": "# B\n"])
    let other = try TemporaryFolder()
    try other.git("clone", "-q", "--bare", box.folder.path, ".")
    for (revision, place) in [
      ("HEAD:2026", "2026"), ("HEAD^{tree}", ".git"), ("HEAD", ".git"), ("HEAD:a.md", "a.md"),
    ] {
      try box.folder.write("a.md", "# Other\n")
      let object = try object(box, revision)
      try FileManager.default.removeItem(atPath: box.folder.path + "/" + object)
      let found = try box.findings()
      #expect(found.count == 1, "\(revision): \(found)")
      #expect(found.first?.hasPrefix("\(place): ") == true, "\(revision): \(found)")
      #expect(found.first?.hasSuffix(Self.fetching) == true, "\(revision): \(found)")
      try box.folder.git("fetch", "-q", "--refetch", other.path)
      #expect(try box.findings() == [], "\(revision)")
    }
  }

  @Test func aDamagedPackIsNamedAndMended() throws {
    let box = try WritingBox(["a.md": "# A\n", "b.md": "# B\n"])
    let other = try TemporaryFolder()
    try other.git("clone", "-q", "--bare", box.folder.path, ".")
    try box.folder.git("repack", "-adq")
    let folder = box.folder.path + "/.git/objects/pack/"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".pack") })
    var bytes = try #require(box.folder.read(".git/objects/pack/\(name)"))
    bytes[40] ^= 0xFF
    unlink(folder + name)
    try box.folder.write(".git/objects/pack/\(name)", bytes)
    let words = ".git/objects/pack/\(name): a git pack is corrupt"
    #expect(try box.findings().contains { $0.hasPrefix(words) })
    try FileManager.default.moveItem(atPath: folder + name, toPath: other.path + "/" + name)
    _ = try run("sh", ["-c", "git unpack-objects -q -r < '\(other.path)/\(name)'"], in: box.folder.path)
    try box.folder.git("fetch", "-q", "--refetch", other.path)
    unlink(folder + name.dropLast(5) + ".idx")
    #expect(try box.findings() == [])
  }
}
