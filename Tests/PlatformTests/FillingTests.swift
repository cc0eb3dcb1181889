import Foundation
import SlipboxTesting
import Testing

@testable import Platform

/// Files that an export makes: written only where they differ, never through a link.
@Suite struct FillingTests {
  private let folder: TemporaryFolder
  private let box: BoxFolder

  init() throws {
    folder = try TemporaryFolder()
    box = try BoxFolder(folder.bytes)
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func onlyOtherBytesAreWritten() throws {
    #expect(try box.fill(bytes("a/b/c.html"), with: bytes("one")))
    #expect(!(try box.fill(bytes("a/b/c.html"), with: bytes("one"))))
    #expect(try box.fill(bytes("a/b/c.html"), with: bytes("two")))
    #expect(folder.read("a/b/c.html") == bytes("two"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b") == ["c.html"])
    #expect(try box.holds(bytes("a/b/c.html")) && !(try box.holds(bytes("a/x/c.html"))))
  }

  @Test func emptyFoldersGoWithTheirLastFile() throws {
    try folder.write("a/b/c.html", "x")
    try folder.write("a/d.html", "x")
    #expect(try box.discard(bytes("a/b/c.html")) && !(try box.discard(bytes("a/b/c.html"))))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a") == ["d.html"])
    #expect(!(try box.discard(bytes("a"))) && folder.read("a/d.html") != nil)
  }

  @Test func linksAreNotFollowed() throws {
    let away = try TemporaryFolder()
    try away.write("x.html", "mine")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/away", withDestinationPath: away.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/x.html", withDestinationPath: away.path + "/x.html")
    #expect(throws: SystemError.self) { try box.fill(bytes("away/x.html"), with: bytes("theirs")) }
    #expect(throws: SystemError.self) { try box.discard(bytes("away/x.html")) }
    #expect(try box.fill(bytes("x.html"), with: bytes("theirs")))
    #expect(away.read("x.html") == bytes("mine") && folder.read("x.html") == bytes("theirs"))
    #expect(throws: SystemError.self) { try box.fill(bytes("../x"), with: []) }
  }

  @Test func aStreamedFileIsTheOldOneUntilItIsFinished() throws {
    try folder.write("a.json", "old")
    chmod(folder.path + "/a.json", 0o600)
    var file: StreamedFile? = try StreamedFile(bytes(folder.path + "/a.json"))
    file?.write(bytes("new "))
    #expect(folder.read("a.json") == bytes("old"))
    file?.write(bytes("text"))
    try file?.finish()
    #expect(folder.read("a.json") == bytes("new text"))
    #expect(try Files.status(bytes(folder.path + "/a.json")).map { $0.mode & 0o777 } == 0o600)
    file = try StreamedFile(bytes(folder.path + "/a.json"))
    file?.write(bytes("never"))
    file = nil
    #expect(folder.read("a.json") == bytes("new text"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.json"])
    #expect(throws: SystemError.self) { _ = try StreamedFile(bytes(folder.path)) }
  }
}
