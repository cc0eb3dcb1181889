import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// Changes as objects: their text is taken as it is, for every field.
struct ObjectChangesTests {
  private static let kind =
    "fields:\n  words: {type: list of text}\n  shelf: {type: reference, to: shelf}\n  on: {type: boolean}\n"
    + "  many: {type: integer}\n  day: {type: date}\n  note: {type: text}\n"
  private static let files = [
    ".slipbox/kinds/thing.yaml": kind, ".slipbox/kinds/shelf.yaml": "fields:\n  place: {type: text}\n",
    "t.md": "---\nid: kqzmvtrb\ntitle: T\nkind: thing\n---\n",
    "s.md": "---\nid: bbbbbbbc\ntitle: Top\nkind: shelf\n---\n",
  ]

  /// A change as JSON, `field` and one more member.
  private func object(_ field: String, _ key: String, _ value: Any) throws -> String {
    let bytes = try JSONSerialization.data(withJSONObject: ["field": field, key: value])
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The requests that take a change, each with the name of the note that it changes.
  private static let requests = ["change", "bulk", "new"]

  private func send(_ page: PageInTest, _ request: String, _ change: String) -> PageAnswerInTest {
    switch request {
    case "change":
      page.post("/api/change", "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[\(change)]}")
    case "bulk": page.post("/api/change", "{\"where\":\"id:kqzmvtrb\",\"expect\":1,\"changes\":[\(change)]}")
    default: page.post("/api/new", "{\"kind\":\"thing\",\"title\":\"N\",\"changes\":[\(change)]}")
    }
  }

  @Test(
    arguments: [
      ("__proto__", "polluted"), ("constructor", "x"), ("a:b", "c"), ("Größe", "12"), ("1st", "x"),
      ("note", ":x"), ("note", "//x"), ("note", "-x"), ("note", "+x"), ("note", " x"), ("note", "a\nb\n\nc"),
      ("note", "# x"), ("note", "{a: b}"), ("note", "'\"\\"), ("note", "\u{2028}"), ("other", "-3d"),
      ("other", "no"), ("other", "a\r\nb\tc"), ("day", "2026-12-24"), ("shelf", "bbbbbbbc"),
    ], requests)
  func textsAreTakenAsTheyAre(_ change: (field: String, value: String), _ request: String) throws {
    let page = try PageInTest(Self.files)
    let answer = send(page, request, try object(change.field, "value", change.value))
    #expect(answer.status == 200, "\(change) \(answer.text)")
    let fields = try #require(answer.notes.first?["fields"] as? [String: Any])
    // A plain number of a field that no kind declares is a number in JSON.
    #expect(fields[change.field].map { "\($0)" } == change.value, "\(answer.text)")
    let ref = try #require(answer.notes[0]["id"] as? String)
    let read = page.get("/api/note?ref=\(ref)").json["note"] as? [String: Any]
    let again = (read?["fields"] as? [String: Any])?[change.field]
    #expect(again.map { "\($0)" } == change.value)
    guard request == "change" else { return }
    #expect(send(page, request, try object(change.field, "value", "")).status == 200)
    #expect(page.text("t.md") == Self.files["t.md"])
  }

  @Test(arguments: requests)
  func valuesOfOtherTypes(_ request: String) throws {
    let page = try PageInTest(Self.files)
    let changes = try [
      object("on", "value", true), object("many", "value", -5), object("shelf", "value", "Top"),
      object("day", "value", "2026-12-24"), object("title", "value", "-Title: //x"),
    ].joined(separator: ",")
    let answer = send(page, request, changes)
    #expect(answer.status == 200, "\(answer.text)")
    let fields = try #require(answer.notes.first?["fields"] as? [String: Any])
    #expect(fields["on"] as? Bool == true)
    #expect(fields["many"] as? Int == -5)
    #expect(fields["shelf"] as? String == "bbbbbbbc")
    #expect(answer.notes[0]["title"] as? String == "-Title: //x")
    guard request != "new" else { return }
    let cleared = send(
      page, request, "{\"field\":\"on\",\"value\":null},{\"field\":\"title\",\"value\":\"\"}")
    #expect((cleared.notes.first?["fields"] as? [String: Any])?["on"] == nil)
    #expect(cleared.notes.first?["title"] as? String != "-Title: //x")
  }

  @Test(arguments: ["words", "tags"], requests)
  func listsTakeSignsAsText(_ field: String, _ request: String) throws {
    let page = try PageInTest(Self.files)
    let list = { (answer: PageAnswerInTest) in
      (field == "tags"
        ? answer.notes.first?["tags"] : (answer.notes.first?["fields"] as? [String: Any])?[field])
        as? [String] ?? []
    }
    let whole = send(page, request, try object(field, "value", "-x, +y"))
    #expect(whole.status == 200, "\(whole.text)")
    #expect(list(whole) == ["-x", "+y"])
    guard request != "new" else { return }
    let more = send(page, request, try object(field, "add", "-z"))
    #expect(list(more) == ["-x", "+y", "-z"], "\(more.text)")
    #expect(list(send(page, request, try object(field, "remove", "-x"))) == ["+y", "-z"])
    #expect(list(send(page, request, try object(field, "value", ""))) == [])
  }

  @Test(arguments: [
    "{\"field\":\"on\"}", "{\"field\":\"on\",\"valu\":\"true\"}", "{\"field\":\"on\",\"value\":[]}",
    "{\"field\":\"on\",\"value\":{}}", "{\"field\":\"words\",\"add\":\"\"}",
    "{\"field\":\"words\",\"add\":null}",
    "{\"field\":\"words\",\"add\":\"a\",\"remove\":\"b\"}", "{\"field\":\"\",\"value\":\"a\"}", "{}", "1",
    "null",
  ])
  func othersAreRefused(_ change: String) throws {
    let page = try PageInTest(Self.files)
    for request in Self.requests {
      #expect(send(page, request, change).status == 400, "\(request)")
    }
    #expect(send(page, "change", try object("note", "add", "x")).code == "refused")
    #expect(page.commits == 1)
  }
}
