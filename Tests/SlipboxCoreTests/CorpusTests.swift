import Foundation
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Notes with a history, adopted as they are: the small corpus of the fixtures, and real notes.
@Suite struct CorpusTests {
  static let names = ["eips", "garden", "kepano"]

  /// A clone of a corpus as a box.
  private func adopted(_ name: String) throws -> (folder: TemporaryFolder, box: BoxInTest, notes: Int) {
    let (folder, box) = try adoptedCorpus(name)
    let files = try run("git", ["ls-files", "-z"], in: folder.path + "/box").output.split(separator: "\0")
    let notes = files.filter { file in
      let isHidden = file.split(separator: "/").contains { $0.hasPrefix(".") }
      return !isHidden && (file.hasSuffix(".md") || file.hasSuffix(".markdown"))
    }.count
    return (folder, box, notes)
  }

  @Test func initRewritesNothingInTheSmallCorpus() throws { try initRewritesNothing("small") }

  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: names)
  func initRewritesNothing(_ name: String) throws {
    let (folder, box, count) = try adopted(name)
    let path = folder.path + "/box"
    let changed = try run("git", ["show", "--name-status", "--format=", "HEAD"], in: path).output
    #expect(changed == "A\t.slipbox/config.yaml\n")
    #expect(try run("git", ["status", "--porcelain"], in: path).output == "")
    #expect(try run("git", ["rev-list", "--count", "HEAD", "--not", "HEAD~1"], in: path).output == "1\n")
    #expect(try box.now.catalogue().entries.count == count)
  }

  @Test func brokenNotesOfTheSmallCorpusAreRefused() throws {
    try brokenNotesAreListedShownFoundAndRefused("small")
  }

  /// No corpus has a block of its own that libyaml refuses, so some are broken here.
  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: names)
  func brokenNotesAreListedShownFoundAndRefused(_ name: String) throws {
    let (folder, adopted, count) = try adopted(name)
    #expect(try adopted.now.catalogue().entries.allSatisfy(\.note.frontMatter.isWritable))
    let broken = try breakSome(adopted, in: folder.path + "/box")
    let box = try BoxInTest(at: adopted.root, adopted.context)
    #expect(try box.now.catalogue().entries.count == count)
    var refused: Set<String> = []
    for entry in try box.now.catalogue().entries where !entry.note.frontMatter.isWritable {
      let path = String(decoding: entry.note.path, as: UTF8.self)
      refused.insert(path)
      #expect(try NoteLookup(in: box.now).entry(path, fuzzy: false).note.path == entry.note.path)
      let query = try Query.parse(["path:\"\(path)\""], clock: standingClock)
      #expect(try box.now.matches(query).contains { $0.entry.note.path == entry.note.path })
      let plan = try ChangeNotes(in: box.now).plan([entry], [.set(field: "x", value: "1")])
      let error = #expect(throws: SlipboxError.self) { _ = try box.record(plan) }
      #expect(error?.kind == .badData)
      #expect(
        error?.message.description.contains("line ") == true
          && error?.message.description.contains("column ") == true)
    }
    #expect(refused == broken && broken.count == 20)
    #expect(try run("git", ["status", "--porcelain"], in: folder.path + "/box").output == "")
  }

  private static let faults = [
    "broken: [one, two\n", "broken: \"one\n", "broken: one: two\n", "broken:\n\t- one\n", "broken: @one\n",
    "broken: one\nbroken: two\n", "broken: \u{7}\n",
  ]

  /// Puts a fault into the front-matter of twenty notes, each kind of them in turn, and commits that by git.
  private func breakSome(_ box: BoxInTest, in path: String) throws -> Set<String> {
    let notes = try box.now.catalogue().entries.map(\.note).filter { !$0.frontMatter.fields.isEmpty }
    var broken: Set<String> = []
    for (index, note) in notes.prefix(20).enumerated() {
      guard let block = try note.text.frontMatter else { continue }
      var bytes = try note.text.bytes
      let fault = Self.faults[index % Self.faults.count]
      bytes.insert(contentsOf: Array(fault.utf8), at: block.lowerBound)
      let name = String(decoding: note.path, as: UTF8.self)
      try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      broken.insert(name)
    }
    _ = try run("git", ["commit", "-q", "-a", "-m", "break some"], in: path)
    return broken
  }

  @Test func placeholdersOfTemplatesAreTextsInTheSmallCorpus() throws {
    try placeholdersOfTemplatesAreTexts("small", count: 2)
  }

  /// Templates have `created: {{date}}`, which some readers of YAML refuse and libyaml takes for a map: to slip it is a
  /// text that changes like any other.
  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: [("kepano", 28)])
  func placeholdersOfTemplatesAreTexts(_ name: String, count: Int) throws {
    let (folder, box, _) = try adopted(name)
    let templates = try box.now.catalogue().entries.filter { entry in
      entry.note.frontMatter.fields.contains { $0.value.text?.hasPrefix("{{") == true }
    }
    #expect(templates.count == count)
    _ = try box.record(
      try ChangeNotes(in: box.now).plan(templates, [.set(field: "looked-at", value: "2026-11-21")]))
    let changed = try run("git", ["show", "--numstat", "--format=", "HEAD"], in: folder.path + "/box").output
    #expect(changed.split(separator: "\n").filter { $0.hasPrefix("1\t0\t") }.count == templates.count)
  }

  @Test func aChangeOfEveryNoteOfTheSmallCorpusCanBeReverted() throws {
    try aChangeOfEveryNoteIsOneCommitThatRevertTakesBack("small")
  }

  @Test(.enabled(if: Machine.hasCorpora, "needs ../shared/corpora"), arguments: names)
  func aChangeOfEveryNoteIsOneCommitThatRevertTakesBack(_ name: String) throws {
    let (folder, box, _) = try adopted(name)
    let path = folder.path + "/box"
    let writable = try box.now.catalogue().entries.filter { $0.note.frontMatter.isWritable }
    let before = try run("git", ["rev-parse", "HEAD^{tree}"], in: path).output
    let plan = try ChangeNotes(in: box.now).plan(
      writable, [.set(field: "looked-at", value: "2026-11-21"), .addTag("seen-by-slip")])
    let recorded = try box.record(plan)
    #expect(recorded.changes.count == writable.count)
    let stat = try run("git", ["show", "--numstat", "--format=", "HEAD"], in: path).output.split(
      separator: "\n")
    #expect(stat.count == writable.count)
    #expect(try run("git", ["status", "--porcelain"], in: path).output == "")
    #expect(try run("git", ["diff-files"], in: path).output == "")
    #expect(try run("git", ["revert", "--no-edit", "HEAD"], in: path).status == 0)
    #expect(try run("git", ["rev-parse", "HEAD^{tree}"], in: path).output == before)
    let fsck = try run("git", ["fsck", "--strict"], in: path)
    #expect(fsck.status == 0)
  }
}
