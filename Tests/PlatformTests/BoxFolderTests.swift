import Glibc
import Platform
import SlipboxTesting
import Testing

@testable import Platform

/// Both ways of replacing: by exchanging names, and as on file systems that cannot.
let waysOfReplacing = [true, false]

func box(_ folder: TemporaryFolder, exchanging: Bool = true) throws(SystemError) -> BoxFolder {
  var box = try BoxFolder(folder.bytes)
  box.exchangesNames = exchanging
  return box
}

@Suite struct BoxFolderTests {
  @Test(arguments: waysOfReplacing) func makesNewFiles(exchanging: Bool) throws {
    let folder = try TemporaryFolder()
    let box = try box(folder, exchanging: exchanging)
    let status = try box.replace(b("2026/11/x.md"), with: b("text"), expecting: nil)
    #expect(s(folder.read("2026/11/x.md")) == "text")
    #expect(try Files.status(folder.at("2026/11/x.md")) == status)
    #expect(folder.names("2026/11") == ["x.md"])
    let mask = umask(0o22)
    umask(mask)
    #expect(status.mode & 0o777 == 0o666 & ~UInt32(mask))
  }

  @Test(arguments: waysOfReplacing) func replacesWhatWasRead(exchanging: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "old")
    folder.setMode("x.md", 0o600)
    let box = try box(folder, exchanging: exchanging)
    let status = try box.replace(b("x.md"), with: b("new"), expecting: b("old"))
    #expect(s(folder.read("x.md")) == "new")
    #expect(folder.mode("x.md") == 0o600)
    #expect(try box.read(b("x.md")).status == status)
    #expect(folder.names() == ["x.md"])
  }

  @Test(arguments: waysOfReplacing) func refusesWhatChanged(exchanging: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "theirs")
    let box = try box(folder, exchanging: exchanging)
    func replacing(_ path: String, _ expecting: String?) -> ReplaceError? {
      failure { () throws(ReplaceError) in
        try box.replace(b(path), with: b("new"), expecting: expecting.map(b))
      }
    }
    #expect(replacing("x.md", "old") == .changed(found: b("theirs")))
    #expect(replacing("x.md", nil) == .changed(found: b("theirs")))
    #expect(replacing("y.md", "old") == .changed(found: nil))
    #expect(replacing("none/y.md", "old") == .changed(found: nil))
    #expect(s(folder.read("x.md")) == "theirs")
    #expect(folder.names() == ["x.md"])
  }

  @Test(arguments: waysOfReplacing) func removes(exchanging: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("a/b/x.md", "old")
    try folder.write("a/y.md", "other")
    let box = try box(folder, exchanging: exchanging)
    let error = failure { () throws(ReplaceError) in try box.remove(b("a/b/x.md"), expecting: b("other")) }
    #expect(error == .changed(found: b("old")))
    try box.remove(b("a/b/x.md"), expecting: b("old"))
    #expect(folder.names("a") == ["y.md"])
    try box.remove(b("a/y.md"), expecting: b("other"))
    #expect(folder.names() == [])
    let gone = failure { () throws(ReplaceError) in try box.remove(b("a/y.md"), expecting: b("other")) }
    #expect(gone == .changed(found: nil))
  }

  @Test func refusesPathsThatAreNotPlain() throws {
    let folder = try TemporaryFolder()
    let box = try box(folder)
    for path in ["", "/etc/passwd", "../x", "a/../x", "./x", "a//x", "a/", "."] {
      let error = failure { () throws(ReplaceError) in try box.replace(b(path), with: [], expecting: nil) }
      guard case .failed = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
    }
    #expect(folder.names() == [])
  }

  @Test func refusesOtherThanFiles() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path + "/fifo.md", 0o600)
    mkdir(folder.path + "/dir.md", 0o777)
    let box = try box(folder)
    for name in ["fifo.md", "dir.md"] {
      for expecting in [nil, b("x")] {
        let error = failure { () throws(ReplaceError) in
          try box.replace(b(name), with: [], expecting: expecting)
        }
        guard case .failed(let error) = error, error.code == SystemError.notRegular else {
          Issue.record("\(name): \(String(describing: error))")
          continue
        }
      }
    }
  }

  /// Root may write everything.
  @Test(.enabled(if: !Machine.isRoot, "needs an account other than root"))
  func refusesWriteProtectedFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.md", "old")
    folder.setMode("x.md", 0o444)
    let box = try box(folder)
    let error = failure { () throws(ReplaceError) in try box.replace(b("x.md"), with: [], expecting: b("old"))
    }
    #expect(error == .failed(SystemError(operation: "write", path: b("x.md"), code: EACCES)))
  }

  @Test(.enabled(if: Machine.mayMount, "needs the right to mount"))
  func changesNothingOnReadOnlyAndFullDisks() throws {
    let disk = try SmallDisk(options: "size=64k")
    let box = try box(disk.folder)
    try box.replace(b("x.md"), with: b("old"), expecting: nil)
    let big = [UInt8](repeating: 1, count: 100_000)
    for expecting in [b("old"), nil] {
      let path = expecting == nil ? "new.md" : "x.md"
      let error = failure { () throws(ReplaceError) in
        try box.replace(b(path), with: big, expecting: expecting)
      }
      guard case .failed(let error) = error, error.code == ENOSPC else { Issue.record("not full"); continue }
      #expect(s(error.path) == path && error.operation == "write")
    }
    #expect(disk.folder.names() == ["x.md"])
    try disk.makeReadOnly()
    let error = failure { () throws(ReplaceError) in try box.replace(b("x.md"), with: [], expecting: b("old"))
    }
    guard case .failed(let error) = error, error.isPermission else { Issue.record("not read-only"); return }
    #expect(s(disk.folder.read("x.md")) == "old")
  }

  @Test func removesStaleTemporaries() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/.slip-01.tmp", "old")
    try folder.write("a/.slip-02.tmp", "precious")
    try folder.write("a/.slip-x.md", "a hidden note")
    let box = try box(folder)
    #expect(box.removeStaleTemporaries([b("a/.slip-01.tmp")], olderThanSeconds: 60) { _ in true } == [])
    #expect(folder.names("a").count == 3)
    let paths = [b("a/.slip-01.tmp"), b("a/.slip-02.tmp"), b("a/.slip-x.md"), b("a/none")]
    let kept = box.removeStaleTemporaries(paths, olderThanSeconds: -1) { $0 == b("old") }
    #expect(kept == [b("a/.slip-02.tmp")])
    #expect(folder.names("a") == [".slip-02.tmp", ".slip-x.md"])
  }

  @Test func removesStaleLinks() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/b.txt", "what a link leads to")
    folder.link("a/.slip-01.tmp", to: "known")
    folder.link("a/.slip-02.tmp", to: "unknown")
    folder.link("a/.slip-03.tmp", to: "b.txt")
    let box = try box(folder)
    let paths = ["a/.slip-01.tmp", "a/.slip-02.tmp", "a/.slip-03.tmp"].map(b)
    #expect(box.removeStaleTemporaries(paths, olderThanSeconds: 60) { _ in true } == [])
    #expect(folder.names("a").count == 4)
    // A link is known by its target as it is written, not by what the target holds.
    let known = [b("known"), b("what a link leads to")]
    let kept = box.removeStaleTemporaries(paths, olderThanSeconds: -1) { known.contains($0) }
    #expect(kept == [b("a/.slip-02.tmp"), b("a/.slip-03.tmp")])
    #expect(folder.names("a") == [".slip-02.tmp", ".slip-03.tmp", "b.txt"])
  }
}
