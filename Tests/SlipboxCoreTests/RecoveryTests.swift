import Foundation
import Git
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// What the next command does with a change that a crash interrupted.
@Suite struct RecoveryTests {
  private static let old = ["a.md": "# A\n\nold\n", "b.md": "# B\n\nold\n", "c.md": "# C\n\nold\n"]
  /// One file is changed, one deleted, one made.
  private static let new: [String: String?] = ["a.md": "# A\n\nnew\n", "b.md": nil, "new/d.md": "# D\n"]
  private static let finished = "finished an interrupted change: Written by a test"

  @Test func whereNoFileWasWrittenNothingHappened() throws {
    let box = try WritingBox(Self.old)
    let head = try box.head()
    try box.interrupt(["a.md": "# A\n\nnew\n", "b.md": nil], written: [])
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(try box.head() == head)
    #expect(try box.status() == [])
    #expect(!box.exists(WritingBox.record))
    #expect(box.listener.messages == [])
  }

  /// Nobody else has a text that was typed; a field can be set again and is dropped without a word.
  @Test func whereNoFileWasWrittenNewTextIsKept() throws {
    let texts = [
      ("new.md", "# Typed\n"), ("a.md", "# A\n\nold\nTyped\n"), ("a.md", "# A\n\nother\n"),
      ("a.md", "---\nrating: 4\n---\n# A\n\nother\n"),
    ]
    for (path, text) in texts {
      let box = try WritingBox(Self.old)
      try box.interrupt([path: text], written: [])
      #expect(try box.titles() == ["A", "B", "C"])
      let kept = ".git/slipbox/recovered/1795249800-\(path)"
      #expect(box.text(kept) == text)
      #expect(box.listener.messages.count == 1)
      #expect(box.listener.messages.first?.hasSuffix("is kept at \(box.folder.path)/\(kept)") == true)
    }
    let box = try WritingBox(Self.old)
    try box.interrupt(["a.md": "---\nrating: 4\n---\n# A\n\nold\n"], written: [])
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(box.listener.messages == [])
  }

  @Test func ofSeveralUnwrittenFilesTheNewOnesAreKept() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: [])
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(box.text(".git/slipbox/recovered/1795249800-d.md") == "# D\n")
    #expect(box.listener.messages.count == 1)
  }

  @Test func foldersMadeForUnwrittenFilesGo() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(["far/away/d.md": "# D\n"], written: [])
    try FileManager.default.createDirectory(
      atPath: box.folder.path + "/far/away", withIntermediateDirectories: true)
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/far"))
  }

  @Test(arguments: [(20, 20), (21, 0)])
  func `keeps the unwritten texts of up to 20 files`(_ count: Int, _ kept: Int) throws {
    let box = try WritingBox(Self.old)
    var files: [String: String?] = [:]
    for number in 0..<count { files["\(number).md"] = "# Typed \(number)\n" }
    try box.interrupt(files, written: [])
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(box.listener.messages.count == kept)
  }

  @Test func `keeps no text of a change of the mode alone`() throws {
    let box = try WritingBox(Self.old)
    let id = { try ObjectID(hex: String(box.folder.git("rev-parse", $0).prefix(40))) }
    let (parent, blob) = (try #require(try id("HEAD")), try #require(try id("HEAD:a.md")))
    let path = Array("a.md".utf8)
    let (old, new) = (
      TreeEntry(path: path, id: blob, mode: 0o100644), TreeEntry(path: path, id: blob, mode: 0o100755)
    )
    let change = PreparedCommit(
      commit: parent, parent: parent, files: [FileDifference(path: path, old: old, new: new)],
      subject: "Written by a test")
    try Intent(change).write(in: try box.snapshot().box)
    try box.folder.write("a.md", "# A\n\nby git\n")
    try box.folder.git("commit", "-q", "-a", "-m", "by git")
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(box.listener.messages == [])
    #expect(!box.exists(WritingBox.record))
  }

  @Test func `removes beginnings of its texts in temporary files and keeps other texts`() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    try box.folder.write(".slip-01.tmp", "# A\n\nne")
    try box.folder.write(".slip-02.tmp", "# A\n\nby another program\n")
    _ = try box.titles()
    #expect(try box.subjects().first == "Written by a test")
    #expect(!box.exists(".slip-01.tmp"))
    #expect(box.text(".slip-02.tmp") == "# A\n\nby another program\n")
  }

  @Test func `a writer removes temporary files that are empty or whose text is in git`() throws {
    let box = try WritingBox(Self.old)
    let texts = [".slip-01.tmp": "", ".slip-02.tmp": "# B\n\nold\n", ".slip-03.tmp": "by another program\n"]
    for (path, text) in texts { try box.folder.write(path, text) }
    try box.set("c.md", "rating", "4")
    #expect(!box.exists(".slip-01.tmp"))
    #expect(!box.exists(".slip-02.tmp"))
    #expect(box.text(".slip-03.tmp") == "by another program\n")
  }

  /// A file beside a pack keeps git's garbage collection off it until a branch leads to its objects.
  @Test func `lets git repack what a dropped change wrote`() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: [])
    try Box(at: box.folder.bytes).withRepository { repository in
      try repository.writingTogether(failing: { $0 }) { () throws(GitError) in
        for number in 0..<200 { _ = try repository.conversion.writeBlob(Array("\(number)".utf8), path: [65]) }
      }
    }
    let kept = {
      try FileManager.default.contentsOfDirectory(atPath: box.folder.path + "/.git/objects/pack")
        .filter { $0.hasSuffix(".keep") }
    }
    #expect(try kept().count == 1)
    _ = try box.titles()
    #expect(try kept() == [])
  }

  @Test(
    arguments: [
      ["a.md"], ["b.md"], ["new/d.md"], ["a.md", "b.md"], ["a.md", "b.md", "new/d.md"],
    ] as [Set<String>])
  func whereAFileWasWrittenTheRestFollows(written: Set<String>) throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: written)
    #expect(try box.titles() == ["A", "C", "D"])
    #expect(try box.subjects().prefix(2) == ["Written by a test", "as found"])
    #expect(try box.status() == [])
    #expect(box.text("a.md") == "# A\n\nnew\n")
    #expect(!box.exists("b.md"))
    #expect(!box.exists(WritingBox.record))
    #expect(box.listener.messages == [Self.finished])
  }

  @Test func aWriterFinishesItBeforeItsOwnChange() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    try box.set("c.md", "rating", "4")
    #expect(try box.subjects().prefix(3) == ["Set rating 4: C", "Written by a test", "as found"])
    #expect(try box.status() == [])
  }

  @Test func itIsFinishedOnce() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    _ = try box.titles()
    let head = try box.head()
    _ = try box.titles()
    #expect(try box.head() == head)
    #expect(box.listener.messages.count == 1)
  }

  @Test func aFileThatSomebodyChangedSinceIsLeftAlone() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(["a.md": "# A\n\nnew\n", "c.md": "# C\n\nnew\n"], written: ["a.md"])
    try box.folder.write("c.md", "# C\n\nby another program\n")
    _ = try box.titles()
    #expect(box.text("c.md") == "# C\n\nby another program\n")
    #expect(try box.subjects().first == "Written by a test")
    #expect(try box.status() == [" M c.md"])
  }

  @Test func aBranchThatMovedSinceIsLeftAlone() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    try box.folder.git("commit", "-q", "--allow-empty", "-m", "by git")
    _ = try box.titles()
    #expect(try box.subjects().first == "by git")
    #expect(box.exists("b.md"))
    #expect(box.text("a.md") == "# A\n\nnew\n")
    #expect(!box.exists(WritingBox.record))
  }

  @Test func duringAMergeItWaits() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    let head = try box.head()
    try box.folder.write(".git/MERGE_HEAD", head + "\n")
    _ = try box.titles()
    #expect(try box.head() == head)
    #expect(box.exists(WritingBox.record))
    try FileManager.default.removeItem(atPath: box.folder.path + "/.git/MERGE_HEAD")
    _ = try box.titles()
    #expect(try box.subjects().first == "Written by a test")
  }

  @Test func `waits while HEAD is on no branch`() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    try box.folder.git("switch", "-q", "--detach")
    let head = try box.head()
    _ = try box.titles()
    #expect(try box.head() == head)
    #expect(box.exists(WritingBox.record) && box.exists("b.md"))
    #expect(box.listener.messages == [])
    try box.folder.git("switch", "-q", "main")
    _ = try box.titles()
    #expect(try box.subjects().first == "Written by a test")
  }

  @Test func whileAnotherCommandWorksItWaits() throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    let head = try box.head()
    try box.whileLocked {
      _ = try box.titles()
      #expect(try box.head() == head)
    }
    #expect(box.exists(WritingBox.record))
    _ = try box.titles()
    #expect(try box.subjects().first == "Written by a test")
  }

  @Test func aRecordThatIsCutShortIsDropped() throws {
    let box = try WritingBox(Self.old)
    let head = try box.head()
    try box.interrupt(Self.new, written: [])
    let record = try #require(box.folder.read(WritingBox.record))
    try box.folder.write(WritingBox.record, Array(record.dropLast(8)))
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(try box.head() == head)
    #expect(!box.exists(WritingBox.record))
  }

  @Test func whereATextIsDamagedInGitNothingMoreIsWritten() throws {
    let box = try WritingBox(Self.old)
    let commit = try box.interrupt(Self.new, written: ["a.md"])
    try box.damageBlob("new/d.md", of: commit)
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(try box.subjects().first == "as found")
    #expect(try box.status() == [" M a.md"])
    #expect(
      box.listener.messages == ["the interrupted change can't be finished: its content in git is corrupt"])
  }

  /// The command that was killed had set its clock back since, or the other one forward.
  @Test(arguments: [-3_600, 0, 3_600])
  func theLocksOfTheKilledCommandGo(secondsFromNow: TimeInterval) throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    for lock in [".git/index.lock", ".git/refs/heads/main.lock"] {
      try box.leaveLock(lock)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: secondsFromNow)],
        ofItemAtPath: box.folder.path + "/" + lock)
    }
    _ = try box.titles()
    #expect(try box.subjects().first == "Written by a test")
    #expect(!box.exists(".git/index.lock"))
    #expect(!box.exists(".git/refs/heads/main.lock"))
  }

  @Test func aLockOfTheKilledCommandGoesWhereNothingWasWritten() throws {
    let box = try WritingBox(Self.old)
    try box.set("c.md", "rating", "4")
    try box.leaveLock(".git/index.lock")
    // A child that another test starts holds the box's lock for a moment: such a command leaves the rest to the next.
    for _ in 0..<100 where box.exists(".git/index.lock") { _ = try box.titles() }
    #expect(!box.exists(".git/index.lock"))
    try box.leaveLock(".git/index.lock")
    try box.leaveLock(".git/refs/heads/main.lock")
    try box.set("c.md", "rating", "5")
    #expect(!box.exists(".git/index.lock"))
    #expect(!box.exists(".git/refs/heads/main.lock"))
  }

  /// A command that only reads takes no lock of its own where nothing of a killed command is left.
  @Test func `a reading command leaves a lock of git alone`() throws {
    let box = try WritingBox(Self.old)
    let mark = ".git/slipbox/lock-mark"
    try? FileManager.default.removeItem(atPath: box.folder.path + "/" + mark)
    try box.folder.write(".git/index.lock", "")
    #expect(try box.titles() == ["A", "B", "C"])
    #expect(box.exists(".git/index.lock"))
    #expect(!box.exists(mark))
    #expect(box.listener.messages == [])
  }

  /// It is younger than the record, and no process has it open: as that of a `git commit -a` whose hook runs.
  @Test(arguments: [".git/index.lock", ".git/refs/heads/main.lock"])
  func aLockOfGitStays(lock: String) throws {
    let box = try WritingBox(Self.old)
    try box.interrupt(Self.new, written: ["a.md"])
    try box.folder.write(lock, "")
    _ = try box.titles()
    #expect(box.exists(lock))
    #expect(try box.subjects().first == "as found")
    #expect(box.exists(WritingBox.record), "the next command tries again")
    #expect(box.listener.messages == [])
    try FileManager.default.removeItem(atPath: box.folder.path + "/" + lock)
    _ = try box.titles()
    #expect(try box.subjects().first == "Written by a test")
  }
}
