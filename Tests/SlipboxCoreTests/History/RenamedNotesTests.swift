import Foundation
import Git
import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The past of notes without ids that were renamed.
@Suite struct RenamedNotesTests {
  private static let text = "# Alpha\n\nThe first line.\nThe second line.\nThe third line.\n"

  @Test func `restores a version from before a rename in place`() throws {
    let vault = try RenamingVault(["Alpha.md": "# Alpha\n"])
    try vault.retitle("Alpha", to: "Beta")
    #expect(vault.text("Alpha.md") == nil && vault.text("Beta.md")?.contains("# Beta") == true)
    #expect(try vault.path(of: "Beta", at: "HEAD~1") == "Alpha.md")
    #expect(try vault.path(of: "Beta", at: "HEAD") == "Beta.md")
    let context = vault.circumstances()
    try vault.record { now in
      let point = try now.box.pastPoint("HEAD~1", context)
      return try RestoreNotes(now, context, reason: nil).plan(["Beta"], at: point).plan
    }
    #expect(vault.text("Beta.md") == "# Alpha\n" && vault.text("Alpha.md") == nil)
  }

  @Test(arguments: ["Alpha", "Beta", "Gamma"])
  func `restores in place by any name that the note had`(name: String) throws {
    let vault = try RenamingVault(["Alpha.md": Self.text])
    try vault.rename("Alpha.md", to: "Beta.md", Self.text + "More.\n")
    try vault.rename("Beta.md", to: "Gamma.md", Self.text + "Even more.\n")
    let context = vault.circumstances()
    let revision = name == "Beta" ? "HEAD~1" : "HEAD~2"
    try vault.record { now in
      let point = try now.box.pastPoint(revision, context)
      return try RestoreNotes(now, context, reason: nil).plan([name], at: point).plan
    }
    #expect(vault.text("Gamma.md") == (name == "Beta" ? Self.text + "More.\n" : Self.text))
    #expect(vault.text("Alpha.md") == nil && vault.text("Beta.md") == nil)
  }

  @Test func `follows two renames with changes by another program`() throws {
    let vault = try RenamingVault(["Alpha.md": Self.text])
    try vault.rename("Alpha.md", to: "Beta.md", Self.text + "More.\n")
    try vault.rename("Beta.md", to: "Notes/Gamma.md", Self.text + "Even more.\n")
    // Another note takes the first path.
    try vault.commit(["Alpha.md": "# Another\n\nNothing in common.\n"])
    let paths = try (0...3).map { try vault.path(of: "Notes/Gamma.md", at: "HEAD~\($0)") }
    #expect(paths == ["Notes/Gamma.md", "Notes/Gamma.md", "Beta.md", "Alpha.md"])
    #expect(try vault.path(of: "Alpha.md", at: "HEAD") == "Alpha.md")
    #expect(throws: SlipboxError.self) { try vault.path(of: "Alpha.md", at: "HEAD~1") }
  }

  @Test func `finds the earlier path in a commit of another branch`() throws {
    let vault = try RenamingVault(["Alpha.md": Self.text])
    try vault.folder.git("switch", "-q", "-c", "side")
    try vault.commit(["Other.md": "# Other\n"])
    try vault.folder.git("switch", "-q", "main")
    try vault.rename("Alpha.md", to: "Beta.md", Self.text + "More.\n")
    #expect(try vault.path(of: "Beta.md", at: "side") == "Alpha.md")
  }

  @Test func `dates a renamed note by its first commit`() throws {
    let vault = try RenamingVault(["Alpha.md": Self.text])
    try vault.rename("Alpha.md", to: "Beta.md", Self.text + "More.\n", date: "2027-02-03T04:05:06+00:00")
    try vault.rename("Beta.md", to: "Gamma.md", Self.text + "Less.\n", date: "2027-03-04T05:06:07+00:00")
    let (first, last) = (
      try vault.date("HEAD~2"), try NoteLookup(in: vault.open()).entry("Gamma.md", fuzzy: false).created
    )
    #expect(last.seconds == first)
  }

  /// The kept catalogue has the dates of an earlier commit; those that follow from later commits are looked up.
  @Test func `dates notes after later commits as a new read does`() throws {
    let vault = try RenamingVault(["Alpha.md": Self.text, "Keep.md": "# Keep\n", "Gone.md": "# Gone\n"])
    try vault.rename("Alpha.md", to: "Beta.md", Self.text + "More.\n", date: "2027-02-03T04:05:06+00:00")
    let kept = try vault.dates()
    try vault.commit(["Gone.md": nil], date: "2027-03-03T04:05:06+00:00")
    try vault.rename("Beta.md", to: "Gamma.md", Self.text + "Less.\n", date: "2027-04-04T05:06:07+00:00")
    try vault.commit(["Gone.md": "# Gone\n\nAnother note.\n"], date: "2027-05-05T05:06:07+00:00")
    let later = try vault.dates()
    #expect(later["Gamma.md"] == kept["Beta.md"] && later["Keep.md"] == kept["Keep.md"])
    #expect(later["Gone.md"] == (try vault.date("HEAD")))
    try vault.removeKeptFiles()
    #expect(try vault.dates() == later)
  }

  @Test(arguments: [1, 20, 25]) func `does not list a renamed note as deleted`(links: Int) throws {
    var files = ["Alpha.md": "# Alpha\n"]
    for number in 0..<links { files["N\(number).md"] = "# N\(number)\n\n[[Alpha]]\n" }
    let vault = try RenamingVault(files)
    try vault.retitle("Alpha", to: "Beta")
    #expect(try vault.deleted() == [])
    #expect(try vault.path(of: "Beta", at: "HEAD~1") == "Alpha.md")
    try vault.undo()
    #expect(vault.text("Alpha.md") == "# Alpha\n" && vault.text("Beta.md") == nil)
    #expect(try vault.deleted() == [])
  }

  @Test func `finds renames also in a commit with many`() throws {
    let count = 70
    let text = { (number: Int) in
      "# \(number)\n\nThe only line \(number).\nAnother line of \(number).\nCommon.\n"
    }
    let old = Dictionary(uniqueKeysWithValues: (0..<count).map { ("Old/Note \($0).md", text($0)) })
    let vault = try RenamingVault(old)
    var files: [String: String?] = old.mapValues { _ in nil }
    for number in 0..<count { files["New/Text \(number).md"] = text(number) + "Changed.\n" }
    // One note is deleted, and another one made.
    files["New/Text 7.md"] = "# Unlike\n\nNothing of it was anywhere.\n"
    try vault.commit(files)
    #expect(try vault.deleted() == ["Old/Note 7.md"])
    #expect(try vault.path(of: "New/Text 69.md", at: "HEAD~1") == "Old/Note 69.md")
  }
}

/// A vault of Obsidian that is a box, in which commands run one after the other.
private final class RenamingVault {
  let folder: TemporaryFolder
  private var seed: UInt64 = 1

  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try giveIdentity(folder.path)
    try folder.write(".obsidian/app.json", "{}")
    _ = try initialise(folder.path, context(in: folder.path))
    try commit(files)
  }

  /// The circumstances of the next command.
  func circumstances() -> CommandContext {
    seed += 1
    return context(in: folder.path, seed: seed)
  }

  func open() throws -> BoxSnapshot { try BoxOpening.snapshot(named: folder.bytes, circumstances()) }

  func text(_ path: String) -> String? { folder.read(path).map { String(decoding: $0, as: UTF8.self) } }

  // MARK: Changes

  func record(_ plan: (BoxSnapshot) throws -> Plan) throws {
    let now = try open()
    _ = try BoxWriter(now.box, circumstances(), after: now).record(try plan(now))
  }

  func retitle(_ name: String, to title: String) throws {
    try record { try Retitling($0).plan(try NoteLookup(in: $0).entry(name, fuzzy: false), to: title) }
  }

  func undo() throws {
    try record { now in
      try UndoOperation(in: now).plan(
        try #require(try PastOperations(in: now, on: "desk").nextUndo()), reason: nil
      ).plan
    }
  }

  /// Commits files with git; nil deletes one.
  func commit(_ files: [String: String?], date: String? = nil) throws {
    for (path, text) in files {
      if let text {
        try folder.write(path, text)
      } else {
        try FileManager.default.removeItem(atPath: folder.path + "/" + path)
      }
    }
    try folder.git("add", "-A")
    let dates = date.map { ["GIT_AUTHOR_DATE": $0, "GIT_COMMITTER_DATE": $0] } ?? [:]
    let made = try run(
      "git", ["commit", "-q", "-m", "By git"], in: folder.path,
      environment: testEnvironment.merging(dates) { $1 })
    try #require(made.status == 0, "\(made.errors)")
  }

  func rename(_ old: String, to new: String, _ text: String, date: String? = nil) throws {
    try commit([old: nil, new: text], date: date)
  }

  // MARK: The past

  /// The creation dates of the notes, by their paths, in seconds since 1970.
  func dates() throws -> [String: Int64] {
    let entries = try open().catalogue().entries.map {
      (String(decoding: $0.note.path, as: UTF8.self), $0.created.seconds)
    }
    return Dictionary(uniqueKeysWithValues: entries)
  }

  /// Removes what slip keeps to be fast.
  func removeKeptFiles() throws {
    try FileManager.default.removeItem(atPath: folder.path + "/.git/slipbox")
  }

  /// The path at a revision of a note that has a name now.
  func path(of name: String, at revision: String) throws -> String {
    let (now, context) = (try open(), circumstances())
    let past = try PastNotes(of: now, at: try now.box.pastPoint(revision, context), context)
    return String(decoding: try past.entry(name, fuzzy: false).note.path, as: UTF8.self)
  }

  /// The author's time of a commit.
  func date(_ revision: String) throws -> Int64? {
    Int64(
      try folder.git("log", "-1", "--format=%at", revision).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// The paths of the deleted notes.
  func deleted() throws -> [String] {
    let deleted = try #require(try DeletedNotes(of: try open(), circumstances()))
    return try deleted.snapshot.catalogue().entries.map { String(decoding: $0.note.path, as: UTF8.self) }
      .sorted()
  }
}
