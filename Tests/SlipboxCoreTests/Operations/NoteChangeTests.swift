import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

@Suite struct NoteChangeTests {
  private func version(_ path: String, _ text: String) -> NoteVersion {
    NoteVersion(path: Array(path.utf8), bytes: Array(text.utf8), blob: ObjectID(ofBlob: Array(text.utf8)))
  }

  /// A change as the lines of its trailers, blobs left out.
  private func told(_ changes: [NoteChange]) throws -> [String] {
    let author = Signature(name: "Ada", email: "", seconds: 0, offsetMinutes: 0)
    let operation = Operation(
      id: OperationID(NoteID(number: 1), NoteID(number: 2)), command: "x", device: "x", author: author,
      subject: "x", changes: changes)
    return OperationTrailers.message(of: operation).split(separator: "\n").compactMap {
      guard $0.hasPrefix("Slip-Change: ") else { return nil }
      let line = $0.dropFirst("Slip-Change: ".count)
      return line.contains(" body ")
        ? line.split(separator: " ").prefix(2).joined(separator: " ") : String(line)
    }
  }

  private let bread = "---\nid: kqzmvtrp\ntitle: Bread\ntags: [a]\n---\nFlour.\n"

  @Test func tellsFieldsAndBody() throws {
    let new = "---\nid: kqzmvtrp\ntags: [a, b]\nrating:\nlist: \"\"\n---\nWater.\n"
    #expect(
      try told([#require(.between(version("a.md", bread), version("a.md", new)))]) == [
        #"kqzmvtrp title "Bread" null"#, #"kqzmvtrp tags ["a"] ["a","b"]"#, "kqzmvtrp rating null ~",
        #"kqzmvtrp list null """#, "kqzmvtrp body",
      ])
  }

  @Test func tellsMakingAndDeleting() throws {
    let made = try #require(NoteChange.between(nil, version("a.md", bread)))
    #expect(
      try told([made]) == [
        #"kqzmvtrp path null "a.md""#, #"kqzmvtrp id null "kqzmvtrp""#, #"kqzmvtrp title null "Bread""#,
        #"kqzmvtrp tags null ["a"]"#,
      ])
    #expect(made.pathBefore == nil && made.pathAfter == Array("a.md".utf8))
    #expect(NoteChange.between(version("a.md", bread), nil) == made.inverse)
  }

  @Test func anEditBackIsTheInverse() {
    let (one, two) = (
      version("a.md", bread), version("b.md", "---\nid: kqzmvtrp\ntitle: Rye\ntags: [a]\nx: 1\n---\n")
    )
    let change = NoteChange.between(one, two)
    #expect(change != nil && NoteChange.between(two, one) == change?.inverse)
  }

  @Test func aCopyIsAnotherFileThanTheMovedNote() {
    let edited = bread + "Water.\n"
    let pairs = NoteMatching.pairs([
      (old: version("z.md", bread), new: nil), (old: nil, new: version("a.md", edited)),
      (old: nil, new: version("b.md", bread)),
    ])
    #expect(pairs.first { $0.old != nil }?.new?.path == Array("b.md".utf8))
    let named = NoteMatching.pairs([
      (old: version("x/n.md", bread), new: nil), (old: nil, new: version("a.md", edited)),
      (old: nil, new: version("y/n.md", bread + "Salt.\n")),
    ])
    #expect(named.first { $0.old != nil }?.new?.path == Array("y/n.md".utf8))
  }

  @Test func aNoteWithoutAnIDGoesByItsPath() {
    let moved = NoteChange.between(version("a.md", "x\n"), version("b.md", "x\n"))
    #expect(
      moved
        == NoteChange(
          note: .path(Array("b.md".utf8)), file: .moved(from: Array("a.md".utf8), to: Array("b.md".utf8))))
    #expect(moved?.inverse.note == .path(Array("a.md".utf8)))
  }

  @Test(arguments: [
    ("---\na: 1\n---\n", "---\n# why\na: 1\n---\n"), ("---\na: 1\n---\n", "---\r\na: 1\r\n---\r\n"),
    ("---\na: 1\nb: 2\n---\nx\n", "---\nb: 2\na: 1\n---\nx\n"),
  ])
  func aChangeOfLayoutIsOneOfTheText(_ old: String, _ new: String) throws {
    let change = try #require(NoteChange.between(version("a.md", old), version("a.md", new)))
    #expect(change.fields.isEmpty && change.body != nil)
  }

  @Test func composedAndDecomposedNamesAreTwoFields() throws {
    let change = try #require(
      NoteChange.between(version("a.md", "---\né: 1\n---\n"), version("a.md", "---\ne\u{301}: 1\n---\n")))
    #expect(change.fields.count == 2)
  }

  @Test func anotherFileHasNoFields() throws {
    let change = try #require(
      NoteChange.between(nil, version(".slipbox/kinds/x.yaml", "---\nname: x\n---\n")))
    #expect(change.fields.isEmpty && change.file == .made(Array(".slipbox/kinds/x.yaml".utf8)))
  }

  @Test func nothingChangedIsNoChange() {
    #expect(NoteChange.between(version("a.md", bread), version("a.md", bread)) == nil)
    #expect(NoteChange.between(nil, nil) == nil)
  }

  private func between(_ old: [String: String], _ new: [String: String]) throws -> [String] {
    let paths = Set(old.keys).union(new.keys).sorted()
    let files = paths.map { path in
      (old[path].map { version(path, $0) }, new[path].map { version(path, $0) })
    }
    return try told(NoteChange.between(files))
  }

  @Test func aNoteMovesByItsID() throws {
    let edited = "---\nid: kqzmvtrp\ntitle: Bread\ntags: [b]\n---\nFlour.\n"
    #expect(
      try between(["a.md": bread, "b.md": "x\n"], ["b.md": "x\n", "c.md": edited]) == [
        #"kqzmvtrp path "a.md" "c.md""#, #"kqzmvtrp tags ["a"] ["b"]"#,
      ])
  }

  @Test func aNoteWithoutAnIDMovesByItsBytes() throws {
    #expect(
      try between(["a.md": "x\n", "b.md": "y\n"], ["c.md": "y\n", "d.md": "z\n"]) == [
        #""a.md" path "a.md" null"#, #""c.md" path "b.md" "c.md""#, #""d.md" path null "d.md""#,
      ])
  }

  @Test func aShortNoteMovesThoughItsFrontMatterIsNew() throws {
    let renamed = "---\naliases: [Bread]\nmodified: 2026-11-28T09:30\n---\nFlour and water.\n"
    #expect(
      try between(["Bread.md": "Flour and water.\n"], ["Rye.md": renamed]).first
        == #""Rye.md" path "Bread.md" "Rye.md""#)
  }

  @Test func aNoteInAHiddenFolderIsDeleted() throws {
    #expect(
      try between(["a.md": "Flour.\n"], [".trash/a.md": "Flour.\n"]) == [
        #"".trash/a.md" path null ".trash/a.md""#, #""a.md" path "a.md" null"#,
      ])
  }

  @Test func aListedMoveIsOneNoteWhateverItsTextIs() {
    let files = [
      (version("a.md", "One.\n"), version("a.md", "Another note.\n")), (nil, version("b.md", "Two.\n")),
    ]
    let pairs = NoteMatching.pairs(files, moves: [Array("a.md".utf8): Array("b.md".utf8)])
    let names = pairs.map { pair in
      [pair.old, pair.new].map { $0.map { String(decoding: $0.path, as: UTF8.self) } ?? "-" }
    }
    #expect(names == [["-", "a.md"], ["a.md", "b.md"]])
  }

  @Test func emptyFilesAreNotOneNote() throws {
    #expect(
      try between(["a.md": ""], ["b.md": ""]) == [#""a.md" path "a.md" null"#, #""b.md" path null "b.md""#])
  }

  @Test func twoNotesMayChangePlaces() throws {
    let other = "---\nid: szrfxztk\n---\n"
    #expect(
      try between(["a.md": bread, "b.md": other], ["a.md": other, "b.md": bread]) == [
        #"szrfxztk path "b.md" "a.md""#, #"kqzmvtrp path "a.md" "b.md""#,
      ])
  }

  @Test func aNewIDInPlaceIsAFieldChange() throws {
    #expect(
      try between(["a.md": "---\nid: kqzmvtrp\n---\n"], ["a.md": "---\nid: szrfxztk\n---\n"]) == [
        #"szrfxztk id "kqzmvtrp" "szrfxztk""#
      ])
    #expect(
      try between(["a.md": "x\n"], ["a.md": "---\nid: szrfxztk\n---\nx\n"]) == [
        #"szrfxztk id null "szrfxztk""#
      ])
  }

  @Test func notesWithOneIDGoByTheirPaths() throws {
    #expect(
      try between(["a.md": bread, "b.md": bread], ["a.md": bread + "x", "b.md": bread + "y"]) == [
        #""a.md" body"#, #""b.md" body"#,
      ])
  }
}
