import Glibc
import SlipboxTesting
import Testing

@testable import Platform

/// Files that another program has open for writing while they are to be replaced.
@Suite struct HeldFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("x.md", "old")
  }

  private func box(exchanging: Bool = true) throws -> BoxFolder {
    var box = try BoxFolder(folder.bytes)
    box.exchangesNames = exchanging
    return box
  }

  private func openedForWriting(_ name: String = "x.md", _ flags: Int32 = 0) -> Int32 {
    open(folder.path + "/" + name, O_WRONLY | flags)
  }

  @Test(arguments: waysOfReplacing) func isNeitherReplacedNorRemoved(exchanging: Bool) throws {
    let box = try box(exchanging: exchanging)
    let editor = openedForWriting()
    let replacing = failure { () throws(ReplaceError) in
      try box.replace(b("x.md"), with: b("new"), expecting: b("old"))
    }
    let removing = failure { () throws(ReplaceError) in try box.remove(b("x.md"), expecting: b("old")) }
    #expect(replacing == .held(path: b("x.md")) && removing == .held(path: b("x.md")))
    #expect(s(folder.read("x.md")) == "old")
    #expect(pwrite(editor, "typed", 5, 0) == 5)
    close(editor)
    #expect(s(folder.read("x.md")) == "typed")
    #expect(folder.names() == ["x.md"])
  }

  @Test(arguments: waysOfReplacing) func stopsABatchThatIsPutBack(exchanging: Bool) throws {
    for name in ["a.md", "b.md"] { try folder.write(name, "old") }
    let box = try box(exchanging: exchanging)
    let editor = openedForWriting()
    let batch = ["a.md", "b.md", "x.md"].map {
      Replacement(path: b($0), bytes: b("new"), expecting: b("old"))
    }
    let error = failure { () throws(BatchError) in _ = try box.replaceAll(batch) }
    #expect(error?.error == .held(path: b("x.md")))
    close(editor)
    for name in ["a.md", "b.md", "x.md"] { #expect(s(folder.read(name)) == "old") }
    #expect(folder.names().sorted() == ["a.md", "b.md", "x.md"])
  }

  /// Readers keep the version that they opened and lose nothing.
  @Test func isReplacedBesideReaders() throws {
    let reader = open(folder.path + "/x.md", O_RDONLY)
    defer { close(reader) }
    try box().replace(b("x.md"), with: b("new"), expecting: b("old"))
    #expect(s(folder.read("x.md")) == "new")
  }

  /// A program that found the old file before the exchange and opens it after the last look.
  @Test(arguments: waysOfReplacing) func keepsWhatIsWrittenTooLate(exchanging: Bool) throws {
    let box = try box(exchanging: exchanging)
    let request = Replacement(path: b("x.md"), bytes: b("new"), expecting: b("old"))
    var swap = try box.prepare(request, syncing: true)
    try box.perform(&swap)
    let old = String(decoding: try #require(swap.oldName), as: UTF8.self)
    let editor = openedForWriting(old)
    box.letGoOld(swap)
    #expect(box.kept.takeAll() == [KeptFile(path: b("x.md"), temporary: b(old))])
    #expect(pwrite(editor, "typed", 5, 0) == 5)
    close(editor)
    #expect(s(folder.read(old)) == "typed")
    #expect(s(folder.read("x.md")) == "new")
  }

  /// A new file that somebody writes to, and that is then taken away because of a failure elsewhere.
  @Test func keepsWhatIsWrittenToANewFileThatIsTakenBack() throws {
    let box = try box()
    let request = Replacement(path: b("x.md"), bytes: b("new"), expecting: b("old"))
    var swap = try box.prepare(request, syncing: true)
    try box.perform(&swap)
    let editor = openedForWriting()
    #expect(box.undo(swap))
    #expect(s(folder.read("x.md")) == "old")
    let kept = try #require(box.kept.takeAll().first)
    #expect(write(editor, "typed", 5) == 5)
    close(editor)
    #expect(s(folder.read(s(kept.temporary) ?? "")) == "typed")
  }

  @Test func aLeftFileThatIsStillOpenIsNotRemoved() throws {
    let name = String(decoding: TemporaryFile.randomName(), as: UTF8.self)
    try folder.write(name, "old")
    let editor = openedForWriting(name, O_APPEND)
    #expect(try box().removeStaleTemporaries([b(name)], olderThanSeconds: -1) { _ in true } == [b(name)])
    close(editor)
    #expect(try box().removeStaleTemporaries([b(name)], olderThanSeconds: -1) { _ in true } == [])
    #expect(folder.names() == ["x.md"])
  }

  @Test func isWaitedFor() throws {
    let box = try box()
    #expect(box.waitUntilClosed(b("x.md"), milliseconds: 0))
    #expect(box.waitUntilClosed(b("none.md"), milliseconds: 0))
    let editor = openedForWriting()
    #expect(!box.waitUntilClosed(b("x.md"), milliseconds: 20))
    close(editor)
    #expect(box.waitUntilClosed(b("x.md"), milliseconds: 0))
  }

  /// Where there are no leases, the open files of other processes are looked at after the exchange.
  @Test(arguments: waysOfReplacing) func isSeenWithoutLeases(exchanging: Bool) throws {
    var box = try box(exchanging: exchanging)
    box.takesLeases = false
    let path = folder.at("x.md")
    let script = "exec >> \"$1\"; echo started > \"$1.go\"; read line; echo typed"
    let writer = try Writer(script, path)
    defer { writer.end() }
    #expect(Waiting.retrying(milliseconds: 5_000) { folder.read("x.md.go") != nil })
    #expect(ProcessTable.writer(of: path) == b("sh"))
    let error = failure { () throws(ReplaceError) in
      try box.replace(b("x.md"), with: b("new"), expecting: b("old"))
    }
    #expect(error == .held(path: b("x.md")))
    #expect(!box.waitUntilClosed(b("x.md"), milliseconds: 10))
    writer.end()
    #expect(box.waitUntilClosed(b("x.md"), milliseconds: 5_000))
    #expect(s(folder.read("x.md")) == "oldtyped\n")
    try box.replace(b("x.md"), with: b("new"), expecting: b("oldtyped\n"))
    #expect(s(folder.read("x.md")) == "new")
  }
}

/// A shell that holds a file open until it is told to go on.
private final class Writer {
  private let input: Int32
  private let process: pid_t
  private var hasEnded = false

  init(_ script: String, _ path: [UInt8]) throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    input = ends[1]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    let words = ["sh", "-c", script, "sh", String(decoding: path, as: UTF8.self)]
    var pointers = words.map { strdup($0) } + [nil]
    var process = pid_t()
    #expect(posix_spawnp(&process, "sh", &actions, nil, &pointers, environ) == 0)
    for pointer in pointers { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[0])
    self.process = process
  }

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    close(input)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}
