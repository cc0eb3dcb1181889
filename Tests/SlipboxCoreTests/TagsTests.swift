import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Tags over a whole box: counted, renamed, merged, dropped.
@Suite struct TagsTests {
  /// A box that holds these files, committed.
  private func box(_ files: [String: String], in folder: TemporaryFolder, _ listener: Listener = Listener())
    throws -> BoxInTest
  {
    _ = try makeBox(in: folder)
    for (name, text) in files { try folder.write(name, text) }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "--allow-empty", "-m", "notes")
    return try BoxInTest(at: folder.bytes, context(in: folder.path, listener))
  }

  private func text(_ name: String, in folder: TemporaryFolder) -> String? {
    folder.read(name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func areCountedByActiveAndAllWithoutCase() throws {
    let folder = try TemporaryFolder()
    let box = try box(
      [
        "a.md": "---\nkind: issue\nstatus: closed\ntags: [Work, Żaba]\n---\n",
        "b.md": "---\nkind: issue\nstatus: open\ntags: [work, zebra]\n---\n#work again\n",
        "c.md": "#WORK #apple/pie\n", "d.md": "---\ntags: work/clients, apple/core\n---\n",
      ], in: folder)
    _ = try box.record(ChangeTags(in: box.now).declare(["someday", "WORK"]))
    let rows = try BoxTags(of: try box.now).counts().map {
      "\($0.name) \($0.active) \($0.all) \($0.isDeclared)"
    }
    #expect(
      rows == [
        "apple/core 1 1 false", "apple/pie 1 1 false", "someday 0 0 true", "work 3 4 true",
        "work/clients 1 1 false", "Żaba 0 1 false", "zebra 1 1 false",
      ])
    let tree = try BoxTags(of: try box.now).branches().map {
      "\($0.label) \($0.tag.active) \($0.tag.all) \($0.children.map(\.label))"
    }
    #expect(
      tree == [
        "apple 2 2 [\"core\", \"pie\"]", "someday 0 0 []", "work 3 4 [\"clients\"]", "Żaba 0 1 []",
        "zebra 1 1 []",
      ])
    let entry = try NoteLookup(in: box.now).entry("d.md", fuzzy: false)
    let missing = try BoxTags(of: try box.now).missing(in: entry).map(\.name)
    #expect(missing == ["apple/pie", "someday", "Żaba", "zebra"])
  }

  @Test(arguments: [
    ("---\ntags: [a, work, b]  # mine\n---\n", "---\ntags: [a, job, b]  # mine\n---\n"),
    (
      "---\ntags:\n  - \"work\"\n  - 'x'   # why\n  - work/clients\n---\n",
      "---\ntags:\n  - \"job\"\n  - 'x'   # why\n  - job/clients\n---\n"
    ),
    ("---\ntags: [work, job]\n---\n", "---\ntags: [job]\n---\n"),
    ("---\ntags: [Work, job, work, 'Job']\n---\n", "---\ntags: [job, 'Job']\n---\n"),
    ("---\ntags: work, b ,job\n---\n", "---\ntags: b ,job\n---\n"),
    ("---\ntags: a,  work , b\n---\n", "---\ntags: a,  job , b\n---\n"),
    ("---\ntags: a work b\n---\n", "---\ntags: a job b\n---\n"),
    ("---\nkeywords: work\n---\n", "---\nkeywords: job\n---\n"),
    ("---\ntags: ['#work', '[[work|w]]']\n---\n", "---\ntags: ['#job']\n---\n"),
    (
      "---\r\ntags: [work]\r\n---\r\nOn #work/x, (#Work) and #workshop.\r\n",
      "---\r\ntags: [job]\r\n---\r\nOn #job/x, (#job) and #workshop.\r\n"
    ),
    ("No end: #work", "No end: #job"),
    (
      "#work in `#work` and <!-- #work --> and\n```\n#work\n```\n",
      "#job in `#work` and <!-- #work --> and\n```\n#work\n```\n"
    ),
    ("\u{FEFF}---\ntags: [work]\n---\n", "\u{FEFF}---\ntags: [job]\n---\n"),
    ("---\ntags: [homework, work-life]\n---\n#works\n", "---\ntags: [homework, work-life]\n---\n#works\n"),
  ])
  func renamingIsByteExact(_ before: String, _ after: String) throws {
    let note = Note(path: Array("a.md".utf8), text: NoteText(Array(before.utf8)))
    let text = try TagChange(["work"], to: "job").applied(to: note)
    #expect(String(decoding: text.bytes, as: UTF8.self) == after)
    #expect(!Note(path: note.path, text: text).tags.contains { $0.lowercased() == "work" })
  }

  @Test(arguments: [
    ("---\ntags: [a, work, b]\n---\nSo #work/x is #a.\n", "---\ntags: [a, b]\n---\nSo work/x is #a.\n"),
    ("---\ntitle: T\ntags: [work, work/clients]\n---\n", "---\ntitle: T\n---\n"),
    ("---\ntags: work, b c\n---\n", "---\ntags: [b c]\n---\n"),
    ("---\ntags: [work]\nkeywords: [work, x]\n---\n", "---\nkeywords: [x]\n---\n"),
  ])
  func droppingIsByteExact(_ before: String, _ after: String) throws {
    let note = Note(path: Array("a.md".utf8), text: NoteText(Array(before.utf8)))
    let text = try TagChange(["work"], to: nil).applied(to: note)
    #expect(String(decoding: text.bytes, as: UTF8.self) == after)
  }

  @Test(arguments: [
    ("---\ntags: work\n---\n", "---\ntags: [deep work]\n---\n"),
    ("---\ntags: a work\n---\n", "---\ntags: [a, deep work]\n---\n"),
    ("---\ntags: a, work\n---\n", "---\ntags: a, deep work\n---\n"),
    ("---\nkeywords: work\n---\n", "---\nkeywords: deep work\n---\n"),
    ("---\ntags: [work]\n---\n", "---\ntags: [deep work]\n---\n"),
  ])
  func aNameWithABlankStaysOneTag(_ before: String, _ after: String) throws {
    let note = Note(path: Array("a.md".utf8), text: NoteText(Array(before.utf8)))
    let text = try TagChange(["work"], to: "deep work").applied(to: note)
    #expect(String(decoding: text.bytes, as: UTF8.self) == after)
  }

  @Test(arguments: ["deep work", "2026", "c++"]) func aTagInTheTextHasToStayOne(_ name: String) {
    let note = Note(path: Array("a.md".utf8), text: NoteText(Array("Text\n\nOn #work.\n".utf8)))
    let error = #expect(throws: SlipboxError.self) { _ = try TagChange(["work"], to: name).applied(to: note) }
    #expect(error?.kind == .badData)
    #expect(error?.message.description.contains("line 3: #work") == true)
  }

  @Test func manyTagsInOneNoteChangeTogether() throws {
    let tags = (0..<3_000).map { "work/t\($0)" }
    let list = "---\ntags: [\(tags.joined(separator: ", "))]\n---\n" + tags.map { "#\($0)\n" }.joined()
    let note = Note(path: Array("a.md".utf8), text: NoteText(Array(list.utf8)))
    let text = try TagChange(["work"], to: "job").applied(to: note)
    #expect(
      String(decoding: text.bytes, as: UTF8.self) == list.replacingOccurrences(of: "work/", with: "job/"))
  }

  @Test func theDeepestSourceGoesFirst() {
    let change = TagChange(["work", "Work/Clients"], to: "job")
    #expect(change.result("work/clients") == .renamed("job"))
    #expect(change.result("WORK/x/y") == .renamed("job/x/y"))
    #expect(change.result("workshop") == .kept)
    #expect(change.result("job") == .kept)
  }

  @Test func manyNotesAreOneCommitThatARevertTakesBack() throws {
    let folder = try TemporaryFolder()
    var files: [String: String] = [:]
    for number in 0..<200 {
      files["n\(number).md"] =
        number % 2 == 0
        ? "---\ntags: [x, work/clients]\n---\nOn #work.\n" : "---\ntitle: N\(number)\n---\n#Work\n"
    }
    files["other.md"] = "---\ntags: [x]\n---\n"
    let box = try box(files, in: folder)
    let head = try folder.git("rev-parse", "HEAD")
    let work = try ChangeTags(in: box.now).rename("work", to: "job")
    #expect(work.entries.count == 200)
    _ = try box.record(work.plan)
    #expect(
      try folder.git("rev-list", "--count", "\(head.trimmingCharacters(in: .whitespacesAndNewlines))..HEAD")
        == "1\n")
    #expect(try folder.git("log", "-1", "--format=%s") == "Rename tag work to job: 200 notes\n")
    #expect(try folder.git("status", "--porcelain") == "")
    #expect(text("n0.md", in: folder) == "---\ntags: [x, job/clients]\n---\nOn #job.\n")
    #expect(text("n1.md", in: folder) == "---\ntitle: N1\n---\n#job\n")
    #expect(
      try BoxTags(of: try box.now).counts().map { "\($0.name) \($0.all)" } == [
        "job 200", "job/clients 100", "x 101",
      ])
    try folder.git("revert", "--no-edit", "HEAD")
    #expect(
      try folder.git("diff", "--stat", head.trimmingCharacters(in: .whitespacesAndNewlines), "HEAD") == "")
  }

  @Test func aNoteThatCanNotBeRewrittenRefusesTheWhole() throws {
    let folder = try TemporaryFolder()
    let box = try box(
      [
        "a.md": "---\ntags: [work]\n---\n", "b.md": "---\ntags: [work]\ntitle: \"x\n---\n",
        "c.md": "+++\ntags = [\"work\"]\n+++\n", "d.md": "---\ntitle: [\n---\nOnly in the text: #work\n",
      ], in: folder)
    let broken = try box.now.catalogue().entries.filter {
      !$0.note.frontMatter.isWritable && $0.note.frontMatterTags.contains("work")
    }
    let error = #expect(throws: SlipboxError.self) {
      _ = try box.record(ChangeTags(in: box.now).rename("work", to: "job").plan)
    }
    #expect(error?.kind == .badData)
    for entry in broken {
      let name = String(decoding: entry.note.path, as: UTF8.self)
      #expect(
        ([error?.message ?? ""] + (error?.hints ?? [])).contains { $0.description.contains(name) }, "\(name)")
    }
    #expect(!broken.isEmpty)
    #expect(text("a.md", in: folder) == "---\ntags: [work]\n---\n")
    #expect(try folder.git("status", "--porcelain") == "")
  }

  @Test func declaredTagsFollow() throws {
    let folder = try TemporaryFolder()
    let box = try box([:], in: folder)
    _ = try box.record(ChangeTags(in: box.now).declare(["work", "Work/Clients", "x", "#X"]))
    #expect(text(".slipbox/config.yaml", in: folder)?.hasSuffix("\ntags: [work, Work/Clients, x]\n") == true)
    #expect(try box.record(ChangeTags(in: box.now).declare(["X"])).outcome == .unchanged)
    _ = try box.record(ChangeTags(in: box.now).rename("work", to: "job").plan)
    #expect(try BoxTags(of: try box.now).declared() == ["job", "job/Clients", "x"])
    _ = try box.record(ChangeTags(in: box.now).merge(["job"], into: "x").plan)
    #expect(try BoxTags(of: try box.now).declared() == ["x/Clients", "x"])
    _ = try box.record(ChangeTags(in: box.now).drop(["x"]).plan)
    #expect(text(".slipbox/config.yaml", in: folder).map { Array($0.utf8) } == Settings.newFile)
    #expect(try folder.git("status", "--porcelain") == "")
  }

  @Test func refusals() throws {
    let folder = try TemporaryFolder()
    let box = try box(
      ["a.md": "---\ntags: [work/clients, job, house]\n---\n", "b.md": "#job/clients\n"], in: folder)
    func kind(_ body: () throws -> TagWork) -> SlipboxError? {
      do { _ = try body() } catch { return error as? SlipboxError }
      return nil
    }
    #expect(kind { try ChangeTags(in: box.now).rename("wrok", to: "x") }?.hints == ["did you mean: work"])
    #expect(kind { try ChangeTags(in: box.now).rename("wrok", to: "x") }?.kind == .notFound)
    #expect(
      kind { try ChangeTags(in: box.now).rename("house", to: "Job") }?.hints == ["slip tags merge house Job"])
    #expect(kind { try ChangeTags(in: box.now).rename("work", to: "job") }?.kind == .badData)
    #expect(kind { try ChangeTags(in: box.now).rename("work", to: "work/old") }?.kind == .badData)
    #expect(kind { try ChangeTags(in: box.now).merge(["job"], into: "JOB") }?.kind == .usage)
    for name in ["", "a,b", "a//b", "/a", "a/", "a\nb", "[[a]]", "##a"] {
      #expect(kind { try ChangeTags(in: box.now).rename("house", to: name) }?.kind == .badData, "\(name)")
    }
    #expect(kind { try ChangeTags(in: box.now).rename("house", to: "House") } == nil)
    #expect(kind { try ChangeTags(in: box.now).merge(["work/clients"], into: "work") } == nil)
    #expect(try ChangeTags(in: box.now).merge(["work"], into: "job").moves.map(\.new) == ["job/clients"])
  }

  @Test func oldTagsAreKnownWithoutALookAtTheNotes() throws {
    let folder = try TemporaryFolder()
    let box = try box(["a.md": "---\ntags: [Work/Clients]\n---\n", "b.md": "#żaba\n"], in: folder)
    func known(_ tags: [String]) throws -> [Bool] {
      let kept = try #require(try BoxInTest(at: folder.bytes, context(in: folder.path)).now.keptCatalogue())
      return tags.map { kept.mayKnow(tag: $0) }
    }
    _ = try box.now.catalogue()
    #expect(try known(["work/clients", "WORK", "Żaba"]) == [true, true, true])
    #expect(try known(["clients", "house"]) == [false, false])
    // A commit is kept in the log, and from there goes into the next snapshot.
    let note = try #require(try box.now.catalogue().entry(path: Array("b.md".utf8)))
    _ = try box.record(ChangeNotes(in: box.now).plan([note], [.addTag("house")]))
    #expect(try known(["house", "żaba", "clients"]) == [true, true, false])
    try BoxInTest(at: folder.bytes, context(in: folder.path)).foldCatalogue()
    #expect(try known(["house", "żaba", "clients"]) == [true, true, false])
  }

  @Test(arguments: [
    ("clients", nil), ("Work/Clients", nil), ("work/client", "work/clients"), ("coooking", "cooking"),
    ("café", "cafe"), ("2025", nil), ("2026", nil), ("sprint-13", nil), ("work", nil), ("cook", nil),
    ("project/b", nil),
    ("xyz", nil), ("", nil),
  ])
  func nearDuplicates(_ tag: String, _ near: String?) {
    let names = ["2024", "cafe", "cooking", "project/a", "sprint-12", "work", "work/clients"]
    #expect(BoxTags.nearDuplicate(of: tag, in: names) == near)
  }
}
