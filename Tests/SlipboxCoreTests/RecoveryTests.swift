import Foundation
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
    #expect(!box.exists("far"))
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
