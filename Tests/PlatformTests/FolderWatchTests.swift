import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct FolderWatchTests {
  private let folder: TemporaryFolder
  private let watch: FolderWatch

  init() throws {
    folder = try TemporaryFolder()
    watch = try FolderWatch()
  }

  /// The names of which something was told, each once and in order, with a slash behind folders.
  private func names() -> [String] {
    var names: [String] = []
    for case .name(let name, let place, let isFolder, let isGone) in watch.events() {
      let path = s(Array((place + b("/") + name).dropFirst(folder.bytes.count + 1))) ?? ""
      let text = path + (isFolder ? "/" : "") + (isGone ? " gone" : "")
      if names.last != text { names.append(text) }
    }
    return names
  }

  @Test func tellsWhatChanges() throws {
    try watch.add(folder.bytes)
    #expect(watch.events() == [])
    try folder.write("a", "1")
    #expect(names().contains("a"))
    chmod(folder.path + "/a", 0o600)
    #expect(names().contains("a"))
    rename(folder.path + "/a", folder.path + "/b")
    mkdir(folder.path + "/c", 0o777)
    unlink(folder.path + "/b")
    rmdir(folder.path + "/c")
    // A child of another test that holds the file open for a moment adds words of it.
    #expect(names().filter { $0 != "a" } == ["a gone", "b", "c/", "b gone", "c/ gone"])
    try folder.write("a", "2")
    #expect(FolderWatch.wait(watch, output: -1, atMost: 60_000) == .changes)
  }

  @Test func goesWhereAWalkGoes() throws {
    for file in ["a/b/file", "c/file", ".hidden/file", "nested/.git/HEAD", "nested/deep/file"] {
      try folder.write(file, "1")
    }
    symlink("a", folder.path + "/link")
    let tree = try watch.add(tree: folder.bytes, isRoot: true)
    #expect(Set(tree.files) == [folder.at("a/b/file"), folder.at("c/file")])
    #expect(tree.links == [folder.at("link")] && tree.repositories == [folder.at("nested")])
    #expect(watch.count == 5)
    try folder.write("a/b/file", "2")
    #expect(names().contains("a/b/file"))
    try folder.write("nested/deep/file", "2")
    try folder.write(".hidden/file", "2")
    #expect(!names().contains { $0.contains("nested") || $0.contains("hidden") })
    watch.remove(below: folder.at("a"))
    #expect(watch.count == 3)
    try folder.write("a/b/file", "3")
    try folder.write("c/file", "3")
    #expect(names() == ["c/file"])
  }

  @Test func tellsOfFoldersThatGoAway() throws {
    try folder.write("a/file", "1")
    try watch.add(folder.at("a"))
    rename(folder.path + "/a", folder.path + "/b")
    #expect(watch.events() == [.folderGone(folder.at("a"))])
    #expect(failure { () throws(SystemError) in try watch.add(folder.at("a")) }?.code == ENOENT)
    unlink(folder.path + "/b/file")
    rmdir(folder.path + "/b")
    _ = watch.events()
    #expect(watch.count == 0)
  }

  /// One folder by two names, as where a configuration lies in the box.
  @Test func knowsAFolderByAllItsPaths() throws {
    mkdir(folder.path + "/a", 0o777)
    symlink("a", folder.path + "/b")
    try watch.add(folder.at("a"))
    try watch.add(folder.at("b"))
    try folder.write("a/file", "1")
    #expect(Set(names()) == ["a/file", "b/file"])
    watch.remove(below: folder.at("b"))
    try folder.write("a/file", "2")
    #expect(Set(names()) == ["a/file"])
  }

  @Test func aReaderThatGoesAwayEndsTheWait() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    #expect(FolderWatch.wait(nil, output: ends[1], atMost: 0) == .timeout)
    close(ends[0])
    #expect(FolderWatch.wait(nil, output: ends[1], atMost: 60_000) == .outputClosed)
    close(ends[1])
  }
}
