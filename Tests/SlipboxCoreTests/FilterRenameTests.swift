import NoteIndex
import Testing
import Text

@testable import SlipboxCore

/// A filter with another name, and the filters and views that use it.
struct FilterRenameTests {
  private func box(_ settings: String) throws -> WritingBox {
    try WritingBox([
      ".slipbox/config.yaml": "path: \"{id}.md\"\nfilter-Work: kind:task is:active\n" + settings,
      "a.md": "---\nid: bbbbbbbc\ntitle: A\nkind: task\n---\n",
    ])
  }

  private func settings(of box: WritingBox) throws -> [String: String] {
    let settings = try box.snapshot().settings
    return settings.filters.merging(settings.viewLines.map { ($0.name, $0.line) }) { $1 }
  }

  @Test(arguments: [
    ("filter-soon: '@work due:7d'", "soon", "@jobs due:7d"),
    (
      "filter-soon: 'NOT (@Work OR @WORK) \"@work\" title:@work x@work'", "soon",
      "NOT (@jobs OR @jobs) \"@work\" title:@work x@work"
    ),
    ("filter-worker: is:active\nfilter-soon: '@worker'", "soon", "@worker"),
    ("view-desk: board   '@Work' -n 5", "desk", "board   '@jobs' -n 5"),
    ("view-desk: table '@Work +work' --columns 'count'", "desk", "table '@jobs +work' --columns 'count'"),
    ("view-desk: table '@WORK' '\"@work\"' --by group", "desk", "table @jobs '\"@work\"' --by group"),
    ("view-desk: board kind:task +work", "desk", "board kind:task +work"),
    ("view-desk: board '@work", "desk", "board '@work"),
  ])
  func followsInWhatUsesIt(_ line: String, _ name: String, _ wanted: String) throws {
    let box = try box(line + "\n")
    try box.record { try ChangeFilters(in: $0).plan(renaming: "Work", to: "jobs") }
    let settings = try settings(of: box)
    #expect(settings[name] == wanted)
    #expect(settings["jobs"] == "kind:task is:active")
    #expect(settings["Work"] == nil)
  }

  @Test func aFilterOfTheOtherCaseIsAnotherOne() throws {
    let box = try box("filter-work: is:active\nfilter-soon: '@work OR @Work'\n")
    try box.record { try ChangeFilters(in: $0).plan(renaming: "Work", to: "jobs") }
    #expect(try settings(of: box)["soon"] == "@work OR @jobs")
  }

  @Test func listsInNotesAndTemplatesFollowByteForByte() throws {
    let before =
      "# Lists\r\n\r\n<!-- slip:  list '@Work'  +home -n 5  -->\r\n- old\r\n<!-- /slip -->  \r\n\r\n@Work\n"
      + "<!-- slip: table @work --by group -->\n<!-- /slip -->\n```\n<!-- slip: list @Work -->\n"
      + "<!-- /slip -->\n```\n<!-- slip: list kind:task -->\n<!-- /slip -->\n<!-- slip: list '@Work -->\n"
      + "<!-- /slip -->\n<!-- slip: agenda @Work --days 3 -->\n<!-- /slip --> \nno end"
    let after =
      before.replacing("list '@Work'  +home", with: "list '@jobs'  +home")
      .replacing("table @work", with: "table @jobs").replacing("agenda @Work", with: "agenda @jobs")
    let template = "---\nkind: note\n---\n<!-- slip: list @Work -->\n<!-- /slip -->\n"
    let box = try box("")
    let head = "---\nid: bbbbbbbd\ntitle: B\nother:   x # kept\n---\n"
    try box.write(["b.md": head + before, ".slipbox/templates/day.md": template, "c.md": "Says @Work.\n"])
    let written = try box.record { try ChangeFilters(in: $0).plan(renaming: "Work", to: "jobs") }
    #expect(written.paths == [".slipbox/config.yaml", ".slipbox/templates/day.md", "b.md"])
    #expect(written.subject == "Rename filter: Work to jobs")
    #expect(box.text("b.md") == head + after)
    #expect(box.text(".slipbox/templates/day.md") == template.replacing("@Work", with: "@jobs"))
    #expect(box.text("c.md") == "Says @Work.\n")
  }

  @Test func aListOfAnotherFilterStays() throws {
    let box = try box("filter-work: is:active\n")
    let text = "<!-- slip: list @work -->\n<!-- /slip -->\n<!-- slip: list @Work @work -->\n<!-- /slip -->\n"
    try box.write(["b.md": text])
    try box.record { try ChangeFilters(in: $0).plan(renaming: "Work", to: "jobs") }
    #expect(box.text("b.md") == text.replacing("@Work", with: "@jobs"))
  }

  @Test func isNotRemovedWhileAViewUsesIt() throws {
    let box = try box("view-desk: board @work\n")
    let refusal = #expect(throws: SlipboxError.self) {
      try box.record { try ChangeFilters(in: $0).plan(saving: "Work", query: nil) }
    }
    #expect(refusal?.message.description == "can't remove the filter Work: the view desk uses it")
  }
}
