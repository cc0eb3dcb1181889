import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Single cases in which what is kept could mislead.
@Suite struct FreshnessCasesTests {
  private func paths(_ folder: TemporaryFolder) throws -> [String] {
    let box = try BoxInTest(at: folder.bytes, context(in: folder.path))
    return try box.now.catalogue().entries.map { String(decoding: $0.note.path, as: UTF8.self) }.sorted()
  }

  private func fold(_ folder: TemporaryFolder) throws {
    try BoxInTest(at: folder.bytes, context(in: folder.path)).foldCatalogue()
  }

  /// A box with one note whose catalogue is kept.
  private func folder(ignoring rules: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try makeBox(in: folder)
    try folder.write("a.md", "# A\n")
    if let rules { try folder.write(".gitignore", rules) }
    _ = try paths(folder)
    return folder
  }

  /// Long enough for times to be relied on.
  private func wait() { usleep(120_000) }

  @Test func datesAreKeptWithTheCommitThatTheyFollowFrom() throws {
    let folder = try folder()
    try folder.git("add", "a.md")
    try folder.git("commit", "-q", "-m", "A", "--date", "2020-01-02T03:04:05Z")
    func created() throws -> Timestamp? {
      let box = try BoxInTest(at: folder.bytes, context(in: folder.path))
      return try box.now.catalogue().entry(path: Array("a.md".utf8))?.created
    }
    // A command that has looked at history goes on after another one has changed it.
    let early = try BoxInTest(at: folder.bytes, context(in: folder.path))
    #expect(try early.now.catalogue().entries.first?.created == Timestamp(rfc3339: "2020-01-02T03:04:05Z"))
    try folder.git("rm", "-q", "--cached", "a.md")
    try folder.git("commit", "-q", "-m", "Not tracked")
    try early.foldCatalogue()
    let kept = try created()
    try FileManager.default.removeItem(atPath: folder.path + "/.git/slipbox")
    #expect(try kept == created())
  }

  @Test func anIgnoredFileThatMayHaveChangedIsNoNote() throws {
    let folder = try folder(ignoring: "b.md\n")
    wait()
    try folder.write("b.md", "# B\n")
    try fold(folder)
    #expect(try paths(folder) == ["a.md"])
  }

  @Test func anIgnoredFileOfTheLogIsNoNoteInTheNextSnapshot() throws {
    let folder = try folder(ignoring: "b.md\n")
    wait()
    try folder.write("b.md", "# B\n")
    wait()
    #expect(try paths(folder) == ["a.md"])
    #expect(try paths(folder) == ["a.md"])
    try fold(folder)
    #expect(try paths(folder) == ["a.md"])
  }

  @Test func anIgnoredFileIsNoNoteByALinkEither() throws {
    let folder = try folder(ignoring: "b.md\n")
    wait()
    try folder.write("b.md", "# B\n")
    symlink("b.md", folder.path + "/c.md")
    wait()
    for _ in 0..<3 { #expect(try paths(folder) == ["a.md"]) }
    try fold(folder)
    #expect(try paths(folder) == ["a.md"])
  }

  /// What `--watch`, the page and an editor see: git stops tracking an ignored note, and tracks it again.
  @Test(arguments: [true, false]) func `shows an ignored note again once git tracks it`(isKept: Bool) throws {
    let folder = try folder(ignoring: "b.md\n")
    try folder.write("b.md", "# B\n")
    try folder.git("add", "-f", "b.md")
    if isKept {
      wait()
      try fold(folder)
    }
    let context = context(in: folder.path)
    let reader = WorkTreeReader(try Box(at: folder.bytes), context)
    var snapshot = try reader.snapshot()
    func refreshed() throws -> [String] {
      var changes = WatchedChanges()
      changes.isGitNew = true
      snapshot = try reader.snapshot(after: snapshot, changes)
      return try snapshot.catalogue().entries.map { String(decoding: $0.note.path, as: UTF8.self) }.sorted()
    }
    #expect(try snapshot.catalogue().entries.count == 2)
    for _ in 0..<2 {
      try folder.git("rm", "-q", "--cached", "b.md")
      #expect(try refreshed() == ["a.md"])
      try folder.git("add", "-f", "b.md")
      #expect(try refreshed() == ["a.md", "b.md"])
    }
  }

  @Test func newRulesCountInASnapshotThatIsPutTogether() throws {
    let folder = try folder()
    try folder.write("b.md", "# B\n")
    #expect(try paths(folder) == ["a.md", "b.md"])
    wait()
    try folder.write(".gitignore", "b.md\n")
    wait()
    try fold(folder)
    #expect(try paths(folder) == ["a.md"])
  }

  @Test func aFileThatCouldNotBeReadIsNotWhatItWas() throws {
    let folder = try folder()
    wait()
    truncate(folder.path + "/a.md", NoteReader.sizeLimit + 1)
    wait()
    try fold(folder)
    #expect(try paths(folder) == [])
    let box = try BoxInTest(at: folder.bytes, context(in: folder.path))
    #expect(try box.now.unreadableNotes().map(\.path) == [Array("a.md".utf8)])
    truncate(folder.path + "/a.md", 3)
    #expect(try paths(folder) == ["a.md"])
  }

  /// What is no text in a body says nothing of the front-matter, whose words count once: by a snapshot, and beside it.
  @Test(arguments: [[0], [0xFF, 0xFE]] as [[UInt8]])
  func wordsCountAlikeAboveABodyThatIsNoText(bytes: [UInt8]) throws {
    let folder = try folder()
    try folder.write("b.md", Array("---\ntitle: Alpha\n---\nThe body of it.\n".utf8) + bytes)
    let kept = try scores(folder, of: "alpha")
    for name in ["catalogue", "catalogue.log"] { unlink(folder.path + "/.git/slipbox/" + name) }
    let anew = try scores(folder, of: "alpha")
    #expect(kept == anew && anew.count == 1)
    #expect(try scores(folder, of: "alpha") == anew)
  }

  private func scores(_ folder: TemporaryFolder, of word: String) throws -> [Double] {
    let box = try BoxInTest(at: folder.bytes, context(in: folder.path))
    return try box.now.search(try box.now.query([word])).map(\.score)
  }

  /// A command was killed after it had put a new snapshot in its place, and before the log.
  @Test(arguments: [true, false])
  func aSnapshotWithoutItsLogGetsOne(hasOldLog: Bool) throws {
    let folder = try folder()
    let old = try #require(folder.read(".git/slipbox/catalogue.log"))
    try fold(folder)
    unlink(folder.path + "/.git/slipbox/catalogue.log")
    if hasOldLog { try folder.write(".git/slipbox/catalogue.log", old) }
    try folder.write("b.md", "# B\n")
    #expect(try paths(folder) == ["a.md", "b.md"])
    let box = try BoxInTest(at: folder.bytes, context(in: folder.path))
    let kept = try #require(KeptCatalogue(of: box.box))
    #expect(kept.recent.keys.contains(Array("b.md".utf8)))
    #expect(CatalogueCache(box.box).keptSnapshot()?.generation == kept.snapshot.generation)
  }

  @Test func cachesOfEarlierVersionsGo() throws {
    let folder = try folder()
    for name in ["path-times", "path-history"] { try folder.write(".git/slipbox/\(name)", "old") }
    try fold(folder)
    #expect(folder.read(".git/slipbox/path-times") == nil)
    #expect(folder.read(".git/slipbox/path-history") == nil)
  }
}
