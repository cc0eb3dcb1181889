import Git
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

@Suite struct OperationTreesTests {
  private func operation(
    _ box: BoxInTest, at revision: String = "HEAD", below prefix: String = ""
  ) throws -> Operation {
    let commit = try commit(box, revision)
    return try box.box.git { repository throws(GitError) in
      try Operation(of: commit, in: repository, below: Array(prefix.utf8))
    }
  }

  private func commit(_ box: BoxInTest, _ revision: String) throws -> Commit {
    let found = try box.box.git { repository throws(GitError) -> Commit? in
      guard let id = try repository.commit(revision: revision) else { return nil }
      return try repository.read(id)
    }
    return try #require(found)
  }

  private func commit(_ folder: TemporaryFolder) throws {
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "By hand", "-m", "As I like.")
  }

  @Test func aCommitOfAnotherProgramIsToldByItsTrees() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    try folder.write("a/one.md", "---\nid: kqzmvtrp\nstatus: open\n---\nText.\n")
    try folder.write("gone.md", "Words.\n")
    try folder.write("same.md", "Same.\n")
    try commit(folder)
    try folder.git("mv", "a/one.md", "one.md")
    try folder.write("one.md", "---\nid: kqzmvtrp\nstatus: closed\n---\nText.\n")
    try folder.git("rm", "-q", "gone.md")
    try folder.write("picture.png", "---\nid: szrfxztk\n---\n")
    try commit(folder)
    let operation = try operation(box)
    #expect(operation.id == nil && operation.author == "Ada" && operation.reason == "As I like.")
    #expect(operation.isWhole && operation.noteCount == 3)
    #expect(
      operation.changes == [
        NoteChange(note: .path(Array("gone.md".utf8)), file: .deleted(Array("gone.md".utf8))),
        NoteChange(
          note: .id(try #require(NoteID("kqzmvtrp"))),
          file: .moved(from: Array("a/one.md".utf8), to: Array("one.md".utf8)),
          fields: [.init(name: "status", old: .text("open"), new: .text("closed"))]),
        NoteChange(note: .path(Array("picture.png".utf8)), file: .made(Array("picture.png".utf8))),
      ])
    #expect(try self.operation(box, below: "a/").changes.map(\.file) == [.deleted(Array("one.md".utf8))])
  }

  /// Above the limit the trees tell the same as the trailers below it.
  @Test(arguments: [2, 25])
  func anOperationOfSlipIsWhole(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    for number in 0..<count { try folder.write("\(number).md", "---\nstatus: open\n---\n\(number)\n") }
    try commit(folder)
    let entries = try box.now.catalogue().entries
    _ = try box.record(ChangeNotes(in: box.now).plan(Array(entries), [#require(Change("status:closed"))]))
    let message = try folder.git("log", "-1", "--format=%B")
    #expect(message.contains("Slip-Notes: 25") == (count == 25))
    let operation = try operation(box)
    #expect(operation.command == "set" && operation.device == "desk" && operation.id != nil)
    #expect(operation.isWhole && operation.changes.count == count)
    #expect(
      operation.changes.allSatisfy {
        $0.file == nil && $0.body == nil
          && $0.fields == [.init(name: "status", old: .text("open"), new: .text("closed"))]
      })
  }

  @Test func aBodyIsNamedByItsBlobs() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    let creation = try CreateNote(in: box.now)
    let id = try creation.freeID(box.context.ids)
    let text = try creation.text(of: Draft(title: "Bread", body: Array("Flour.\n".utf8)), id: id)
    _ = try box.create(text, id: id)
    for command in ["set", "commit"] {
      let entry = try #require(try box.now.catalogue().entry(id: id))
      let path = String(decoding: entry.note.path, as: UTF8.self)
      if command == "set" {
        _ = try box.record(try ChangeNotes(in: box.now).plan([entry], [], body: Array("Water.\n".utf8)))
      } else {
        try folder.write(path, "\(String(decoding: text.bytes, as: UTF8.self))More.\n")
        _ = try box.commitAsFound([entry.note.path], reason: nil)
      }
      let (old, new) = (
        try folder.git("rev-parse", "HEAD~1:\(path)").dropLast(),
        try folder.git("rev-parse", "HEAD:\(path)").dropLast()
      )
      let changes = try operation(box).changes
      #expect(changes.map(\.note) == [.id(id)], "\(command)")
      #expect(changes.first?.body?.old?.hex == String(old) && changes.first?.body?.new?.hex == String(new))
      #expect(OperationTrailers.operation(of: try commit(box, "HEAD")).changes == changes)
    }
  }

  @Test func aFirstCommitMakesAllItsFiles() throws {
    let folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try giveIdentity(folder.path)
    try folder.write("a.md", "x\n")
    try commit(folder)
    let context = context(in: folder.path)
    let box = try BoxInTest(at: try initialise(folder.path, context).box.root, context)
    let operation = try operation(box, at: "HEAD~1")
    #expect(operation.changes.map(\.file) == [.made(Array("a.md".utf8))])
  }
}
