import Git
import NoteIndex
import Notes
import SlipboxTesting
import Testing
import Text

@testable import SlipboxCore

/// Conflicts in notes and kinds, and notes that merges dropped.
@Suite struct ResolveConflictsTests {
  private static let note = "---\nid: kqzmvtrp\ntitle: A\nrating: 1\nstate: x\n---\none\n\nsame\n\ntwo\n"
  private static let ofPhone = ["9", "y", "uno\n", "dos\n"]
  private static let ofDesk = ["5", "z", "zwei\n", "eins\n"]

  private static func changed(_ values: [String]) -> String {
    note.replacing("rating: 1", with: "rating: \(values[0])").replacing(
      "state: x", with: "state: \(values[1])"
    )
    .replacing("one\n", with: values[2]).replacing("two\n", with: values[3])
  }

  /// The box of "desk", which has merged what "phone" changed differently.
  private func merged() throws -> UndoBox {
    let phone = try UndoBox(seed: 1, device: "phone")
    try phone.write([("a.md", Self.note)])
    let desk = try UndoBox(cloning: phone, device: "desk")
    try phone.write([("a.md", Self.changed(Self.ofPhone))])
    try desk.write([("a.md", Self.changed(Self.ofDesk))])
    try desk.folder.git("fetch", "-q", phone.folder.path, "main:refs/remotes/there/main")
    let id = try #require(ObjectID(hex: desk.folder.git("rev-parse", "there/main").utf8.prefix(40)))
    _ = try desk.open().writer.take(id, named: "there/main", allowsLosses: false)
    return desk
  }

  /// The values of a version of all parts, with the devices that the note names.
  private func version(_ number: Int, in box: UndoBox) throws -> (values: [String], devices: Set<String>) {
    let snapshot = try box.open().snapshot
    let entry = try NoteLookup(in: snapshot).entry("kqzmvtrp", fuzzy: false)
    let conflicts = try ResolveConflicts(in: snapshot).conflicts(of: entry)
    #expect(!NoteConflict.mayMixSides(conflicts))
    let versions = conflicts.map { $0.versions[number - 1] }
    return (
      versions.map { $0.value?.text ?? String(decoding: $0.text ?? [], as: UTF8.self) },
      Set(versions.map(\.device))
    )
  }

  @Test func `a number means the same device after a resolution was undone`() throws {
    let box = try merged()
    let first = try version(1, in: box)
    #expect(first.values == Self.ofPhone || first.values == Self.ofDesk, "\(first.values)")
    #expect(first.devices.count == 1)
    try box.record { snapshot in
      let entry = try NoteLookup(in: snapshot).entry("kqzmvtrp", fuzzy: false)
      return try ResolveConflicts(in: snapshot).plan(entry, .version(2), fields: [], reason: nil)
    }
    #expect(try box.undo() == .done)
    for number in [1, 2] {
      let again = try version(number, in: box)
      let isPhone = (number == 1) == (first.values == Self.ofPhone)
      #expect(again.values == (isPhone ? Self.ofPhone : Self.ofDesk), "\(again.values)")
      #expect(again.devices.count == 1)
    }
  }

  /// A kind with a list of values, and a note whose field `conflicts` has another one.
  @Test(arguments: [("b", true, true), ("bogus", true, false), ("bogus", false, true)])
  func `only a value that a device had stored may break the kind`(
    value: String, isValid: Bool, isKept: Bool
  ) throws {
    let kind = "fields:\n  state: {type: choice, values: [a, b]}\n"
    let note = { (state: String, conflicts: String) in
      "---\nid: kqzmvtrp\nkind: film\ntitle: A\nstate: \(state)\n\(conflicts)---\ntext\n"
    }
    let box = try WritingBox([
      ".slipbox/kinds/film.yaml": kind, "a.md": note(isValid ? "a" : value, ""),
    ])
    try box.folder.write("a.md", note("a", "conflicts:\n  - \"state: \(value)\"\n"))
    try box.folder.git("commit", "-qam", "conflict")
    let snapshot = try box.snapshot()
    let entry = try NoteLookup(in: snapshot).entry("kqzmvtrp", fuzzy: false)
    let plan = { try ResolveConflicts(in: snapshot).plan(entry, .version(2), fields: [], reason: nil) }
    if isKept {
      _ = try plan()
      #expect(box.listener.messages.contains { $0.contains("state") } == !isValid)
    } else {
      let error = #expect(throws: SlipboxError.self) { _ = try plan() }
      #expect(error?.kind == .badData && error?.message.description.contains("state") == true)
    }
  }

  private func healed(_ kind: String) throws -> (text: String, note: Healing.DamagedNote) {
    let box = try WritingBox([".slipbox/kinds/film.yaml": kind])
    let context = context(in: box.folder.path)
    let snapshot = try BoxOpening.snapshot(named: box.folder.bytes, isLenient: true, context)
    let damage = try Healer(snapshot, context).damage(of: []).notes
    let note = try #require(damage.first)
    let text = try #require(note.repairs.first?.after)
    return (String(decoding: text, as: UTF8.self), note)
  }

  @Test(arguments: [
    ("  x: {type: text}\n", "  y: {type: integer}\n", ["x", "y"]),
    ("  x:\n    type: text\n", "  y:\n    type: integer\n  z:\n    type: date\n", ["x", "y", "z"]),
  ])
  func `fields that both sides added to a kind stay`(one: String, other: String, names: [String]) throws {
    let (text, note) = try healed(
      "fields:\n  a: {type: text}\n<<<<<<< HEAD\n\(one)=======\n\(other)>>>>>>> other\ncomment: c\n")
    for name in ["a"] + names { #expect(text.contains("\n  \(name):"), "\(text)") }
    #expect(text.hasSuffix("comment: c\n") && !note.leavesComments, "\(text)")
  }

  @Test(arguments: [
    ("  x: {type: text}\n", "  x: {type: integer}\n"), ("comment: mine\n", "comment: theirs\n"),
  ])
  func `a key that both sides set is kept in a comment and reported`(one: String, other: String) throws {
    let (text, note) = try healed("fields:\n<<<<<<< HEAD\n\(one)=======\n\(other)>>>>>>> other\n")
    #expect(text.contains("\n# slip: not taken: ") && note.leavesComments, "\(text)")
    for value in [one, other] {
      let word = value.split { !$0.isLetter }.last ?? ""
      #expect(text.contains(word), "\(text)")
    }
  }

  @Test(arguments: ["-s ours", "-s ours --no-commit"])
  func `a note that a merge dropped is listed as deleted and restored`(option: String) throws {
    let box = try UndoBox(seed: 3)
    try box.write([("a.md", "# A\n"), ("moved.md", "# Moved\n")])
    try box.folder.git("switch", "-q", "-c", "side")
    try box.write([("gone.md", "---\nid: bcdfghjk\ntitle: Gone\n---\nfirst\n"), ("plain.md", "# Plain\n")])
    try box.write([("gone.md", "---\nid: bcdfghjk\ntitle: Gone\n---\nlast\n")])
    try box.write([("a.md", "# A\n\nside\n")])
    try box.folder.git("mv", "moved.md", "elsewhere.md")
    try box.folder.git("commit", "-q", "-m", "move")
    try box.folder.git("switch", "-q", "main")
    try box.write([("b.md", "# B\n")])
    let words = ["merge", "-q", "side"] + option.split(separator: " ").map(String.init)
    #expect(try run("git", words, in: box.folder.path).status == 0)
    if option.contains("no-commit") { try box.folder.git("commit", "-q", "--no-edit") }
    try box.write([("b.md", "# B\n\nlater\n")])
    let (snapshot, _) = try box.open()
    let deleted = try #require(try DeletedNotes(of: snapshot, box.circumstances()))
    let titles = try deleted.snapshot.catalogue().entries.map(\.note.title).sorted()
    #expect(titles == ["Gone", "Plain"])
    let gone = try #require(try deleted.entry(named: "bcdfghjk"))
    let deletion = try #require(deleted.deletion(of: gone.note))
    #expect(try box.folder.git("show", "\(deletion.before):gone.md").hasSuffix("last\n"))
    try box.record { try RestoreNotes($0, box.circumstances(), reason: nil).plan(["bcdfghjk"]).plan }
    #expect(box.text("gone.md")?.hasSuffix("last\n") == true)
    let left = try #require(try DeletedNotes(of: try box.open().snapshot, box.circumstances()))
    #expect(try left.snapshot.catalogue().entries.map(\.note.title) == ["Plain"])
  }
}
