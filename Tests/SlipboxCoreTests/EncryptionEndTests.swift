import Foundation
import NoteIndex
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Text of encrypted notes that would get into plain history.
@Suite struct EncryptionEndTests {
  private static let files = [
    ".gitattributes": "secret/** filter=turn\n", "secret/a.md": "---\nid: kqzmvtrb\n---\nHidden.\n",
    "secret/b.md": "---\nid: kqzmvtrc\n---\nOther.\n", "secret/c.md": "No id, three words.\n",
    "secret/att.txt": "Attached.\n", "open.md": "# Open\n[a](secret/att.txt)\n",
  ]

  private func box(_ filter: (clean: String, smudge: String)) throws -> WritingBox {
    let box = try WritingBox(Self.files)
    try box.folder.git("config", "filter.turn.clean", filter.clean)
    try box.folder.git("config", "filter.turn.smudge", filter.smudge)
    try box.folder.git("config", "filter.turn.required", "true")
    try box.folder.git("add", "--renormalize", ".")
    try box.folder.git("commit", "-q", "-m", "Filter")
    return box
  }

  private static let turn = (clean: "tr a-zA-Z n-za-mN-ZA-M", smudge: "tr a-zA-Z n-za-mN-ZA-M")
  /// A binary form, as of a cipher.
  private static let packed = (clean: "gzip -nc", smudge: "gzip -dc")

  private func sh(_ box: WritingBox, _ script: String) throws {
    let result = try run("sh", ["-ec", script], in: box.folder.path)
    try #require(result.status == 0, "\(result.errors)")
  }

  /// The paths that a commit or a sync takes.
  private func taken(_ box: WritingBox) throws -> [String] {
    try OutsideChanges(in: try box.snapshot()).paths { _ in true }.map { String(decoding: $0, as: UTF8.self) }
      .sorted()
  }

  struct End: Sendable, CustomTestStringConvertible {
    let script: String
    var isPacked = false
    var testDescription: String { "\(script)\(isPacked ? " packed" : "")" }
  }

  static let ends: [End] = [
    End(script: "sed -i s,secret/,secrets/, .gitattributes; git commit -qm Tidy .gitattributes"),
    End(script: "git rm -q .gitattributes; git commit -qm Tidy"),
    End(
      script: "sed -i s,secret/,secrets/, .gitattributes; git commit -qm Tidy .gitattributes", isPacked: true),
    End(
      script: "git rm -q .gitattributes; git commit -qm Tidy; git commit -q --allow-empty -m x",
      isPacked: true),
    End(script: "echo 'secret/** -filter' >.git/info/attributes", isPacked: true),
  ]

  @Test(arguments: ends) func aNoteStaysOutOfPlainHistoryWhenItsFilterEnds(example: End) throws {
    let box = try box(example.isPacked ? Self.packed : Self.turn)
    try sh(box, example.script)
    let head = try box.head()
    try sh(
      box, "echo more >>secret/b.md; echo more >>secret/c.md; echo more >>secret/att.txt; echo x >>open.md")
    #expect(try taken(box) == ["open.md"])
    #expect(box.listener.messages.contains { $0.contains("is no longer encrypted by") })
    let refusal = #expect(throws: SlipboxError.self) { try box.append("secret/a.md", "more") }
    #expect(refusal?.kind == .configuration)
    #expect(refusal?.message.description.contains("slip commit secret/a.md") == true)
    #expect(throws: SlipboxError.self) { try box.append("secret/b.md", "more") }
    #expect(try box.head() == head)
    // A person names them.
    try sh(box, "git add secret/b.md secret/att.txt")
    #expect(try taken(box) == ["open.md", "secret/att.txt", "secret/b.md"])
    try box.append("secret/b.md", "more")
    #expect(try box.folder.git("show", "HEAD:secret/b.md").contains("Other."))
    #expect(try box.commit("secret/a.md").isCommitted)
    try box.append("secret/a.md", "more")
    #expect(try box.folder.git("show", "HEAD:secret/a.md").contains("Hidden."))
  }

  struct Move: Sendable, CustomTestStringConvertible {
    let script: String
    /// The paths that a commit takes.
    var taken: [String] = []
    /// A path that a person may name.
    var named: String?
    var testDescription: String { script }
  }

  static let moves: [Move] = [
    Move(script: "mkdir p; mv secret/a.md p/", named: "p/a.md"),
    Move(script: "mkdir p; mv secret/*.md p/", named: "p/a.md"),
    Move(script: "mv secret/a.md x.md; echo more >>x.md", named: "x.md"),
    Move(script: "mv secret/c.md x.md", named: "x.md"),
    Move(script: "cp secret/a.md copy.md", named: "copy.md"),
    Move(script: "cp secret/c.md copy.md", named: "copy.md"),
    Move(script: "cp secret/a.md copy.md; echo more >>copy.md", named: "copy.md"),
    Move(script: "mv secret/a.md secret/x.md", taken: ["secret/a.md", "secret/x.md"]),
    Move(script: "cp secret/a.md copy.md; git add copy.md", taken: ["copy.md"]),
    Move(script: "mkdir x; mv secret/att.txt x/; sed -i s,secret/,x/, open.md", taken: ["open.md"]),
    Move(script: "cp secret/att.txt y.txt; echo '[b](y.txt)' >>open.md", taken: ["open.md"]),
    Move(
      script:
        "cp secret/a.md a.sync-conflict-20261201-101010-ABCDEFG.md; cp secret/a.md copy.md; git rm -q secret/a.md; git commit -qm Deleted"
    ),
    Move(script: "printf -- '---\\nid: kqzmvtrz\\n---\\nnew\\n' >new.md", taken: ["new.md"]),
  ]

  @Test(arguments: moves) func textThatLeavesTheFolderWaitsForAPerson(example: Move) throws {
    let box = try box(Self.turn)
    try sh(box, example.script)
    #expect(try taken(box) == example.taken)
    guard let named = example.named else { return }
    let head = try box.head()
    let refusal = #expect(throws: SlipboxError.self) { try box.append(named, "more") }
    #expect(refusal?.message.description.contains("would be readable in the history") == true)
    #expect(try box.head() == head)
    #expect(try box.commit(named).isCommitted)
  }

  /// An edited copy is known by its id.
  @Test(arguments: ["cp secret/a.md copy.md", "mv secret/a.md copy.md"])
  func aDraftOfExposedTextIsNotCommitted(script: String) throws {
    let box = try box(Self.turn)
    try sh(box, "\(script); echo more >>copy.md")
    let saved = try box.snapshot().box
    let path = Array("copy.md".utf8)
    let operation = SavedOperation(
      command: "edit", subject: "Edit: Copy", reason: nil,
      changes: [FileChange(path: path, before: nil, after: try saved.bytes(at: path))], committed: [nil],
      isResetByGit: false)
    _ = try operation.keep(in: saved.savedFolder)
    try box.append("open.md", "text")
    #expect(box.listener.messages.contains { $0.contains("would be readable in the history") })
    #expect(try box.folder.git("log", "--format=%s", "--", "copy.md") == "")
    // A person names the file.
    #expect(try box.commit("copy.md").isCommitted)
    #expect(try box.folder.git("show", "HEAD:copy.md").hasSuffix("more\n"))
    try box.append("open.md", "again")
    #expect(SavedOperation.files(in: saved.savedFolder).isEmpty)
  }

  @Test func anEditOfACopyIsNotCommitted() throws {
    let box = try box(Self.turn)
    try sh(box, "cp secret/a.md copy.md")
    let head = try box.head()
    let snapshot = try box.snapshot()
    let writer = BoxWriter(snapshot.box, context(in: box.folder.path), after: snapshot)
    let entry = try #require(try snapshot.catalogue().entry(path: Array("copy.md".utf8)))
    let editing = EditNotes(snapshot, writer)
    let sessions = try editing.begin([entry])
    try sh(box, "echo more >>copy.md")
    #expect(throws: SlipboxError.self) { try editing.finish(sessions) }
    #expect(try box.head() == head)
  }

  @Test func textLeavesTheFolderAfterAConfirmationAlone() throws {
    let box = try box(Self.turn)
    let snapshot = try box.snapshot()
    let entry = try #require(try snapshot.catalogue().entry(path: Array("secret/a.md".utf8)))
    var plan = try MoveNotes(in: snapshot).plan([entry], to: Array("a.md".utf8))
    let head = try box.head()
    let writer = BoxWriter(snapshot.box, context(in: box.folder.path), after: snapshot)
    let refusal = #expect(throws: SlipboxError.self) { try writer.record(plan) }
    #expect(refusal?.message.description.contains("would leave an encrypted folder") == true)
    #expect(try box.head() == head)
    plan.isExposureConfirmed = true
    _ = try writer.record(plan)
    #expect(try box.folder.git("show", "HEAD:a.md").contains("Hidden."))
  }

  @Test func wordsOfALockedNoteLeaveTheCache() throws {
    let box = try box(Self.packed)
    try box.append("secret/a.md", "#zebratag")
    try box.append("open.md", "plain")
    #expect(try box.titles().count == 4)
    let words = { (word: String) in
      try run("sh", ["-c", "cat .git/slipbox/catalogue* | grep -ac \(word)"], in: box.folder.path).output
    }
    #expect(try words("zebratag") != "0\n")
    try sh(
      box,
      "git cat-file blob HEAD:secret/a.md >secret/a.md; git config --remove-section filter.turn"
    )
    _ = try box.titles()
    #expect(try words("zebratag") == "0\n")
  }

  private func objects(_ box: WritingBox) throws -> Set<Substring> {
    Set(try box.folder.git("cat-file", "--batch-all-objects", "--batch-check").split(separator: "\n"))
  }

  @Test func aCopyOfAnEncryptedNoteGoesWithoutACommit() throws {
    let box = try box(Self.turn)
    try sh(
      box,
      "cp secret/b.md 'b 2.md'; mv 'b 2.md' secret/; sed -i 's,secret/\\*\\*,secret/?.md,' .gitattributes; git commit -qam One"
    )
    let (head, known) = (try box.head(), try objects(box))
    let snapshot = try box.snapshot()
    let healing = try Healer(snapshot, context(in: box.folder.path)).damage(of: [])
    #expect(healing.certain.count == 1)
    try box.record { _ in healing.plan(healing.certain) }
    #expect(!box.exists("secret/b 2.md"))
    #expect(try box.head() == head)
    #expect(try objects(box) == known)
  }
}
