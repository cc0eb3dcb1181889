import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

@Suite struct MergeDriverTests {
  private func note(_ status: String) -> String { "---\nid: kqzmvtrp\nstatus: \(status)\n---\none\n" }

  /// Commits a file on the current branch, some seconds after the others.
  private func commit(_ box: WritingBox, _ text: String, at second: Int) throws -> String {
    try box.folder.write("a.md", text)
    let date = "2026-11-20T10:00:0\(second)+01:00"
    try box.folder.git("add", "-A")
    try box.folder.git("commit", "-q", "-m", "Changed", "--date", date)
    return try box.head()
  }

  /// Of a field that both sides changed the later change stands if git says which commits it merges.
  @Test(arguments: [(true, "b"), (false, "z")]) func `takes the later change of git's commits`(
    namesCommit: Bool, status: String
  ) throws {
    let box = try WritingBox(["a.md": note("m")])
    let base = try box.head()
    try box.folder.git("checkout", "-q", "-b", "there")
    let theirs = try commit(box, note("z"), at: 1)
    try box.folder.git("checkout", "-q", "-B", "main", base)
    _ = try commit(box, note("b"), at: 2)
    let environment = namesCommit ? ["HOME", "GITHEAD_\(theirs)"] : ["HOME"]
    let driver = try driver(in: box, [note("m"), note("b"), note("z")], environment)
    #expect(try driver.run() == .merged(["status"]))
    let text = NoteText(Array((box.text(".git/ours") ?? "").utf8))
    #expect(FrontMatter(text)["status"] == .text(status))
    #expect(text.conflictEntries.map { $0.value?.text } == [status == "b" ? "z" : "b"])
    #expect(text.conflictEntries.map(\.when) == [namesCommit ? "2026-11-20T10:00:01+01:00" : ""])
  }

  /// The driver as git runs it for a base, our text and theirs.
  private func driver(
    in box: WritingBox, _ texts: [String], _ environment: [String] = ["HOME"]
  ) throws -> MergeDriver {
    for (name, text) in zip(["base", "ours", "theirs"], texts) {
      try box.folder.write(".git/\(name)", text)
    }
    let files = MergeDriver.Files(
      base: Array(".git/base".utf8), ours: Array(".git/ours".utf8), theirs: Array(".git/theirs".utf8),
      path: Array("a.md".utf8))
    return MergeDriver(
      files, in: box.folder.bytes, environment: environment, context(in: box.folder.path))
  }

  /// Git has one file for them, and a merge of their fields would make one note of two.
  @Test func `leaves markers around two notes that were made at one path`() throws {
    let box = try WritingBox([:])
    let ours = "---\nid: bbbbbbbb\n---\nmine\n"
    let driver = try driver(in: box, ["", ours, "---\nid: cccccccc\n---\ntheirs\n"])
    #expect(try driver.run() == .marked)
    let text = try #require(box.text(".git/ours"))
    for line in ["id: bbbbbbbb", "mine", "id: cccccccc", "theirs"] { #expect(text.contains("\(line)\n")) }
    #expect(text.contains("<<<<<<<") && text.contains(">>>>>>>"))
  }

  @Test(arguments: [("zk", SameNameRule.ambiguous), ("obsidian", .obsidian)])
  func `merges links by the rule for equal names of the commits' layout`(
    layout: String, rule: SameNameRule
  ) throws {
    let box = try WritingBox([".slipbox/config.yaml": "layout: \(layout)\n"])
    let tip = try #require(ObjectID(hex: try box.head()))
    let context = context(in: box.folder.path)
    #expect(try MergeRules(of: [tip], try Box(at: box.folder.bytes), context).sameNames == rule)
  }
}
