import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct FilesTests {
  @Test func writesAndReads() throws {
    let folder = try TemporaryFolder()
    for size in [0, 1, 4095, 65_536, 1_000_003] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try Files.write(bytes, to: folder.at("a/b/file"))
      #expect(try Files.read(folder.at("a/b/file")) == bytes)
    }
    #expect(folder.names("a/b") == ["file"])
  }

  @Test func keepsModeAndLinks() throws {
    let folder = try TemporaryFolder()
    try folder.write("real", "old")
    folder.setMode("real", 0o600)
    folder.link("link", to: "real")
    try Files.write(b("new"), to: folder.at("link"))
    #expect(folder.kind("link") == .symbolicLink)
    #expect(s(folder.read("real")) == "new")
    #expect(folder.mode("real") == 0o600)
  }

  @Test(.enabled(if: Machine.isRoot, "needs root")) func keepsOwnerWherePermitted() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "old")
    chown(folder.path + "/file", 1234, 4321)
    folder.setMode("file", 0o640)
    try Files.write(b("new"), to: folder.at("file"))
    let status = try #require(try Files.status(folder.at("file")))
    #expect(status.owner == 1234 && status.group == 4321 && status.mode & 0o7777 == 0o640)
  }

  private func readingFails(_ path: [UInt8], limit: Int? = nil) -> SystemError? {
    failure { () throws(SystemError) in _ = try Files.read(path, limit: limit) }
  }

  @Test func refusesWhatIsNoFile() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path + "/fifo", 0o600)
    #expect(readingFails(folder.at("fifo"))?.code == SystemError.notRegular)
    #expect(readingFails(folder.bytes)?.code == SystemError.notRegular)
    #expect(readingFails(b("/dev/zero"))?.code == SystemError.notRegular)
    #expect(readingFails(folder.at("none"))?.isMissing == true)
    #expect(readingFails(folder.bytes + [0] + b("x"))?.code == EINVAL)
  }

  @Test func limitsReading() throws {
    let folder = try TemporaryFolder()
    try folder.write("ten", "0123456789")
    #expect(try Files.read(folder.at("ten"), limit: 10).count == 10)
    #expect(readingFails(folder.at("ten"), limit: 9)?.code == EFBIG)
    truncate(folder.path + "/ten", 1 << 40)
    #expect(readingFails(folder.at("ten"))?.code == EFBIG)
  }

  @Test func readsFilesWithoutASize() throws {
    #expect(try Files.read(b("/proc/self/stat")).isEmpty == false)
  }

  @Test(.enabled(if: Machine.mayMount, "needs the right to mount"))
  func leavesNothingBehindOnAFullDisk() throws {
    let disk = try SmallDisk(options: "size=64k")
    try Files.write(b("old"), to: disk.folder.at("file"))
    let big = [UInt8](repeating: 1, count: 100_000)
    let error = failure { () throws(SystemError) in try Files.write(big, to: disk.folder.at("file")) }
    #expect(error?.code == ENOSPC)
    // Named is what was to be written, not the temporary file.
    #expect(error?.path == disk.folder.at("file") && error?.operation == "write")
    #expect(disk.folder.names() == ["file"])
    #expect(s(disk.folder.read("file")) == "old")
  }

  @Test func listsAndMakesFolders() throws {
    let folder = try TemporaryFolder()
    try Files.makeDirectory(folder.at("x/y/z/"))
    try Files.makeDirectory(folder.at("x/y/z"))
    try folder.write("x/.hidden", "")
    try folder.write("x/b", "")
    #expect(folder.names("x") == [".hidden", "b", "y"])
    #expect(
      failure { () throws(SystemError) in try Files.makeDirectory(folder.at("x/b/c")) }?.code == ENOTDIR)
  }

  @Test func resolvesPaths() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/file", "")
    folder.link("l", to: "a")
    #expect(Files.realPath(folder.at("l/../l/file")) == folder.at("a/file"))
    #expect(Files.realPath(folder.at("none")) == nil)
    #expect(Files.currentDirectory().first == UInt8(ascii: "/"))
  }

  @Test func namesReasons() {
    func reason(_ code: Int32) -> String { SystemError(operation: "open", path: [], code: code).reason }
    #expect(reason(ENOENT) == "No such file or directory")
    #expect(reason(SystemError.notRegular) == "Not a regular file")
  }
}
