import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// A snapshot of a commit, held against the work tree that it was made of.
@Suite struct CommitReaderTests {
  /// What a snapshot answers to many questions, a line each.
  static func answers(_ snapshot: BoxSnapshot) throws -> [String] {
    var lines: [String] = []
    for entry in try snapshot.catalogue().entries {
      let note = entry.note
      lines.append(
        [
          String(decoding: note.path, as: UTF8.self), note.id?.description ?? "-", note.title, entry.kind,
          entry.created.rfc3339, snapshot.modified(entry).rfc3339, note.tags.joined(separator: ","),
          String(decoding: try note.text.bytes, as: UTF8.self),
        ].joined(separator: "|"))
    }
    for query in [["kind:issue"], ["sort:title"], ["links:alpha"], ["is:orphan"], ["+tag"], ["modified:7d"]] {
      let found = try? snapshot.matches(try snapshot.query(query))
      lines.append("\(query): \((found ?? []).map { String(decoding: $0.entry.note.path, as: UTF8.self) })")
    }
    let search = try snapshot.search(try snapshot.query(["the"]))
    lines += search.map {
      "\(String(decoding: $0.entry.note.path, as: UTF8.self)) \($0.snippets.map(\.text))"
    }
    lines += try BoxTags(of: snapshot).counts().map { "\($0.name) \($0.active) \($0.all)" }
    lines += try BoxCheck(in: snapshot).findings().map {
      "\(String(decoding: $0.path, as: UTF8.self)): \($0.message)"
    }
    lines += snapshot.schema().kinds.map(\.name)
    lines += snapshot.settings.filters.map { "\($0.key): \($0.value)" }.sorted()
    return lines
  }

  private func both(_ box: BoxInTest) throws -> (workTree: [String], commit: [String]) {
    let tip = try #require(try box.box.tip())
    let workTree = try WorkTreeReader(box.box, box.context).snapshot()
    let commit = try CommitReader(box.box, box.context).snapshot(of: tip)
    return (try Self.answers(workTree), try Self.answers(commit))
  }

  private func makeNotes(_ folder: TemporaryFolder) throws {
    try folder.write(
      "alpha.md", "---\ntitle: alpha\ntags: [tag]\ncreated: 2026-01-02\n---\nThe first, [[beta]].\n")
    try folder.write("sub/beta.md", "# beta\n\nThe second #inline, links to nothing.\n")
    try folder.write("2026-03-04-dated.md", "The third has its date in its name.\n")
    try folder.write("issue.md", "---\nkind: issue\ntitle: Broken\nstatus: open\n---\nThe fourth.\n")
    try folder.write("picture.png", "no note")
    try folder.write(".slipbox/kinds/paper.yaml", "name: paper\nmatch: path:sub/\nfields:\n  doi: {}\n")
    symlink("alpha.md", folder.path + "/link.md")
    try folder.git("add", "-A")
    try folder.git("commit", "-qm", "Notes", "--date", "2025-05-06T07:08:09Z")
  }

  @Test func headOfACleanBoxAnswersAsTheWorkTree() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    try makeNotes(folder)
    let (workTree, commit) = try both(box)
    #expect(workTree == commit)
    // With a kept catalogue that has seen the files, and after some of them have changed.
    try box.foldCatalogue()
    let kept = try both(box)
    #expect(kept.workTree == kept.commit && kept.commit == commit)
    try folder.git("mv", "alpha.md", "sub/renamed.md")
    try folder.write("sub/beta.md", "# beta\n\nThe second, changed.\n")
    try folder.git("rm", "-q", "issue.md")
    try folder.git("add", "-A")
    try folder.git("commit", "-qm", "Changes")
    let later = try both(box)
    #expect(later.workTree == later.commit && later.commit != commit)
  }

  /// The past keeps its answers, whatever has happened to the files since.
  @Test func thePastIsAsItWas() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    try makeNotes(folder)
    let tip = try #require(try box.box.tip())
    let before = try Self.answers(try CommitReader(box.box, box.context).snapshot(of: tip))
    try folder.write("alpha.md", "# Something else\n")
    try folder.git("rm", "-q", "sub/beta.md")
    try folder.write("new.md", "# New, not committed\n")
    _ = try box.now.catalogue()
    #expect(try Self.answers(try CommitReader(box.box, box.context).snapshot(of: tip)) == before)
    try folder.git("commit", "-qam", "Later")
    try box.foldCatalogue()
    #expect(try Self.answers(try CommitReader(box.box, box.context).snapshot(of: tip)) == before)
  }

  @Test func headOfTheSmallCorpusAnswersAsTheWorkTree() throws {
    try headOfACorpusAnswersAsTheWorkTree("small")
  }

  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: CorpusTests.names)
  func headOfACorpusAnswersAsTheWorkTree(_ name: String) throws {
    let bundle = try #require(corpus(name))
    let folder = try TemporaryFolder()
    try folder.git("clone", "-q", bundle, "box")
    let path = folder.path + "/box"
    try giveIdentity(path)
    _ = try initialise(path, context(in: path))
    try folder.git("-C", path, "add", "-A")
    try folder.git("-C", path, "commit", "-q", "--allow-empty", "-m", "Everything")
    let box = try BoxInTest(at: Array(path.utf8), context(in: path))
    let (workTree, commit) = try both(box)
    #expect(workTree.count > (name == "small" ? 20 : 100) && workTree.count == commit.count)
    #expect(zip(workTree, commit).allSatisfy { $0 == $1 })
  }
}
