import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// One note, or two, with what the doctor says of them.
struct DoctorCase: CustomTestStringConvertible, Sendable {
  let name: String
  let files: KeyValuePairs<String, String>
  /// `path:line: message`, and what would be done.
  let findings: [String]
  /// What is left after `--fix`.
  let left: Int
  /// A file after `--fix`.
  let after: (path: String, text: String)?

  init(
    _ name: String, _ files: KeyValuePairs<String, String>, _ findings: [String], left: Int,
    after: (String, String)? = nil
  ) {
    self.name = name
    self.files = files
    self.findings = findings
    self.left = left
    self.after = after
  }

  var testDescription: String { name }

  static let all: [DoctorCase] = [
    DoctorCase("a sound note", ["a.md": "---\ntitle: A\ntags: [x]\n---\nText\n"], [], left: 0),
    DoctorCase("an adopted note without an id", ["a.md": "# A\n"], [], left: 0),
    DoctorCase("TOML", ["a.md": "+++\ntitle = \"A\"\n+++\n"], [], left: 0),
    DoctorCase(
      "broken YAML", ["a.md": "---\ntitle: A\ntags: [x\n---\n"],
      ["a.md:4:1: *", "by hand: slip edit a.md"], left: 1),
    DoctorCase(
      "a choice misspelt", ["a.md": "---\nkind: issue\nstatus:  closd # so\n---\n"],
      ["a.md:3: status: closd is not one of its values: open, closed", "--fix sets status to closed"],
      left: 0,
      after: ("a.md", "---\nkind: issue\nstatus:  closed # so\n---\n")),
    DoctorCase(
      "a date in another form", ["a.md": "---\nkind: task\ndue: 21 Nov 2026\n---\n"],
      ["a.md:3: due: 21 Nov 2026 is not a date (YYYY-MM-DD)", "--fix sets due to 2026-11-21"], left: 0,
      after: ("a.md", "---\nkind: task\ndue: 2026-11-21\n---\n")),
    DoctorCase(
      "a number out of range", ["a.md": "---\nkind: book\ntitle: A\nauthor: B\nrating: 9\n---\n"],
      ["a.md:5: rating: 9 is not a whole number from 1 to 5", "by hand: slip set a.md rating:VALUE"], left: 1),
    DoctorCase(
      "a required field missing", ["a.md": "---\nkind: book\ntitle: A\n---\n"],
      ["a.md: author: missing, and kind book requires it", "by hand: slip set a.md author:VALUE"], left: 1),
    DoctorCase(
      "dates out of order",
      [
        "a.md":
          "---\nkind: book\ntitle: A\nauthor: B\nstatus: in-progress\nadded: 2026-03-02\nstarted: 2026-03-01\n---\n"
      ],
      ["a.md:7: started: 2026-03-01 is before added 2026-03-02", "by hand: added <= started <= completed"],
      left: 1),
    DoctorCase(
      "a task in a group that is gone", ["a.md": "---\nkind: task\ngroup: bcdfghjk\n---\n"],
      ["a.md:3: group: there is no group bcdfghjk", "--fix=references removes group"], left: 1),
    DoctorCase(
      "a task with the beginning of a group's id",
      ["a.md": "---\nkind: task\ngroup: bcdf\n---\n", "g.md": "---\nid: bcdfghjk\nkind: group\n---\n"],
      ["a.md:3: group: there is no group bcdf", "--fix=references removes group"], left: 1),
    DoctorCase(
      "a task with its group's title",
      [
        "a.md": "---\nkind: task\ngroup: \"[[Home]]\"\n---\n", "g.md": "---\ntitle: home\nkind: group\n---\n",
      ], [],
      left: 0),
    DoctorCase(
      "two notes with one id",
      [
        "a.md": "---\nid: bcdfghjk\ncreated: 2026-03-02\n---\n",
        "b.md": "---\nid: bcdfghjk\ncreated: 2026-03-01\n---\n",
      ],
      ["a.md:2: the id bcdfghjk is also the id of b.md, which keeps it", "--fix gives this one a new id"],
      left: 0,
      after: ("b.md", "---\nid: bcdfghjk\ncreated: 2026-03-01\n---\n")),
    DoctorCase(
      "two notes with one id and one date",
      [
        "a.md": "---\nid: bcdfghjk\ncreated: 2026-03-01\n---\n",
        "b.md": "---\nid: bcdfghjk\ncreated: 2026-03-01\n---\n",
      ],
      ["b.md:2: the id bcdfghjk is also the id of a.md, which keeps it", "--fix gives this one a new id"],
      left: 0),
    DoctorCase(
      "two notes with one id of which one is no text",
      [
        "a.md": "---\nid: bcdfghjk\ncreated: 2026-03-01\n---\n",
        "b.md": "---\nid: bcdfghjk\ncreated: 2026-03-02\n---\nx\u{0}\n",
      ],
      [
        "b.md:2: the id bcdfghjk is also the id of a.md, which keeps it", "--fix gives this one a new id",
        "b.md:5:2: *", "by hand: slip edit bcdfghjk",
      ],
      left: 1),
    DoctorCase(
      "markers that don't pair", ["a.md": "One\n<<<<<<< HEAD\nTwo\n"],
      [
        "a.md:2: a conflict marker of an unfinished merge",
        "by hand: the versions can't be merged; remove the markers: slip edit a.md",
      ], left: 1),
    DoctorCase(
      "an unfinished merge", ["a.md": "One\n<<<<<<< HEAD\nTwo\n=======\nThree\n>>>>>>> other\n"],
      [
        "a.md:2: a conflict marker of an unfinished merge",
        "by hand: slip heal keeps both versions as a conflict, or resolve it: slip edit a.md",
      ],
      left: 1),
    DoctorCase("markers spoken of", ["a.md": "```\n<<<<<<< HEAD\n```\nx <<<<<<< y\n<<<<<<<\n"], [], left: 0),
    DoctorCase(
      "a date in the future",
      ["a.md": "---\ncreated: 2026-11-22\n---\n", "b.md": "---\ncreated: 2026-11-21\n---\n"],
      [
        "a.md:2: created 2026-11-22T00:00:00+00:00 is in the future", "by hand: slip set a.md created:DATE",
      ], left: 1),
    DoctorCase(
      "names that differ in case", ["x/Note.md": "1\n", "x/note.md": "2\n"],
      ["x/note.md: differs from x/Note.md only in case *", "by hand: rename one of them"], left: 1),
    DoctorCase(
      "folders that differ in composition", ["\u{E9}/n.md": "1\n", "e\u{301}/n.md": "2\n"],
      ["\u{E9}: differs from e\u{301} only in case *", "by hand: rename one of them"], left: 1),
    DoctorCase(
      "a copy by a sync program",
      [
        "a.md": "---\nid: bcdfghjk\n---\n1\n",
        "a.sync-conflict-20261121-093000-ABCDEFG.md": "---\nid: bcdfghjk\n---\n2\n",
      ],
      [
        "a.sync-conflict-20261121-093000-ABCDEFG.md: a conflicted copy made by a sync program, a.md",
        "by hand: slip heal merges it with a.md",
      ], left: 1),
    DoctorCase(
      "copies of other sync programs",
      [
        "a.md": "1\n", "a (Anna's conflicted copy 2026-01-02).md": "2\n",
        "b (conflicted copy 2026-01-02 101112).md": "2\n", "c.md": "---\nid: bcdfghjk\n---\n1\n",
        "c 2.md": "---\nid: bcdfghjk\n---\n2\n", "d.md": "1\n", "d.md.orig": "0\n",
      ],
      [
        "a (Anna's conflicted copy 2026-01-02).md: a conflicted copy made by a sync program, a.md",
        "by hand: slip heal merges it with a.md",
        "b (conflicted copy 2026-01-02 101112).md: a conflicted copy made by a sync program*; the original, b.md, does not exist",
        "by hand: rename it to b.md, or delete it",
        "c 2.md: a conflicted copy made by a sync program, c.md", "by hand: slip heal merges it with c.md",
        "d.md.orig: a conflicted copy made by a sync program, d.md",
        "by hand: copy what you need *",
      ], left: 4),
    DoctorCase(
      "notes that are no copies",
      [
        "a.md": "---\nid: bcdfghjk\n---\n", "a 2.md": "---\nid: kjhgfdcb\n---\n", "b 2.md": "x\n",
        "c.orig": "x\n",
      ],
      [], left: 0),
    DoctorCase(
      "a copy that holds nothing of its own",
      ["a.md": "---\nid: bcdfghjk\n---\n1\n", "a (1).md": "---\nid: bcdfghjk\n---\n1\n"],
      [
        "a (1).md: a conflicted copy made by a sync program, identical to a.md",
        "--fix deletes it",
      ], left: 0, after: ("a.md", "---\nid: bcdfghjk\n---\n1\n")),
    DoctorCase(
      "attachments that nobody refers to",
      [
        "a.md": "![[one.png]] <img src=\"two.PNG\"> [x](files/three.pdf)\n",
        "b.md": "---\ncover: four.jpg\n---\n", "one.png": "1", "two.PNG": "2", "files/three.pdf": "3",
        "four.jpg": "4", "five.gif": "5", "six seven.zip": "6", "code.c": "7",
      ],
      [
        "five.gif: no note links to it, embeds it or mentions it", "by hand: link to it, or rm five.gif",
        "six seven.zip: no note links to it, embeds it or mentions it",
        "by hand: link to it, or rm \"six seven.zip\"",
      ], left: 2),
    DoctorCase(
      "tasks that depend on one another",
      [
        "a.md": "---\ntitle: A\nkind: task\nid: bbbbbbbb\ncreated: 2026-11-02\ndepends: [cccccccc]\n---\n",
        "b.md": "---\ntitle: B\nkind: task\nid: cccccccc\ncreated: 2026-11-01\ndepends: [bbbbbbbb]\n---\n",
      ],
      [
        "a.md:6: depends on itself: A, which depends on B, which depends on A",
        "by hand: remove one of them: slip set bbbbbbbb depends:-cccccccc",
      ], left: 1),
    DoctorCase(
      "a file left over", ["a.md": "One\n", ".slip-0123456789abcdef.tmp": "One\n"],
      [
        ".slip-0123456789abcdef.tmp: a temporary file of an interrupted change",
        "--fix deletes it: its content is in git",
      ], left: 0),
    DoctorCase(
      "a file left over that only it holds", ["a.md": "One\n", ".slip-0123456789abcdef.tmp": "Two\n"],
      [".slip-0123456789abcdef.tmp: a temporary file *", "by hand: check it, then delete it"], left: 1),
    DoctorCase(
      "a declaration with a mistake", [".slipbox/kinds/trip.yaml": "fields:\n  stage: choise\n"],
      [
        ".slipbox/kinds/trip.yaml:2: *",
        "by hand: edit the file; until then its records are read-only",
      ], left: 1),
    DoctorCase(
      "a declaration with a query that can't be read",
      [".slipbox/kinds/trip.yaml": "comment: x\nactive: \"(a\"\n"],
      [".slipbox/kinds/trip.yaml:2: active: *", "by hand: edit the file; see slip help query"], left: 1),
    DoctorCase(
      "a key twice",
      [
        ".slipbox/kinds/part.yaml": "key: code\nfields:\n  code: text\n",
        "a.md": "---\nkind: part\ncode: X\n---\n", "b.md": "---\nkind: part\ncode: X\n---\n",
      ],
      ["b.md:3: code: X is also the code of a.md", "by hand: give one of them another code, or delete it"],
      left: 1
    ),
    DoctorCase(
      "a reference of a list to nothing, where the kind says detach",
      [
        ".slipbox/kinds/part.yaml":
          "key: code\nfields:\n  code: text\n  needs: {type: list of reference, to: part, on-delete: detach, commas: true}\n",
        "a.md": "---\nkind: part\ncode: A\nneeds: B,  A, C\n---\n",
      ],
      [
        "a.md:4: needs: there is no part B", "--fix removes B from needs",
        "a.md:4: needs: there is no part C",
        "--fix removes C from needs",
      ], left: 0, after: ("a.md", "---\nkind: part\ncode: A\nneeds: A\n---\n")),
  ]
}

@Suite struct DoctorTests {
  private func box(
    _ files: KeyValuePairs<String, String>, listener: Listener = Listener()
  ) throws -> (TemporaryFolder, BoxInTest) {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    for (path, text) in files { try folder.write(path, text) }
    try folder.git("add", "-A", "--", ":!.slip-*")
    if !files.isEmpty { try folder.git("commit", "-q", "-m", "as found") }
    return (folder, try BoxInTest(at: box.root, context(in: folder.path, seed: 7, listener)))
  }

  /// The two lines of each finding, as the command prints them.
  private func lines(_ findings: [Finding]) -> [String] {
    findings.flatMap { finding in
      let place = [finding.line, finding.column].compactMap { $0 }.map { ":\($0)" }.joined()
      return [
        "\(String(decoding: finding.path, as: UTF8.self))\(place): \(finding.message)",
        finding.fix.description,
      ]
    }
  }

  @Test(arguments: DoctorCase.all) func findsAndMends(_ example: DoctorCase) throws {
    let listener = Listener()
    let (folder, box) = try box(example.files, listener: listener)
    let found = lines(try BoxCheck(in: try box.now).findings())
    #expect(found.count == example.findings.count, "\(found)")
    for (line, expected) in zip(found, example.findings) {
      if let star = expected.firstIndex(of: "*") {
        #expect(line.hasPrefix(expected[..<star]), "\(line)")
        #expect(line.hasSuffix(expected[star...].dropFirst()), "\(line)")
      } else {
        #expect(line.utf8.elementsEqual(expected.utf8), "\(line)")
      }
    }
    #expect(listener.messages == [])
    let commits = try folder.git("rev-list", "--count", "HEAD")
    let status = try folder.git("status", "--porcelain")
    let (recorded, _, left) = try box.repair(.everything)
    #expect(left.count == example.left, "\(lines(left))")
    if let after = example.after { #expect(folder.read(after.path) == Array(after.text.utf8)) }
    let isCommitted = recorded.subject != nil
    let expected = (Int(commits.dropLast()) ?? 0) + (isCommitted ? 1 : 0)
    #expect(try folder.git("rev-list", "--count", "HEAD") == "\(expected)\n")
    if isCommitted { #expect(recorded.subject == "Repair: 1 note") }
    if example.left == 0 {
      #expect(try folder.git("status", "--porcelain") == "")
    } else {
      #expect(try folder.git("status", "--porcelain") == status)
    }
    let again = try box.repair(.everything)
    #expect(again.recorded.subject == nil && again.left.count == example.left)
  }

  @Test func aMissingMergeDriverIsFoundAndRegistered() throws {
    let (folder, box) = try box(["a.md": "1\n"])
    #expect(try BoxCheck(in: try box.now).findings().isEmpty)
    try folder.git("config", "--unset", "merge.slipbox.driver")
    #expect(
      lines(try BoxCheck(in: try box.now).findings()) == [
        ".git/config: no merge driver is registered for notes, so git pull and git merge merge notes line by line",
        "--fix registers slip's merge driver in this clone",
      ])
    #expect(try box.repair(.only(.driver)).left.isEmpty)
    try folder.write(".git/info/attributes", "*.c text\n")
    #expect(try BoxCheck(in: try box.now).findings().map(\.rule) == [.driver])
    #expect(try box.repair(.everything).left.isEmpty)
  }

  @Test func manyAreMendedInOneCommit() throws {
    let (folder, empty) = try box([:])
    let text = "---\nkind: task\npriority: hgih\ndue: 2026/11/2\ngroup: gone\n---\n"
    for number in 0..<40 { try folder.write("\(number).md", text) }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "as found")
    let box = try BoxInTest(at: empty.root, empty.context)
    let (recorded, _, left) = try box.repair(.everything)
    #expect(recorded.subject == "Repair: 40 notes")
    #expect(left.count == 40 && left.allSatisfy { $0.rule == .references && $0.way == .onRequest })
    #expect(try folder.git("rev-list", "--count", "HEAD") == "3\n")
    let (detached, _, none) = try box.repair(.only(.references))
    #expect(detached.changes.count == 40 && none.isEmpty)
    #expect(folder.read("7.md") == Array("---\nkind: task\npriority: high\ndue: 2026-11-02\n---\n".utf8))
    #expect(try folder.git("status", "--porcelain") == "")
    #expect(try BoxCheck(in: try box.now).findings().isEmpty)
  }

  @Test func idsAreGivenWhenAskedFor() throws {
    let files: KeyValuePairs = [
      "a.md": "# A\r\n", "b.md": "---\nid: 20260301\n---\n", "c.md": "---\nid: bcdfghjk\n---\n",
      "d.md": "---\nid:\ntitle: D\n---\n", "e.md": "---\ntags: [\n---\n",
    ]
    let (folder, box) = try box(files)
    let (recorded, _, left) = try box.repair(.only(.ids))
    #expect(recorded.changes.map { String(decoding: $0.path, as: UTF8.self) } == ["a.md", "d.md"])
    #expect(left.map(\.message) == ["has no id, and its front matter can't be changed"])
    let ids = try box.now.catalogue().entries.compactMap(\.note.id)
    #expect(Set(ids).count == 3)
    #expect(folder.read("b.md") == Array("---\nid: 20260301\n---\n".utf8))
    #expect(try folder.git("status", "--porcelain") == "")
    #expect(try box.repair(.only(.ids)).recorded.subject == nil)
  }

  @Test func threeNotesWithOneIDBecomeThree() throws {
    let text = "---\nid: bcdfghjk\ncreated: 2026-03-01\n---\n"
    let (folder, box) = try box(["a.md": text, "b.md": text, "c.md": text])
    #expect(try box.repair(.only(.duplicates)).left.isEmpty)
    #expect(Set(try box.now.catalogue().entries.compactMap(\.note.id)).count == 3)
    #expect(folder.read("a.md") == Array(text.utf8))
  }

  @Test func whatWouldMakeAnotherFaultIsLeft() throws {
    // Closing the book would forbid what else stands there.
    let text = "---\nkind: book\ntitle: A\nauthor: B\nstatus: on-shelff\nstarted: 2026-03-01\n---\n"
    let (folder, box) = try box(["a.md": text])
    let before = try BoxCheck(in: try box.now).findings().count
    #expect(try box.repair(.only(.kinds)).left.count <= before)
    #expect(try folder.git("status", "--porcelain") == "")
  }

  @Test func unknownRulesAreNamed() throws {
    #expect(try RepairScope("all") == .everything)
    #expect(try RepairScope("ids") == .only(.ids))
    for name in ["idz", "", "dates", "everything"] {
      let error = #expect(throws: SlipboxError.self) { try RepairScope(name) }
      #expect(error?.kind == .usage)
      #expect(
        error?.hints.last?.description.contains(
          "--fix=ids, --fix=types, --fix=references, --fix=kinds, --fix=duplicates")
          == true)
    }
  }
}
