import Foreign
import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// What an import makes of a box, and a second one of the same source.
@Suite struct ImportTests {
  private let folder: TemporaryFolder
  private let source: TemporaryFolder
  private let box: BoxInTest

  init() throws {
    folder = try TemporaryFolder()
    source = try TemporaryFolder()
    box = try makeBox(in: folder)
  }

  private func request(
    _ text: String, _ format: ForeignFormat, name: String = "x",
    _ change: (inout ImportRequest) -> Void = { _ in }
  ) throws -> ImportRequest {
    var request = ImportRequest()
    let contents = try #require(format.read(Array(text.utf8), name: name, clock: standingClock))
    request.files = [.init(name: name, contents: contents, format: format)]
    change(&request)
    return request
  }

  @discardableResult
  private func bring(_ request: ImportRequest) throws -> ImportResult {
    let result = try ImportNotes(in: box.now).result(request, box.context)
    _ = try box.record(result.plan)
    return result
  }

  @discardableResult
  private func bringFolder(_ change: (inout ImportRequest) -> Void = { _ in }) throws -> ImportResult {
    var request = ImportRequest()
    request.folders = [try ImportFolder(at: source.bytes, name: "vault")]
    request.place = Array("vault".utf8)
    change(&request)
    return try bring(request)
  }

  private func text(of title: String) throws -> String {
    let note = try NoteLookup(in: box.now).entry(title, fuzzy: false).note
    return String(
      decoding: try #require(folder.read(String(decoding: note.path, as: UTF8.self))), as: UTF8.self)
  }

  private func edit(_ title: String, _ change: (String) -> String) throws {
    let note = try NoteLookup(in: box.now).entry(title, fuzzy: false).note
    let text = change(String(decoding: try note.text.bytes, as: UTF8.self))
    try folder.write(String(decoding: note.path, as: UTF8.self), text)
    _ = try box.commitAsFound([note.path])
  }

  private static func task(_ title: String, _ fields: String = "") -> String {
    "{\"uuid\":\"u-\(title)\",\"description\":\"\(title)\",\"entry\":\"20261120T093000Z\",\"status\":\"pending\"\(fields)}\n"
  }

  @Test func theSameAgainChangesNothing() throws {
    let tasks = Self.task("One", ",\"project\":\"P\"") + Self.task("Two", ",\"depends\":[\"u-One\"]")
    let first = try bring(try request(tasks, .taskwarrior))
    #expect(first.made.count == 3)
    #expect(first.failures.isEmpty)
    let one = try NoteLookup(in: box.now).entry("One", fuzzy: false).note
    #expect(try text(of: "Two").contains("depends: [\(one.id?.description ?? "-")]"))
    let again = try bring(try request(tasks, .taskwarrior))
    #expect(again.unchanged == 2 && again.made.isEmpty && again.changed.isEmpty)
  }

  /// Two devices that import the same make the same files.
  @Test func idsFollowFromTheSource() throws {
    let other = try TemporaryFolder()
    let second = try makeBox(in: other)
    let tasks = Self.task("One", ",\"project\":\"P\"") + Self.task("Two")
    let made = try bring(try request(tasks, .taskwarrior)).made.map(\.note)
    let result = try ImportNotes(in: second.now).result(try request(tasks, .taskwarrior), second.context)
    #expect(result.made.map(\.note.path) == made.map(\.path))
    #expect(result.made.map(\.note.head) == made.map(\.head))
  }

  @Test func whatChangedInTheSourceChangesFieldByField() throws {
    try bring(try request(Self.task("One", ",\"priority\":\"L\",\"due\":\"20261201T000000Z\""), .taskwarrior))
    try edit("One") {
      $0.replacingOccurrences(of: "priority: low", with: "priority: medium") + "My own words.\n"
    }
    let changed = Self.task("One", ",\"priority\":\"L\",\"due\":\"20261205T000000Z\",\"tags\":[\"new\"]")
    let result = try bring(try request(changed, .taskwarrior))
    #expect(result.changed.count == 1 && result.kept.isEmpty)
    let text = try text(of: "One")
    for line in ["priority: medium", "due: 2026-12-05", "tags: [new]", "My own words."] {
      #expect(text.contains(line))
    }
    // What was merged is not undone by the next import of the same.
    let again = try bring(try request(changed, .taskwarrior))
    #expect(again.changed.isEmpty && again.unchanged == 1)
    #expect(try self.text(of: "One") == text)
    // A field that the source takes away goes.
    let less = try bring(try request(Self.task("One", ",\"priority\":\"L\""), .taskwarrior))
    #expect(less.changed.count == 1)
    let rest = try self.text(of: "One")
    #expect(!rest.contains("due:") && rest.contains("priority: medium") && rest.contains("My own words."))
  }

  @Test func whatBothChangedStaysAndIsSaid() throws {
    try bring(try request(Self.task("One", ",\"priority\":\"L\""), .taskwarrior))
    try edit("One") { $0.replacingOccurrences(of: "priority: low", with: "priority: medium") }
    let result = try bring(
      try request(Self.task("One", ",\"priority\":\"H\",\"tags\":[\"new\"]"), .taskwarrior))
    #expect(result.kept.map(\.parts) == [["priority"]])
    let text = try text(of: "One")
    #expect(text.contains("priority: medium") && text.contains("tags: [new]") && !text.contains("conflicts"))
  }

  @Test func whatWasDeletedStaysSoButWithAgain() throws {
    let tasks = Self.task("One") + Self.task("Two")
    try bring(try request(tasks, .taskwarrior))
    let note = try NoteLookup(in: box.now).entry("One", fuzzy: false).note
    try FileManager.default.removeItem(atPath: folder.path + "/" + String(decoding: note.path, as: UTF8.self))
    _ = try box.commitAsFound([note.path])
    let result = try bring(try request(tasks, .taskwarrior))
    #expect(result.deleted.map(\.note.title) == ["One"] && result.made.isEmpty && result.unchanged == 1)
    let again = try bring(try request(tasks, .taskwarrior) { $0.takesDeleted = true })
    #expect(again.made.map(\.note.title) == ["One"])
  }

  /// A note that has another name now is found by its id, and its last import by its former name.
  @Test func aNoteThatMovedIsFound() throws {
    try bring(try request(Self.task("One", ",\"priority\":\"L\""), .taskwarrior))
    let note = try NoteLookup(in: box.now).entry("One", fuzzy: false).note
    let moved = Array("elsewhere/one.md".utf8)
    try folder.write("elsewhere/one.md", String(decoding: try note.text.bytes, as: UTF8.self))
    try FileManager.default.removeItem(atPath: folder.path + "/" + String(decoding: note.path, as: UTF8.self))
    _ = try box.commitAsFound([note.path, moved])
    let result = try bring(try request(Self.task("One", ",\"priority\":\"H\""), .taskwarrior))
    #expect(result.changed.map(\.note.path) == [moved])
    #expect(try text(of: "One").contains("priority: high"))
  }

  @Test func aRecordThatBreaksItsKindIsNamedAndTheRestMade() throws {
    let table =
      "title,kind,rating,author,status,started\nA,book,9,X,,\nB,book,3,X,,\nC,book,3,,,\n"
      + "D,book,,X,on-shelf,2026-01-01\n,book,,X,,\n"
    let result = try bring(try request(table, .csv, name: "x.csv"))
    #expect(result.made.map(\.note.title) == ["B"])
    #expect(
      result.failures.map { "\($0.place.shown) \($0.message)" } == [
        "x.csv:2 rating: 9 is not a whole number from 1 to 5",
        "x.csv:4 author: missing, and kind book requires it",
        "x.csv:5 started: 2026-01-01 is not allowed while status is on-shelf",
        "x.csv:6 neither a title nor a text",
      ])
  }

  @Test func aReferenceToWhatFailedIsLeftOut() throws {
    let tasks =
      Self.task("One", ",\"due\":\"soon\"") + Self.task("Two", ",\"depends\":[\"u-One\",\"u-Three\"]")
      + Self.task("Three")
    let result = try bring(try request(tasks, .taskwarrior, name: "t.json"))
    #expect(result.made.count == 2 && result.failures.count == 1)
    let three = try NoteLookup(in: box.now).entry("Three", fuzzy: false).note.id?.description ?? "-"
    #expect(try text(of: "Two").contains("depends: [\(three)]"))
    #expect(
      result.remarks == [
        "t.json: line 2 refers to notes that are neither in the file nor in the box; skipped"
      ])
  }

  @Test func changesHoldForEverything() throws {
    let result = try bring(
      try request("title,when\nA,1\nB,2\n", .csv) {
        $0.changes = ["+imported", "kind:task", "due:2026-12-01"].compactMap { Change($0) }
      })
    #expect(result.made.count == 2)
    let text = try text(of: "A")
    for line in ["kind: task", "tags: [imported]", "due: 2026-12-01", "when: 1"] {
      #expect(text.contains(line))
    }
    #expect(try box.now.catalogue().entries.count { $0.kind == "task" } == 2)
  }

  /// The next import without the CHANGEs of the first one takes none of them back.
  @Test func changesOfAnEarlierImportStay() throws {
    let typed = ["+imported", "my-day:today"]
    try bring(
      try request(Self.task("One", ",\"tags\":[\"a\"]"), .taskwarrior) {
        $0.changes = typed.compactMap { Change($0) }
        $0.typedChanges = typed
      })
    let again = try bring(try request(Self.task("One", ",\"tags\":[\"a\"]"), .taskwarrior))
    #expect(again.changed.isEmpty && again.unchanged == 1)
    let changed = try bring(try request(Self.task("One", ",\"tags\":[\"b\"]"), .taskwarrior))
    #expect(changed.changed.count == 1)
    let text = try text(of: "One")
    for line in ["tags: [b, imported]", "my-day: 2026-11-21"] { #expect(text.contains(line), "\(text)") }
  }

  @Test func tablesHaveListsDatesAndReferences() throws {
    let table = "title,kind,aliases,due,group\nHome,group,,,\nA,task,\"p, q\",2026/12/01,home\n"
    let result = try bring(try request(table, .csv))
    #expect(result.failures.map(\.message) == [])
    let group = try NoteLookup(in: box.now).entry("Home", fuzzy: false).note.id?.description ?? "-"
    let text = try text(of: "A")
    for line in ["aliases: [p, q]", "due: 2026-12-01", "group: \(group)"] { #expect(text.contains(line)) }
  }

  @Test func filesComeByteByByte() throws {
    let files = [
      "a b.md": "\u{FEFF}---\r\ntitle:  x  # mine\r\n---\r\n[[Ž]] ![](pics/a%20b.png)",
      "toml.md": "+++\ntitle = 'x'\n+++\n",
      "Ž.md": "no end", "sub/c.markdown": "---\n: [broken\n---\n", ".hidden/d.md": "x",
      "node_modules/e.md": "x",
      "pics/a b.png": "\u{0}\u{1}", "pics/unused.png": "x", "other.txt": "x",
    ]
    for (name, text) in files { try source.write(name, text) }
    try FileManager.default.createSymbolicLink(
      atPath: source.path + "/link.md", withDestinationPath: source.path + "/toml.md")
    let result = try bringFolder()
    #expect(result.made.count == 4 && result.attachments == 1 && result.undated == 4)
    for name in ["a b.md", "toml.md", "Ž.md", "sub/c.markdown", "pics/a b.png"] {
      #expect(folder.read("vault/" + name) == source.read(name), "\(name)")
    }
    for name in ["pics/unused.png", "node_modules/e.md", "link.md"] {
      #expect(folder.read("vault/" + name) == nil)
    }
    #expect(
      result.remarks == [
        "not imported: 2 files that no note links to", "not imported, hidden: .hidden",
        "not imported, symbolic links: link.md",
      ])
    #expect(try bringFolder().unchanged == 4)
  }

  @Test func aFolderAgainBringsWhatChanged() throws {
    try source.write("a.md", "---\ntitle: A\nstatus: new\n---\nOne.\n\nTwo.\n\nThree.\n")
    try source.write("b.md", "B\n")
    try bringFolder()
    try folder.write("vault/a.md", "---\ntitle: A\nstatus: mine\n---\nOne.\n\nTwo.\n\nThree, mine.\n")
    try folder.write("vault/foreign.md", "Made here.\n")
    _ = try box.commitAsFound([Array("vault/a.md".utf8), Array("vault/foreign.md".utf8)])
    try source.write("a.md", "---\ntitle: A\nstatus: theirs\n---\nOne, theirs.\n\nTwo.\n\nThree.\n")
    try source.write("c.md", "C\n")
    try source.write("foreign.md", "Made there.\n")
    let result = try bringFolder()
    #expect(result.made.map(\.note.title) == ["c"] && result.unchanged == 1)
    #expect(Set(result.kept.map { $0.item.note.path.count }) == [10, 16])
    #expect(result.kept.map(\.parts) == [["status"], []])
    let merged = String(decoding: try #require(folder.read("vault/a.md")), as: UTF8.self)
    #expect(merged == "---\ntitle: A\nstatus: mine\n---\nOne, theirs.\n\nTwo.\n\nThree, mine.\n")
    #expect(folder.read("vault/foreign.md") == Array("Made here.\n".utf8))
  }

  @Test func datesOfFilesAreWrittenWhereAsked() throws {
    try source.write("a.md", "A\n")
    try source.write("2020-01-02 b.md", "B\n")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: source.path + "/a.md")
    try bringFolder()
    let result = try bringFolder { $0.writesDates = true }
    #expect(result.changed.count == 1 && result.unchanged == 1)
    #expect(folder.read("vault/a.md") == Array("---\ncreated: 2023-11-14T23:13:20+01:00\n---\nA\n".utf8))
  }

  @Test func aFolderInTheBoxIsRefused() throws {
    try folder.write("sub/a.md", "A\n")
    var request = ImportRequest()
    request.folders = [try ImportFolder(at: Array((folder.path + "/sub").utf8), name: "sub")]
    #expect(throws: SlipboxError.self) { try ImportNotes(in: box.now).result(request, box.context) }
  }

  @Test func aNoteOfTheBoxIsKnownByItsID() throws {
    try folder.write("here.md", "---\nid: kqzmvtrp\ntitle: Here\n---\nA\n")
    _ = try box.commitAsFound([Array("here.md".utf8)])
    try source.write("there.md", "---\nid: kqzmvtrp\ntitle: Here\n---\nA\n")
    let result = try bringFolder()
    #expect(result.unchanged == 1 && result.made.isEmpty)
  }

  /// A folder with links out of it, and a note that names files through them.
  private func writeLinks() throws -> TemporaryFolder {
    let secret = try TemporaryFolder()
    try secret.write("id", "KEY\n")
    let links =
      "[a](x/id) [b](y) [c](.h/k) [d](\(secret.path)/id) [e](in/p) [f](kept) [g](../none) [h](../up.txt)"
    try source.write("v/note.md", "---\ntitle: N\n---\n\(links)\n")
    try source.write("v/.h/k", "H\n")
    try source.write("v/in/p", "P\n")
    try source.write("up.txt", "U\n")
    for (name, target) in [("x", secret.path), ("y", secret.path + "/id"), ("kept", "in/p")] {
      try FileManager.default.createSymbolicLink(
        atPath: source.path + "/v/" + name, withDestinationPath: target)
    }
    return secret
  }

  @Test(arguments: [true, false]) func `imports no file through a link out of the source`(alone: Bool) throws
  {
    let secret = try writeLinks()
    var request = ImportRequest()
    let note = source.bytes + Array("/v/note.md".utf8)
    let vault = source.bytes + Array("/v".utf8)
    request.folders = [
      alone ? try ImportFolder(file: note, name: "note.md") : try ImportFolder(at: vault, name: "vault")
    ]
    request.place = Array("in".utf8)
    let result = try bring(request)
    let tracked = try folder.git("ls-files", "in").split(separator: "\n").sorted()
    #expect(tracked == (alone ? ["in/in/p", "in/kept", "in/note.md"] : ["in/in/p", "in/note.md"]))
    let failures = Dictionary(
      result.failures.map { ($0.place.file, $0.message) }, uniquingKeysWith: { first, _ in first })
    let leaves: Phrase = "not imported: a symbolic link points out of its folder"
    #expect(failures["x/id"] == leaves)
    #expect(failures["y"] == leaves)
    #expect(failures[".h/k"] == "not imported: it is hidden")
    #expect(failures["../up.txt"] == "not imported: it is outside the imported folder")
    #expect(failures.count == 4)
    withExtendedLifetime(secret) {}
  }

  @Test func `reads no file through a link that is made after the walk`() throws {
    let secret = try TemporaryFolder()
    try secret.write("pic.png", "KEY\n")
    try source.write("img/pic.png", "P\n")
    try source.write("note.md", "![](img/pic.png)\n")
    var request = ImportRequest()
    request.folders = [try ImportFolder(at: source.bytes, name: "vault")]
    try FileManager.default.removeItem(atPath: source.path + "/img")
    try FileManager.default.createSymbolicLink(atPath: source.path + "/img", withDestinationPath: secret.path)
    let result = try bring(request)
    #expect(result.attachments == 0)
    #expect(result.failures.map(\.message) == ["not imported: a symbolic link points out of its folder"])
  }
}
