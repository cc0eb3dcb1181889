import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// New notes by templates and from other notes: which value stands, and what follows from it.
@Suite struct TemplateNotesTests {
  private let folder: TemporaryFolder
  private let box: BoxInTest

  init() throws {
    folder = try TemporaryFolder()
    _ = try run("git", ["init", "-q", "-b", "main"], in: folder.path)
    try giveIdentity(folder.path)
    box = try BoxInTest(at: Array(folder.path.utf8), context(in: folder.path))
  }

  private func fields(_ text: NoteText) -> [String: String] {
    var fields: [String: String] = [:]
    for field in FrontMatter(text).fields where !["id", "created"].contains(field.name) {
      fields[field.name] = field.value.strings.joined(separator: ",")
    }
    return fields
  }

  private func made(
    _ template: String, kind: String? = nil, title: String = "T", _ changes: [String] = []
  ) throws -> NoteText {
    let draft = Draft(
      kind: kind, title: title, changes: changes.compactMap { Change($0) },
      start: .template(try NoteTemplate(Array(template.utf8)), name: "t.md"))
    return try CreateNote(in: box.now).text(of: draft, id: NoteID(number: 7))
  }

  /// The fields of a template, the kind that was asked for, the changes, and the fields that come of them.
  struct Row: Sendable {
    let front: String
    let kind: String?
    let changes: [String]
    let wanted: String

    init(_ front: String, _ kind: String?, _ changes: [String], _ wanted: String) {
      (self.front, self.kind, self.changes, self.wanted) = (front, kind, changes, wanted)
    }
  }

  static let rows: [Row] = [
    // The command beats the template, the template beats the defaults.
    Row("priority: high", "issue", [], "priority=high status=open"),
    Row("priority: high", "issue", ["priority:low"], "priority=low status=open"),
    Row("tags: [a]", "issue", ["+b"], "priority=medium status=open tags=a,b"),
    Row("tags: [a]", "issue", ["tags:b"], "priority=medium status=open tags=b"),
    Row("room: blue", "issue", ["room:"], "priority=medium status=open"),
    // What follows from a field follows from one of a template.
    Row("status: closed", "issue", [], "closed=2026-11-21 priority=medium status=closed"),
    Row("status: closed", "issue", ["status:open"], "priority=medium status=open"),
    Row("status: closed\nclosed: 2026-11-01", "issue", [], "closed=2026-11-01 priority=medium status=closed"),
    Row("done: true", "task", [], "done=true finished=2026-11-21 priority=none"),
    Row(
      "author: A\nstatus: completed", "book", [],
      "added=2026-11-21 author=A completed=2026-11-21 started=2026-11-21 status=completed"
    ),
    Row(
      "author: A\nstatus: completed\nstarted: 2026-11-02\nadded: 2026-11-01", "book", [],
      "added=2026-11-01 author=A completed=2026-11-21 started=2026-11-02 status=completed"
    ),
    // Id, creation date, kind and the title are those of the new note.
    Row(
      "id: zzzzzzzz\ncreated: 2001-01-01\ntitle: Other\nkind: task", "issue", [],
      "priority=medium status=open"
    ),
    Row("kind: issue", nil, [], "priority=medium status=open"), Row("kind: issue", "note", [], ""),
    Row("a: {{field:b}}", "note", ["b:x y"], "a=x y b=x y"), Row("a: {{field:b}}", "note", [], ""),
    Row("a: {{field:priority}}", "issue", [], "a=medium priority=medium status=open"),
    Row("kind:", nil, [], ""),
  ]

  @Test(arguments: rows)
  func whichValueStands(_ row: Row) throws {
    let (front, kind, changes, wanted) = (row.front, row.kind, row.changes, row.wanted)
    let text = try made("---\n\(front)\n---\nbody\n", kind: kind, changes)
    var found = fields(text)
    #expect(found.removeValue(forKey: "title") == "T")
    let own = found.removeValue(forKey: "kind") ?? "note"
    #expect(own == kind ?? (front == "kind: issue" ? "issue" : "note"), "\(front)")
    #expect(found.map { "\($0)=\($1)" }.sorted().joined(separator: " ") == wanted, "\(front)")
    #expect(Note(path: [], text: text).id == NoteID(number: 7))
    #expect(Note(path: [], text: text).created?.civilDate.description == "2026-11-21")
  }

  @Test(arguments: ["priority: urgent", "due: never", "group: Nobody", "done: maybe"])
  func whatBreaksTheKindIsRefusedWithTheTemplate(_ front: String) throws {
    let error = #expect(throws: SlipboxError.self) { try made("---\n\(front)\n---\n", kind: "task") }
    #expect(
      error?.kind == .badData && error?.hints.last?.description.contains("t.md") ?? false, "\(error as Any)")
  }

  /// A copy of each kind's record is valid, active again, and has all other fields.
  @Test func copiesStartAnew() throws {
    let records = [
      ("issue", ["status:closed", "priority:high", "+x", "own:1"], "priority,own,tags"),
      ("task", ["done:true", "priority:low", "due:2026-12-01", "my-day:today"], "priority,due"),
      ("book", ["author:A", "status:completed", "rating:4"], "author,rating"),
    ]
    for (number, (kind, changes, kept)) in records.enumerated() {
      let draft = Draft(
        kind: kind, title: "First \(kind)", changes: changes.compactMap { Change($0) },
        body: Array("Body.\n".utf8))
      let id = NoteID(number: UInt64(number) + 100)
      let creation = try CreateNote(in: box.now)
      let made = try creation.plan(try creation.text(of: draft, id: id), id: id)
      _ = try box.record(made.plan)
      let entry = try NoteLookup(in: box.now).entry(id.description, fuzzy: false)
      let copy = try NoteCopy(of: entry, in: box.now)
      let text = try CreateNote(in: box.now).text(
        of: Draft(kind: copy.kind, title: "Second", start: .copy(copy)), id: NoteID(number: 9))
      let (old, new) = (fields(try entry.note.text), fields(text))
      for field in kept.split(separator: ",").map(String.init) {
        #expect(new[field] == old[field], "\(kind) \(field)")
      }
      let note = Note(path: [], text: text)
      #expect(try ChangeRecords(in: box.now).problems(in: note).isEmpty)
      for gone in ["closed", "finished", "completed", "started", "my-day"] {
        #expect(new[gone] == nil, "\(kind) \(gone)")
      }
      #expect(new["status"] != old["status"] || new["status"] == nil)
      #expect(String(decoding: text.bytes[text.body], as: UTF8.self) == "Body.\n")
    }
  }

  /// The draft of a day's note that an editor left goes to the place of that day.
  @Test func theDraftOfADayStaysItsNote() throws {
    let day = try #require(CivilDate("2026-11-20"))
    let notes = try StandingNotes(in: box.now)
    let standing = try notes.daily(day)
    let made = try CreateNote(in: box.now).plan(try notes.text(of: standing), id: standing.id)
    #expect(made.note.path == Array("daily/2026-11-20.md".utf8))
    _ = try box.record(made.plan)
    #expect(try StandingNotes(in: box.now).entry(of: standing)?.note.id == standing.id)
  }

  @Test(arguments: [
    ("one", "- one"), ("a\nb", "- a\n  b"), ("a\r\nb", "- a\r\n  b"), ("a\n\nb", "- a\n\n  b"),
    ("{{date}}", "- {{date}}"),
    ("  a", "-   a"), ("界", "- 界"),
  ])
  func capturedTextsAreOneItem(_ text: String, _ lines: String) throws {
    #expect(
      String(decoding: try StandingNotes(in: box.now).captured(Array(text.utf8)), as: UTF8.self) == lines)
  }
}
