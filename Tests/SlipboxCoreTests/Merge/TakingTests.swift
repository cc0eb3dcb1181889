import Foundation
import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Takes the commits of a clone into a box, on disk.
@Suite struct TakingTests {
  static let note = "---\nid: kqzmvtrp\nstatus: open\ntags: [a]\n---\none\ntwo\nthree\n"

  /// A box and a clone of it.
  func pair(_ files: [String: String] = ["a.md": note]) throws -> (
    own: WritingBox, other: TemporaryFolder
  ) {
    let box = try WritingBox(files)
    let other = try TemporaryFolder()
    try other.git("init", "-q", "-b", "main")
    try other.git("pull", "-q", box.folder.path, "main")
    return (box, other)
  }

  func change(_ folder: TemporaryFolder, _ path: String, _ text: String?) throws {
    if let text { try folder.write(path, text) } else { try folder.git("rm", "-q", path) }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "There")
  }

  func take(
    _ pair: (own: WritingBox, other: TemporaryFolder), allowsLosses: Bool = false
  ) throws -> TakenCommits {
    try pair.own.folder.git("fetch", "-q", pair.other.path, "main:refs/remotes/there/main")
    let id = try #require(ObjectID(hex: pair.own.folder.git("rev-parse", "there/main").utf8.prefix(40)))
    let context = context(in: pair.own.folder.path, pair.own.listener)
    let snapshot = try BoxOpening.snapshot(named: pair.own.folder.bytes, context)
    return try BoxWriter(snapshot.box, context, after: snapshot)
      .take(id, named: "there/main", allowsLosses: allowsLosses)
  }

  func text(_ box: WritingBox, _ path: String) -> String? {
    box.folder.read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func whereNothingWasMadeHereTheBranchMovesForward() throws {
    let pair = try pair()
    try change(pair.other, "a.md", "changed\n")
    try change(pair.other, "sub/b.md", "new\n")
    let taken = try take(pair)
    #expect(taken.way == .forward && taken.changes.count == 2 && taken.conflicts.isEmpty)
    #expect(text(pair.own, "a.md") == "changed\n" && text(pair.own, "sub/b.md") == "new\n")
    #expect(try pair.own.status() == [])
    #expect(try pair.own.folder.git("rev-parse", "HEAD") == pair.other.git("rev-parse", "HEAD"))
    #expect(try take(pair).way == .nothing)
  }

  @Test func bothChangesAreMergedAndTheOtherSideComesToTheSame() throws {
    let pair = try pair()
    try pair.own.set("a.md", "status", "closed")
    try change(
      pair.other, "a.md", Self.note.replacing("tags: [a]", with: "tags: [a, b]").replacing("two", with: "2"))
    try change(pair.other, "new.md", "new\n")
    let taken = try take(pair)
    #expect(taken.way == .merged && taken.conflicts.isEmpty)
    #expect(text(pair.own, "a.md")?.contains("status: closed\ntags: [a, b]\n---\none\n2\nthree\n") ?? false)
    #expect(try pair.own.status() == [])
    #expect(try pair.own.folder.git("rev-list", "--parents", "-1", "HEAD").split(separator: " ").count == 3)
    #expect(try pair.own.subjects().first == "Merge there/main")
    _ = try pair.own.folder.git("fsck", "--strict")
    // The other one has only to move forward.
    try pair.other.git("pull", "-q", "--ff-only", pair.own.folder.path, "main")
    #expect(pair.other.read("a.md") == pair.own.folder.read("a.md"))
  }

  @Test func whatBothSetIsKeptAndTheNoteIsInConflict() throws {
    let pair = try pair()
    try pair.own.set("a.md", "status", "closed")
    try change(pair.other, "a.md", Self.note.replacing("status: open", with: "status: stuck"))
    let taken = try take(pair)
    #expect(taken.conflicts == [MergeConflict(path: Array("a.md".utf8), kind: .parts(["status"]))])
    let words = try #require(text(pair.own, "a.md"))
    #expect(words.contains("closed") && words.contains("stuck") && words.contains("conflicts:"))
    try pair.own.set("a.md", "status", "open")
    #expect(text(pair.own, "a.md")?.contains("conflicts") == false)
  }

  @Test func whatIsDeletedThereAndChangedHereStays() throws {
    let pair = try pair()
    try pair.own.set("a.md", "status", "closed")
    try change(pair.other, "a.md", nil)
    let taken = try take(pair)
    #expect(taken.conflicts == [MergeConflict(path: Array("a.md".utf8), kind: .deleted)])
    #expect(text(pair.own, "a.md")?.contains("note: deleted") ?? false)
    #expect(try pair.own.status() == [])
  }

  @Test(arguments: [false, true])
  func `a note stays deleted if the other side changed only the time of its last change`(deletesHere: Bool)
    throws
  {
    let note = Self.note.replacing("tags: [a]", with: "tags: [a]\nmodified: 2026-01-01")
    for (changed, stays) in [
      (note.replacing("2026-01-01", with: "2026-03-01T10:00:00Z"), false),
      (
        note.replacing("modified: 2026-01-01", with: "modified: 2026-01-01\nLast Modified: 2026-03-01"), false
      ),
      (note.replacing("modified: 2026-01-01\n", with: ""), false),
      (note.replacing("2026-01-01", with: "2026-03-01 # by hand").replacing("open", with: "closed"), true),
      (note.replacing("2026-01-01", with: "2026-03-01\n# a comment"), true),
      (note.replacing("2026-01-01\n---\none", with: "2026-03-01\n---\n1"), true),
    ] {
      let pair = try pair(["a.md": note])
      try change(deletesHere ? pair.other : pair.own.folder, "a.md", changed)
      try change(deletesHere ? pair.own.folder : pair.other, "a.md", nil)
      #expect(try take(pair).conflicts.isEmpty == !stays)
      #expect((text(pair.own, "a.md") != nil) == stays)
    }
  }

  @Test func `a kept note has the time of its last change, not of the merge`() throws {
    for deletesHere in [false, true] {
      let pair = try pair()
      let changed = Self.note.replacing("two", with: "2")
      try change(deletesHere ? pair.other : pair.own.folder, "a.md", changed)
      try change(deletesHere ? pair.own.folder : pair.other, "a.md", nil)
      #expect(try take(pair).conflicts.map(\.kind) == [.deleted])
      let store = RepositoryMergeStore(try pair.own.snapshot().box)
      let origins = ChangeOrigins(store)
      let tip = try #require(ObjectID(hex: pair.own.folder.git("rev-parse", "HEAD").utf8.prefix(40)))
      let parents = try store.commit(tip).parents
      let path = Array("a.md".utf8)
      let change = try #require(try parents.first { try store.file(path, at: $0) != nil })
      #expect(try origins.stamp(of: .content, at: path, in: tip)?.commit == change.hex)
    }
  }

  @Test func aFileThatIsMovedThereAndChangedHereIsBoth() throws {
    let pair = try pair()
    try pair.own.set("a.md", "status", "closed")
    try pair.other.git("mv", "a.md", "b.md")
    try change(pair.other, "c.md", "c\n")
    #expect(try take(pair).conflicts.isEmpty)
    #expect(text(pair.own, "a.md") == nil && text(pair.own, "b.md")?.contains("closed") ?? false)
    #expect(try pair.own.status() == [])
  }

  @Test func twoNotesOfOnePathAreBothKept() throws {
    let pair = try pair()
    try pair.own.write(["daily.md": "---\nid: bbbbbbbb\n---\nmine\n"])
    try change(pair.other, "daily.md", "---\nid: cccccccc\n---\ntheirs\n")
    _ = try take(pair)
    let files = try pair.own.folder.git("ls-files", "daily*").split(separator: "\n")
    #expect(files.count == 2)
    let texts = files.compactMap { text(pair.own, String($0)) }.joined()
    #expect(texts.contains("mine") && texts.contains("theirs"))
    #expect(try pair.own.status() == [])
  }

  @Test func whatIsNotCommittedIsLeftAlone() throws {
    let pair = try pair()
    try change(pair.other, "a.md", "changed\n")
    try pair.own.folder.write("a.md", "mine\n")
    #expect(throws: SlipboxError.self) { try take(pair) }
    #expect(text(pair.own, "a.md") == "mine\n")
    try pair.own.folder.write("a.md", Self.note)
    try change(pair.other, "d.md", "d\n")
    try pair.own.folder.write("d.md", "in the way\n")
    #expect(throws: SlipboxError.self) { try take(pair) }
    #expect(text(pair.own, "d.md") == "in the way\n" && text(pair.own, "a.md") == Self.note)
  }

  @Test func aLossOfMostNotesIsRefused() throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<10).map { ("n\($0).md", "note \($0)\n") })
    let pair = try pair(files)
    for number in 0..<8 { try pair.other.git("rm", "-q", "n\(number).md") }
    try pair.other.git("commit", "-q", "-m", "Away")
    let error = #expect(throws: SlipboxError.self) { try take(pair) }
    #expect(error?.message.description.contains("8 of 10 notes") ?? false)
    #expect(text(pair.own, "n0.md") != nil)
    #expect(try take(pair, allowsLosses: true).way == .forward)
    #expect(text(pair.own, "n0.md") == nil && text(pair.own, "n9.md") != nil)
    #expect(try pair.own.status() == [])
  }

  @Test func boxesWithoutACommonCommitAreJoinedOnlyWhenAllowed() throws {
    let box = try WritingBox(["a.md": Self.note])
    let other = try TemporaryFolder()
    try other.git("init", "-q", "-b", "main")
    try change(other, "b.md", "b\n")
    #expect(throws: SlipboxError.self) { try take((box, other)) }
    #expect(try take((box, other), allowsLosses: true).way == .merged)
    #expect(text(box, "a.md") == Self.note && text(box, "b.md") == "b\n")
    #expect(try box.status() == [])
  }

  @Test func textsOfGitsAndSettingsMergeToo() throws {
    let kind = "comment: a recipe\nfields:\n  cook: {type: text}\n"
    let pair = try pair([
      "a.md": Self.note, ".slipbox/kinds/recipe.yaml": kind, "x.txt": "1\n2\n3\n", "y.bin": "a",
    ])
    try pair.own.write([
      ".slipbox/kinds/recipe.yaml": kind + "sort: cook\n", "x.txt": "one\n2\n3\n", "y.bin": "mine",
    ])
    try change(pair.other, "x.txt", "1\n2\nthree\n")
    try change(pair.other, "y.bin", "theirs")
    try change(
      pair.other, ".slipbox/kinds/recipe.yaml", kind.replacing("a recipe", with: "something to cook"))
    let taken = try take(pair)
    #expect(taken.conflicts.map(\.path) == [Array("y.bin".utf8)])
    if case .apart(let path)? = taken.conflicts.first?.kind {
      #expect(pair.own.exists(String(decoding: path, as: UTF8.self)))
    } else {
      Issue.record("the other file is not named")
    }
    #expect(
      text(pair.own, ".slipbox/kinds/recipe.yaml")
        == "comment: something to cook\nfields:\n  cook: {type: text}\nsort: cook\n")
    #expect(text(pair.own, "x.txt") == "one\n2\nthree\n")
    let binaries = try pair.own.folder.git("ls-files", "y*").split(separator: "\n")
    #expect(Set(binaries.compactMap { text(pair.own, String($0)) }) == ["mine", "theirs"])
    #expect(try pair.own.status() == [])
  }
}
