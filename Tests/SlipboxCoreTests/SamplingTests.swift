import NoteIndex
import Notes
import SampleBox
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// A sample box as it is made, refused and emptied.
@Suite struct SamplingTests {
  private func records(_ count: Int, seed: UInt64, _ taken: NamesInUse? = nil) -> [SampleRecord] {
    var maker = SampleMaker(
      clock: standingClock, seed: seed, takenIDs: taken?.ids ?? [], takenTitles: taken?.titles ?? [])
    return maker.records(SampleCounts(total: count))
  }

  /// The plan that adds records, made clear of the names in the box.
  private func sampling(
    _ box: BoxInTest, _ count: Int, seed: UInt64, isForced: Bool = false
  ) throws -> Plan {
    let taken = try AddSamples(in: box.now).namesInUse(isForced: isForced)
    return try AddSamples(in: box.now).plan(
      records(count, seed: seed, taken).map { record in
        PreparedNote(
          id: record.id, title: record.title, kind: record.kind, created: record.created, text: record.text)
      })
  }

  private func files(_ folder: TemporaryFolder) throws -> [Substring] {
    try folder.git("ls-tree", "-r", "HEAD").split(separator: "\n").filter { $0.hasSuffix(".md") }
  }

  @Test func isOneCommitAndTheSameForTheSameSeed() throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    for folder in [first, second] {
      let box = try makeBox(in: folder)
      let commits = try folder.git("rev-list", "--count", "HEAD")
      _ = try box.record(try sampling(box, 40, seed: 5))
      #expect(try folder.git("rev-list", "--count", "HEAD") != commits)
      #expect(try folder.git("rev-list", "--count", "HEAD~1") == commits)
      #expect(try folder.git("status", "--porcelain") == "")
      #expect(try box.now.catalogue().entries.count == 40)
    }
    #expect(try files(first) == files(second))
  }

  @Test func isRefusedWhereThereAreNotes() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    _ = try box.record(try sampling(box, 10, seed: 5))
    let refusal = #expect(throws: SlipboxError.self) { try sampling(box, 10, seed: 5) }
    #expect(refusal?.kind == .badData)
    _ = try box.record(try sampling(box, 10, seed: 5, isForced: true))
    let entries = try box.now.catalogue().entries
    #expect(entries.count == 20 && Set(entries.compactMap(\.note.id)).count == 20)
    #expect(Set(entries.map(\.note.title)).count == 20)
  }

  @Test func deletingAllLeavesAnEmptyBox() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    _ = try box.record(try sampling(box, 30, seed: 1))
    let (plan, entries) = try DeleteNotes(in: box.now).planForAll(reason: "enough")
    #expect(entries.count == 30)
    _ = try box.record(plan)
    #expect(try box.now.catalogue().entries.isEmpty)
    #expect(try folder.git("log", "-1", "--format=%s") == "Delete 30 notes\n")
    #expect(try DeleteNotes(in: box.now).planForAll().entries.isEmpty)
  }

  /// What a box declares otherwise is left out, with one line for each kind; the rest is as sound as ever.
  @Test(arguments: [
    ("book", "fields:\n  isbn: {type: text, required: true}\n", 105, ["kind book, because"]),
    (
      "group", "fields:\n  owner: {type: text, required: true}\n", 90,
      ["kind group, because", "kind task, because"]
    ),
    (
      "recipe", "match: NOT has:kind\nfields:\n  servings: {type: integer, required: true}\n", 105,
      ["kind note, because"]
    ),
    ("recipe", "fields:\n  servings: {type: integer, required: true}\n", 125, []),
  ])
  func keepsTheKindsOfTheBox(_ kind: String, _ declaration: String, _ count: Int, _ said: [String]) throws {
    let folder = try TemporaryFolder()
    let root = try makeBox(in: folder).root
    try folder.write(".slipbox/kinds/\(kind).yaml", declaration)
    let listener = Listener()
    let box = try BoxInTest(at: root, context(in: folder.path, listener))
    _ = try box.record(try sampling(box, SampleCounts.usualTotal, seed: 3))
    #expect(try box.now.catalogue().entries.count == count)
    #expect(try BoxCheck(in: try box.now).findings().map(\.message) == [])
    #expect(listener.messages.count == said.count, "\(listener.messages)")
    for (message, part) in zip(listener.messages, said) { #expect(message.contains(part), "\(message)") }
  }

  @Test func isRefusedWhereNoSampleIsAllowed() throws {
    let folder = try TemporaryFolder()
    let root = try makeBox(in: folder).root
    try folder.write(".slipbox/kinds/issue.yaml", "fields:\n  owner: {type: text, required: true}\n")
    let box = try BoxInTest(at: root, context(in: folder.path))
    let refusal = #expect(throws: SlipboxError.self) { try sampling(box, 1, seed: 3) }
    #expect(refusal?.kind == .badData)
  }

  /// What `new` writes for the same fields, byte for byte.
  @Test func theFormIsThatOfNew() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    for record in records(60, seed: 7) where !record.fields.contains(where: { $0.name == "group" }) {
      let changes =
        [Change.set(field: "created", value: record.created.rfc3339)]
        + record.tags.map { .addTag($0) } + record.fields.map { .set(field: $0.name, value: $0.value) }
      let draft = Draft(
        kind: record.kind, title: record.title, changes: changes, body: Array(record.body.utf8))
      let written = try CreateNote(in: box.now).text(of: draft, id: record.id)
      #expect(
        String(decoding: written.bytes, as: UTF8.self) == String(decoding: record.text.bytes, as: UTF8.self))
    }
  }
}
