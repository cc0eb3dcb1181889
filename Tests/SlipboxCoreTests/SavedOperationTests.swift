import Foundation
import Git
import Notes
import Platform
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// What was saved while no commit was possible is committed as what it was as soon as one is.
@Suite struct SavedOperationTests {
  private static let note = "---\nid: kqzmvtrp\ntitle: Bread\nrating: 3\n---\nFlour.\n\nWater.\n"
  private static let path = "bread.md"

  private func box() throws -> WritingBox { try WritingBox.withTwoNotes(Self.note, at: Self.path) }

  /// Appends to the note while HEAD is on no branch.
  private func saved(_ texts: String...) throws -> WritingBox {
    let box = try box()
    try box.folder.git("switch", "-q", "--detach")
    for text in texts { #expect(try !box.append(Self.path, text).isCommitted) }
    try box.folder.git("switch", "-q", "main")
    return box
  }

  /// The subjects of the commits since the box was made, newest first.
  private func subjects(_ box: WritingBox) throws -> [String] {
    let all = try box.subjects()
    return Array(all[...(all.firstIndex(of: "as found") ?? 0)])
  }

  @Test func theRecordSurvivesTheFile() {
    let operation = SavedOperation(
      command: "append", subject: "Append to: Żółw", reason: nil,
      changes: [
        FileChange(path: Array("a b\nc.md".utf8) + [0xFF], before: nil, after: [0, 10, 255]),
        FileChange(path: Array("d.md".utf8), before: [], after: nil),
      ], committed: [nil, ObjectID.zero], isResetByGit: true)
    #expect(SavedOperation(operation.serialized) == operation)
    for count in 0..<operation.serialized.count - 1 {
      #expect(SavedOperation(Array(operation.serialized.prefix(count))) == nil)
    }
  }

  @Test func itIsCommittedAsWhatItWas() throws {
    let box = try saved("Salt.")
    #expect(box.text(Self.path) == Self.note + "Salt.\n")
    #expect(try box.titles() == ["Bread", "Other"])
    let line = try #require(try box.log(limit: 1).first)
    #expect(line.subject == "Append to: Bread")
    #expect(line.command == "append")
    #expect(line.changes.count == 1)
    #expect(try subjects(box).count == 2)
    #expect(try box.status() == [])
    #expect(box.listener.messages == ["committed the saved changes: Append to: Bread"])
    _ = try box.titles()
    #expect(try subjects(box).count == 2)
    #expect(!box.exists(".git/slipbox/saved"))
  }

  @Test func `saves without a commit while the clock shows a time before 1970`() throws {
    var box = try box()
    box.clock = ClockReading(now: Timestamp(seconds: -86_400, offsetSeconds: 0), offset: { _ in 0 })
    let count = try box.subjects().count
    #expect(try !box.append(Self.path, "Salt.").isCommitted)
    #expect(box.text(Self.path) == Self.note + "Salt.\n")
    #expect(try box.subjects().count == count)
    let error = #expect(throws: SlipboxError.self) { try box.set(Self.path, "rating", "5") }
    #expect(error?.message.description.contains("before 1970") == true)
    box.clock = standingClock
    _ = try box.titles()
    #expect(try subjects(box) == ["Append to: Bread", "as found"])
    #expect(try box.folder.git("log", "-1", "--format=%at %ct") == "1795249800 1795249800\n")
  }

  @Test func `names the command that ends a bisect`() throws {
    let box = try box()
    try box.folder.git("commit", "-q", "--allow-empty", "-m", "second")
    try box.folder.git("bisect", "start", "HEAD", "HEAD~1")
    let error = #expect(throws: SlipboxError.self) { try box.set(Self.path, "rating", "5") }
    #expect(error?.hints == ["end it with: git bisect reset"])
    try box.folder.git("bisect", "reset")
    try box.set(Self.path, "rating", "5")
  }

  @Test func severalAreCommittedInTheirOrder() throws {
    let box = try saved("Salt.", "Yeast.", "Time.")
    try box.set("other.md", "rating", "1")
    #expect(
      try subjects(box) == [
        "Set rating 1: Other", "Append to: Bread", "Append to: Bread", "Append to: Bread", "as found",
      ])
    #expect(try box.folder.git("show", "HEAD~3:\(Self.path)") == Self.note + "Salt.\n")
    #expect(try box.folder.git("show", "HEAD:\(Self.path)") == Self.note + "Salt.\nYeast.\nTime.\n")
    #expect(try box.status() == [])
  }

  @Test func whatWasEditedSinceIsLeftAsItIs() throws {
    let box = try saved("Salt.")
    try box.folder.write(Self.path, Self.note + "Salt.\nBy hand.\n")
    _ = try box.titles()
    #expect(try box.folder.git("show", "HEAD:\(Self.path)") == Self.note + "Salt.\n")
    #expect(box.text(Self.path) == Self.note + "Salt.\nBy hand.\n")
    #expect(try box.status() == [" M \(Self.path)"])
  }

  @Test func whatGitCommittedIsNotCommittedAgain() throws {
    let box = try saved("Salt.")
    try box.folder.git("commit", "-q", "-a", "-m", "by git")
    _ = try box.titles()
    #expect(try subjects(box) == ["by git", "as found"])
    #expect(box.listener.messages == [])
  }

  @Test func whatGitCommittedWithMoreIsNotCommittedAgain() throws {
    let box = try saved("Salt.")
    try box.folder.write(Self.path, Self.note + "Salt.\nBy hand.\n")
    try box.folder.git("commit", "-q", "-a", "-m", "by git")
    _ = try box.titles()
    #expect(try subjects(box) == ["by git", "as found"])
    #expect(box.text(Self.path) == Self.note + "Salt.\nBy hand.\n")
    #expect(try box.status() == [])
    #expect(box.listener.messages == [])
  }

  @Test func whatGitCommittedAndSomebodyTookOutStaysOut() throws {
    let box = try saved("Salt.")
    try box.folder.write(Self.path, Self.note + "Salt.\nBy hand.\n")
    try box.folder.git("commit", "-q", "-a", "-m", "by git")
    try box.folder.write(Self.path, Self.note + "By hand.\n")
    _ = try box.titles()
    #expect(try subjects(box) == ["by git", "as found"])
    #expect(box.text(Self.path) == Self.note + "By hand.\n")
    #expect(box.listener.messages == [])
  }

  /// The commit of what was saved changes nothing else, also where git has committed the file since.
  @Test func whatGitBroughtMeanwhileStays() throws {
    let box = try saved("Salt.")
    let rye = Self.note.replacingOccurrences(of: "Flour.", with: "Rye.")
    try box.folder.git("stash", "-q")
    try box.folder.write(Self.path, rye)
    try box.folder.git("commit", "-q", "-a", "-m", "by git")
    try box.folder.git("stash", "pop", "-q")
    #expect(box.text(Self.path) == rye + "Salt.\n")
    _ = try box.titles()
    #expect(try subjects(box) == ["Append to: Bread", "by git", "as found"])
    #expect(try box.folder.git("show", "HEAD:\(Self.path)") == rye + "Salt.\n")
    #expect(try box.status() == [])
  }

  /// What other programs had changed before is a commit of its own.
  @Test func whatStoodThereBeforeIsAnOutsideChange() throws {
    let box = try box()
    try box.folder.write(Self.path, Self.note + "By hand.\n")
    try box.folder.git("switch", "-q", "--detach")
    #expect(try !box.append(Self.path, "Salt.").isCommitted)
    try box.folder.git("switch", "-q", "main")
    _ = try box.titles()
    #expect(try subjects(box) == ["Append to: Bread", "Outside edits: Bread", "as found"])
    #expect(try box.status() == [])
  }

  @Test func whatWasTakenOutIsKeptAndNamed() throws {
    let box = try saved("Salt.")
    try box.folder.git("restore", Self.path)
    _ = try box.titles()
    #expect(try subjects(box) == ["as found"])
    #expect(box.text(Self.path) == Self.note)
    #expect(box.listener.messages.count == 1)
    let kept = try FileManager.default.contentsOfDirectory(
      atPath: box.folder.path + "/.git/slipbox/recovered")
    #expect(box.text(".git/slipbox/recovered/\(try #require(kept.first))") == Self.note + "Salt.\n")
  }

  @Test func whatWasWrittenOverIsMergedIn() throws {
    let box = try saved("Salt.")
    try box.folder.git("restore", Self.path)
    try box.folder.write(Self.path, Self.note.replacingOccurrences(of: "Flour.", with: "Rye."))
    try box.folder.git("commit", "-q", "-a", "-m", "by git")
    _ = try box.titles()
    #expect(try subjects(box) == ["Append to: Bread", "by git", "as found"])
    #expect(box.text(Self.path) == Self.note.replacingOccurrences(of: "Flour.", with: "Rye.") + "Salt.\n")
    #expect(try box.status() == [])
  }

  @Test func whatAnEditorSavedIsAnEdit() throws {
    let box = try box()
    try box.folder.git("switch", "-q", "--detach")
    let editing = try box.beginEditing(Self.path)
    try box.folder.write(Self.path, Self.note + "By hand.\n")
    #expect(try !box.finishEditing(editing).written.isCommitted)
    try box.folder.git("switch", "-q", "main")
    _ = try box.titles()
    #expect(try subjects(box) == ["Edit: Bread", "as found"])
    #expect(try box.status() == [])
  }

  /// Where no commit is possible, a command that saves nothing changes nothing, and nothing is done later.
  @Test(arguments: [".git/index.lock", ".git/refs/heads/main.lock"])
  func othersChangeNothing(lock: String) throws {
    let box = try box()
    try box.folder.write(lock, "")
    #expect(throws: SlipboxError.self) { try box.set(Self.path, "rating", "4") }
    #expect(throws: SlipboxError.self) { try box.write([Self.path: nil]) }
    #expect(box.text(Self.path) == Self.note)
    #expect(try box.status() == [])
    #expect(!box.exists(WritingBox.record))
    try FileManager.default.removeItem(atPath: box.folder.path + "/" + lock)
    _ = try box.titles()
    #expect(try subjects(box) == ["as found"])
  }

  @Test(arguments: [".git/index.lock", ".git/refs/heads/main.lock"])
  func aLockThatStaysHasTheTextSaved(lock: String) throws {
    let box = try box()
    try box.folder.write(lock, "")
    #expect(try !box.append(Self.path, "Salt.").isCommitted)
    #expect(box.text(Self.path) == Self.note + "Salt.\n")
    #expect(try subjects(box) == ["as found"])
    #expect(try box.titles() == ["Bread", "Other"])
    try FileManager.default.removeItem(atPath: box.folder.path + "/" + lock)
    // A reader leaves the commit to the next one while a process that another test is starting still has the box's lock.
    let isCommitted = try Waiting.retrying(milliseconds: 5_000) {
      _ = try box.titles()
      return try subjects(box) == ["Append to: Bread", "as found"]
    }
    #expect(isCommitted)
    #expect(try box.status() == [])
  }

  /// These locks are of no concern to a commit.
  @Test(arguments: [".git/packed-refs.lock", ".git/HEAD.lock", ".git/config.lock"])
  func otherLocksAreInNobodysWay(lock: String) throws {
    let box = try box()
    try box.folder.git("pack-refs", "--all")
    try box.folder.write(lock, "")
    #expect(try box.append(Self.path, "Salt.").isCommitted)
    #expect(try box.set(Self.path, "rating", "4").isCommitted)
  }
}
