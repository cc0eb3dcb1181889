import Bytes
import Glibc
@testable import Platform
import SlipboxTesting
import Testing

/// The forms that stand in for calls of Linux on other systems; they work on Linux too.
@Suite struct PortableFormTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The events as texts, sorted: polling has no order among the changes of one interval.
  private func texts(_ events: [FolderWatch.Event]) -> [String] {
    events.map { event in
      switch event {
      case .name(let name, let place, let isFolder, let isGone):
        let path = s(Array(BytePath.join(place, name).dropFirst(folder.bytes.count + 1))) ?? ""
        return path + (isFolder ? "/" : "") + (isGone ? " gone" : "")
      case .folderGone(let place): return "folder \(s(place) ?? "") gone"
      case .overflow: return "overflow"
      }
    }
    .sorted()
  }

  @Test func pollingReportsChangedNames() throws {
    let watch = try FolderWatch(polling: true)
    try folder.write("a", "1")
    try watch.add(folder.bytes)
    #expect(watch.count == 1 && watch.events() == [])
    try folder.write("a", "22")
    try folder.write("b", "1")
    mkdir(folder.path + "/c", 0o777)
    #expect(texts(watch.events()) == ["a", "b", "c/"])
    // A folder's own times change with the names in it.
    try folder.write("c/d", "1")
    #expect(watch.events() == [])
    rename(folder.path + "/a", folder.path + "/e")
    #expect(texts(watch.events()) == ["a gone", "e"])
    chmod(folder.path + "/e", 0o600)
    #expect(FolderWatch.wait(watch, output: -1, atMost: 60_000) == .changes)
    #expect(texts(watch.events()) == ["e"])
    #expect(FolderWatch.wait(watch, output: -1, atMost: 0) == .timeout)
  }

  @Test func pollingFollowsATreeAndNoticesItsEnd() throws {
    let watch = try FolderWatch(polling: true)
    for file in ["a/b/file", "c/file", "nested/.git/HEAD"] { try folder.write(file, "1") }
    let tree = try watch.add(tree: folder.bytes, isRoot: true)
    #expect(Set(tree.files) == [folder.at("a/b/file"), folder.at("c/file")])
    #expect(tree.repositories == [folder.at("nested")] && watch.count == 5)
    watch.remove(below: folder.at("a"))
    #expect(watch.count == 3)
    unlink(folder.path + "/c/file")
    rmdir(folder.path + "/c")
    #expect(texts(watch.events()) == ["c/ gone", "folder \(folder.path)/c gone"])
    #expect(watch.count == 2)
    #expect(failure { () throws(SystemError) in try watch.add(folder.at("c")) }?.code == ENOENT)
  }

  @Test func readdirReportsTheSameEntries() throws {
    for name in ["a", "b", "c/d", ".hidden"] { try folder.write(name, "1") }
    symlink("a", folder.path + "/link")
    let open = try Descriptor.open(folder.bytes, [.reading, .folder])
    var (own, portable): ([[UInt8]: UInt8], [[UInt8]: UInt8]) = ([:], [:])
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    #expect(LinuxCalls.forEachEntry(in: open.number, buffer) { own[Array($0)] = $1 } == 0)
    #expect(LinuxCalls.forEachEntryPortably(in: open.number) { portable[Array($0)] = $1 } == 0)
    #expect(own == portable && own.count == 7)
  }
}
