import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Notes behind a filter of git that fails in git's own commands, or stores equal text in other bytes each time.
@Suite struct FilterFailureTests {
  private static let files = [
    ".gitattributes": "secret/** filter=turn\n", "secret/a.md": "---\nid: kqzmvtrb\n---\nHidden.\n",
    "secret/b.md": "---\nid: kqzmvtrc\n---\nOther.\n", "open.md": "# Open\n", "plain.md": "# Plain\n",
  ]
  private static let turn = "tr a-z n-za-m"

  private func box(clean: String = turn, smudge: String = turn) throws -> WritingBox {
    let box = try WritingBox(Self.files)
    try box.folder.git("config", "filter.turn.clean", clean)
    try box.folder.git("config", "filter.turn.smudge", smudge)
    try box.folder.git("config", "filter.turn.required", "true")
    try box.folder.git("add", "--renormalize", ".")
    try box.folder.git("commit", "-q", "-m", "Filter")
    return box
  }

  /// Commands of git in which the filter fails, or changes by hand.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// Shell commands on the branch `main`, which has the notes as at first. The branch `other` has changed `secret/a.md` and
    /// `open.md`, and has `new.md`.
    let commands: String
    /// The paths that a commit takes.
    var taken: [String] = []
    /// Whether a commit would make the text of a note readable.
    var isExposed = false
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "cherry-pick", commands: "fail cherry-pick other"),
    Case(name: "switch", commands: "fail switch other"),
    Case(name: "switch back", commands: "git switch -q other && fail switch main"),
    Case(name: "merge", commands: "fail merge -q other"),
    Case(name: "reset", commands: "fail reset --hard other"),
    Case(name: "checkout of one file", commands: "fail checkout other -- secret/a.md"),
    Case(name: "restore", commands: "echo x >>secret/a.md && fail restore secret/a.md"),
    Case(
      name: "stash pop", commands: "echo x >>secret/a.md && git stash -q && fail stash pop"),
    Case(
      name: "an edit beside it", commands: "fail cherry-pick other; echo mine >>plain.md && rm -f new.md",
      taken: ["plain.md"]),
    Case(name: "a clone without an index", commands: "rm .git/index secret/a.md"),
    Case(name: "a deletion by hand", commands: "rm secret/a.md"),
    Case(name: "a staged deletion", commands: "git rm -q secret/a.md", taken: ["secret/a.md"]),
    Case(
      name: "a staged deletion and another one", commands: "git rm -q secret/a.md && rm plain.md",
      taken: ["plain.md", "secret/a.md"]),
    Case(name: "a deletion of a plain note", commands: "rm plain.md", taken: ["plain.md"]),
    Case(
      name: "a move", commands: "mkdir secret/sub && mv secret/a.md secret/sub/c.md",
      taken: ["secret/a.md", "secret/sub/c.md"]),
    Case(
      name: "a move beside a deletion", commands: "mv secret/b.md secret/c.md && rm secret/a.md",
      taken: ["secret/b.md", "secret/c.md"]),
    Case(
      name: "a move out of the folder with an edit", commands: "mv secret/a.md c.md && echo x >>c.md",
      isExposed: true),
  ]

  @Test(arguments: cases) func aDeletionThatNobodyMadeIsNotCommitted(example: Case) throws {
    let box = try box()
    let script = """
      set -e
      git switch -qc other
      echo more >>secret/a.md; echo more >>open.md; echo '# New' >new.md
      git add -A; git commit -qm Other; git switch -q main
      fail() {
        git config filter.turn.smudge false
        ! git "$@"
        git config filter.turn.smudge '\(Self.turn)'
      }
      \(example.commands)
      """
    let result = try run("sh", ["-c", script], in: box.folder.path)
    try #require(result.status == 0, "\(result.errors)")
    let paths = try OutsideChanges(in: try box.snapshot()).paths { _ in true }
    #expect(paths.map { String(decoding: $0, as: UTF8.self) }.sorted() == example.taken)
    let isHeld = !example.taken.contains("secret/a.md") && !box.exists("secret/a.md")
    let named = box.listener.messages.filter { $0.hasPrefix("secret/a.md is missing") }
    #expect(named.count == (isHeld && !example.isExposed ? 1 : 0))
  }

  @Test func theUserCommitsTheDeletionByItsPath() throws {
    let box = try box()
    try FileManager.default.removeItem(atPath: box.folder.path + "/secret/a.md")
    #expect(try box.commit("secret/a.md").paths == ["secret/a.md"])
    #expect(try box.status() == [])
  }

  @Test func gitSeesNoChangeAfterAWriteWithARandomFilter() throws {
    let box = try box(clean: "od -An -N8 -tx1 /dev/urandom && cat", smudge: "sed 1d")
    try box.append("secret/a.md", "one")
    #expect(try box.status().filter { $0.contains("a.md") } == [])
    try box.append("secret/b.md", "two")
    #expect(try box.status() == [])
    try box.append("secret/a.md", "three")
    try box.append("open.md", "four")
    try box.move("secret/b.md", to: "secret/sub/")
    #expect(try box.status() == [])
    // Another program writes in the second in which slip commits.
    try box.folder.write("secret/a.md", "---\nid: kqzmvtrb\n---\nEdited.\n")
    #expect(try box.commit("secret/a.md").isCommitted)
    #expect(try box.status() == [])
    // A change in the same second is seen.
    try box.append("secret/a.md", "five")
    try box.folder.write("secret/a.md", "---\nid: kqzmvtrb\n---\nEditor\n\nfive\n")
    #expect(try box.status() == [" M secret/a.md"])
  }

  @Test(arguments: [": >.gitattributes", "sed -i s/turn/trun/ .gitattributes"])
  func uncommittedAttributesPublishNoPlainText(commands: String) throws {
    let box = try box()
    let head = try box.head()
    #expect(try run("sh", ["-c", commands], in: box.folder.path).status == 0)
    let refusals = [
      #expect(throws: SlipboxError.self) { try box.append("secret/a.md", "more") },
      #expect(throws: SlipboxError.self) { try box.write(["secret/c.md": "# New\n"]) },
      #expect(throws: SlipboxError.self) { try box.move("plain.md", to: "secret/") },
    ]
    for refusal in refusals {
      #expect(refusal?.kind == .configuration)
      #expect(refusal?.message.description.contains("run: git checkout HEAD -- .gitattributes") == true)
    }
    #expect(try box.head() == head)
    try box.folder.write("secret/b.md", "---\nid: kqzmvtrc\n---\nEdited.\n")
    let files = try UncommittedFiles([Array("secret/b.md".utf8)], in: try box.snapshot().box)
    #expect(files.paths == [])
    #expect(files.refusals.map(\.reason.kind) == [.configuration])
    // Once they are committed, the user has to name the note.
    try box.folder.git("commit", "-q", "-m", "Drop the filter", ".gitattributes")
    guard commands.hasPrefix(":") else { return }
    #expect(throws: SlipboxError.self) { try box.append("secret/a.md", "more") }
    #expect(try box.commit("secret/a.md").isCommitted)
    try box.append("secret/a.md", "more")
    #expect(try box.folder.git("show", "HEAD:secret/a.md").contains("more"))
  }
}
