import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// What becomes of records when the one that they refer to is deleted.
@Suite struct DeleteRulesTests {
  /// A kind with a key, whose records refer to others in a list with commas.
  private static let part = """
    key: code
    fields:
      code: text
      needs: {type: list of reference, to: part, on-delete: detach, commas: true}
      owner: {type: reference, to: part, on-delete: cascade}
      holder: {type: reference, to: group, required: true}

    """

  private func box(_ files: [String: String]) throws -> (TemporaryFolder, BoxInTest) {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    for (path, text) in files { try folder.write(path, text) }
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "as found")
    return (folder, try BoxInTest(at: box.root, box.context))
  }

  private func group(_ id: String, _ title: String) -> String {
    "---\nid: \(id)\ntitle: \(title)\nkind: group\n---\n"
  }

  private func task(_ group: String) -> String {
    "---\nkind: task\n# where it is done\ngroup: \(group) # a comment\npriority: high\n---\nText\n"
  }

  private static let tasks = 7

  private func home() throws -> (TemporaryFolder, BoxInTest) {
    var files = ["home.md": group("bcdfghjk", "Home"), "work.md": group("bcdfghjl", "Work")]
    for number in 1...Self.tasks { files["t\(number).md"] = task("bcdfghjk") }
    files["other.md"] = task("bcdfghjl")
    return try box(files)
  }

  @Test func aGroupWithTasksStays() throws {
    let (folder, box) = try home()
    let head = try folder.git("rev-parse", "HEAD")
    let entry = try NoteLookup(in: box.now).entry("Home", fuzzy: false)
    let error = #expect(throws: SlipboxError.self) {
      try DeleteNotes(in: box.now).plan([entry], rule: nil, reason: nil)
    }
    #expect(error?.kind == .badData)
    #expect(error?.message == "7 notes refer to Home")
    #expect(error?.hints.count == 7)
    #expect(error?.hints.last == "--detach removes the references, --cascade deletes the records too")
    #expect(try folder.git("rev-parse", "HEAD") == head)
  }

  @Test func tasksThatGoWithTheirGroupDenyNothing() throws {
    let (folder, box) = try home()
    let entries = try box.now.catalogue().entries.filter { $0.note.path != Array("other.md".utf8) }
    let work = try NoteLookup(in: box.now).entry("Work", fuzzy: false)
    let chosen = entries.filter { $0.note.path != work.note.path }
    let (plan, detached, cascaded) = try DeleteNotes(in: box.now).plan(chosen, rule: nil, reason: nil)
    #expect(detached.isEmpty && cascaded.isEmpty)
    #expect(try box.record(plan).subject == "Delete 8 notes")
    #expect(try folder.git("status", "--porcelain") == "")
  }

  @Test func detachingTakesTheLineOut() throws {
    let (folder, box) = try home()
    let (plan, detached, cascaded) = try DeleteNotes(in: box.now).plan(
      [try NoteLookup(in: box.now).entry("Home", fuzzy: false)], rule: .detach, reason: "moved")
    #expect(detached.count == Self.tasks && cascaded.isEmpty)
    let recorded = try box.record(plan)
    #expect(recorded.subject == "Delete group: Home, removed from 7 notes")
    #expect(try folder.git("show", "--numstat", "--format=", "HEAD").split(separator: "\n").count == 8)
    let expected = "---\nkind: task\n# where it is done\npriority: high\n---\nText\n"
    #expect(folder.read("t1.md") == Array(expected.utf8))
    #expect(folder.read("other.md") == Array(task("bcdfghjl").utf8))
    #expect(try folder.git("status", "--porcelain") == "")
    #expect(try BoxCheck(in: try box.now).findings().isEmpty)
  }

  @Test func cascadingDeletesWhatRefers() throws {
    let (folder, box) = try home()
    let (plan, detached, cascaded) = try DeleteNotes(in: box.now).plan(
      [try NoteLookup(in: box.now).entry("Home", fuzzy: false)], rule: .cascade, reason: nil)
    #expect(detached.isEmpty && cascaded.count == Self.tasks)
    #expect(try box.record(plan).subject == "Delete 8 notes")
    #expect(try folder.git("ls-files", "*.md") == "other.md\nwork.md\n")
    try folder.git("revert", "--no-edit", "HEAD")
    #expect(try folder.git("ls-files", "*.md").split(separator: "\n").count == 10)
  }

  private func parts() throws -> (TemporaryFolder, BoxInTest) {
    func part(_ code: String, _ more: String) -> String {
      "---\nkind: part\ncode: \(code)\nholder: Home\n\(more)---\n"
    }
    return try box([
      ".slipbox/kinds/part.yaml": Self.part, "home.md": group("bcdfghjk", "Home"),
      "a.md": part("A1", ""), "b.md": part("B2", "needs: A1, C3,  D4 # three\n"),
      "c.md": part("C3", "owner: A1\n"), "d.md": part("D4", "owner: C3\nneeds: [B2, \"A1\"]\n"),
      "e.md": part("E5", "needs:\n  - A1\n"), "f.md": part("F6", "needs: A10\n"),
    ])
  }

  @Test func eachFieldHasItsRule() throws {
    let (folder, box) = try parts()
    let (plan, detached, cascaded) = try DeleteNotes(in: box.now).plan(
      [try NoteLookup(in: box.now).entry("a.md", fuzzy: false)], rule: nil, reason: nil)
    #expect(Set(detached.map(\.name)) == ["b.md", "e.md"])
    #expect(Set(cascaded.map(\.name)) == ["c.md", "d.md"])
    _ = try box.record(plan)
    #expect(folder.read("b.md").map { String(decoding: $0, as: UTF8.self) }?.contains("needs") == false)
    #expect(folder.read("e.md") == Array("---\nkind: part\ncode: E5\nholder: Home\n---\n".utf8))
    #expect(try folder.git("ls-files", "*.md") == "b.md\ne.md\nf.md\nhome.md\n")
    #expect(try folder.git("status", "--porcelain") == "")
  }

  @Test func aListLosesOneElementInItsOwnStyle() throws {
    let (folder, box) = try parts()
    let (plan, detached, _) = try DeleteNotes(in: box.now).plan(
      [try NoteLookup(in: box.now).entry("a.md", fuzzy: false)], rule: .detach, reason: nil)
    #expect(Set(detached.map(\.name)) == ["b.md", "c.md", "d.md", "e.md"])
    _ = try box.record(plan)
    let after = ["b.md", "d.md"].map { folder.read($0).map { String(decoding: $0, as: UTF8.self) } ?? "" }
    #expect(after[0].contains("needs: C3,  D4 # three\n"), "\(after[0])")
    #expect(after[1].contains("needs: [B2]\n"), "\(after[1])")
  }

  @Test func whatIsRequiredIsNotTakenOut() throws {
    let (folder, box) = try parts()
    let home = try NoteLookup(in: box.now).entry("Home", fuzzy: false)
    let error = #expect(throws: SlipboxError.self) {
      try DeleteNotes(in: box.now).plan([home], rule: .detach, reason: nil)
    }
    #expect(error?.kind == .badData)
    #expect(error?.message.description.contains("holder is required") == true)
    #expect(try DeleteNotes(in: box.now).plan([home], rule: .cascade, reason: nil).cascaded.count == 6)
    #expect(try folder.git("status", "--porcelain") == "")
  }

  @Test func recordsThatReferToOneAnotherEnd() throws {
    let (folder, box) = try box([
      ".slipbox/kinds/part.yaml": Self.part,
      "a.md": "---\nkind: part\ncode: A\nowner: B\n---\n",
      "b.md": "---\nkind: part\ncode: B\nowner: A\n---\n",
      "c.md": "---\nkind: part\ncode: C\nowner: C\n---\n",
    ])
    #expect(
      try DeleteNotes(in: box.now).plan(
        [try NoteLookup(in: box.now).entry("a.md", fuzzy: false)], rule: nil, reason: nil
      )
      .cascaded.count
        == 1)
    #expect(
      try DeleteNotes(in: box.now).plan(
        [try NoteLookup(in: box.now).entry("c.md", fuzzy: false)], rule: nil, reason: nil
      )
      .cascaded.isEmpty
    )
    #expect(try folder.git("status", "--porcelain") == "")
  }
}
