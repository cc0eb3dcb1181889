import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// The records of a sample box: valid by their kinds, written as slip writes, the same for the same seed.
@Suite struct SampleTests {
  private static func records(_ count: Int, seed: UInt64 = 7) -> [SampleRecord] {
    var maker = SampleMaker(clock: standingClock, random: SampleRandom(seed: seed))
    return maker.records(SampleCounts(total: count))
  }

  private static func note(_ record: SampleRecord) -> Note {
    let path = FileName.path(for: record.title, id: record.id, created: record.created)
    return Note(path: path, text: record.text)
  }

  @Test(arguments: [1, 2, 5, 20, 125, 1000]) func thereAreAsManyAsAskedFor(_ count: Int) {
    let counts = SampleCounts(total: count)
    #expect(SampleCounts.usual.reduce(0) { $0 + counts[$1.kind] } == count)
    #expect(Self.records(count).count == count)
  }

  @Test func theUsualBoxHasFiveTagsOfTenIssues() {
    let records = Self.records(SampleRequest.usualCount)
    for (kind, count) in SampleCounts.usual { #expect(records.filter { $0.kind == kind }.count == count) }
    for area in IssueWords.areas { #expect(records.filter { $0.tags.contains(area.tag) }.count == 10) }
    #expect(records.contains { $0.tags.contains { $0.contains("/") } })
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func everyRecordKeepsItsKind(_ seed: UInt64) throws {
    let records = Self.records(1500, seed: seed)
    let groups = Set(records.filter { $0.kind == "group" }.map(\.id.description))
    let editor = RecordEditor(schema: .builtIn, clock: standingClock) { kind, name in
      kind == "group" && groups.contains(name) ? .found(name) : .none
    }
    for record in records {
      let note = Self.note(record)
      let problems = editor.problems(in: note)
      #expect(problems == [], "\(note.title): \(problems.map(\.message))")
    }
  }

  @Test func frontMatterReadsBack() throws {
    for record in Self.records(1500) {
      let note = Self.note(record)
      #expect(note.frontMatter.problems == [])
      #expect(note.id == record.id && note.kind == record.kind && note.created == record.created)
      #expect(note.title.utf8.elementsEqual(record.title.utf8))
      #expect(note.tags == record.tags)
      for field in record.fields { #expect(note.frontMatter[field.name] == .text(field.value)) }
      #expect(
        note.frontMatter.fields.count == record.fields.count + 3
          + (record.kind == "note" ? 0 : 1) + (record.tags.isEmpty ? 0 : 1))
    }
  }

  /// What `new` writes for the same fields, byte for byte.
  @Test func theFormIsThatOfNew() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    for record in Self.records(60) where !record.fields.contains(where: { $0.name == "group" }) {
      let changes =
        [Change.set(field: "created", value: record.created.rfc3339)]
        + record.tags.map { .addTag($0) } + record.fields.map { .set(field: $0.name, value: $0.value) }
      let draft = Draft(
        kind: record.kind, title: record.title, changes: changes, body: Array(record.body.utf8))
      let written = try box.text(of: draft, id: record.id)
      #expect(
        String(decoding: written.bytes, as: UTF8.self) == String(decoding: record.text.bytes, as: UTF8.self))
    }
  }

  @Test func theSameSeedGivesTheSameRecords() {
    let first = Self.records(300).map(\.text.bytes)
    #expect(first == Self.records(300).map(\.text.bytes))
    #expect(first != Self.records(300, seed: 8).map(\.text.bytes))
  }

  @Test func titlesAndIDsAreTakenOnce() {
    let records = Self.records(4000)
    #expect(Set(records.map(\.id)).count == records.count)
    #expect(Set(records.map { $0.title.lowercased() }).count == records.count)
  }

  @Test func linksLeadToOtherNotes() {
    let notes = Self.records(500).filter { $0.kind == "note" }.map(Self.note)
    let titles = Set(notes.map(\.title))
    for note in notes {
      #expect(!note.links.isEmpty, "\(note.title)")
      for link in note.links { #expect(titles.contains(link.target) && link.target != note.title) }
    }
  }

  @Test func everyListShowsSomething() {
    let today = standingClock.today.description
    let tasks = Self.records(SampleRequest.usualCount).filter { $0.kind == "task" }
      .map { Dictionary($0.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }) }
    #expect(tasks.contains { $0["my-day"] == today })
    #expect(tasks.contains { $0["done"] == "false" && $0["due"].map { $0 < today } == true })
    #expect(tasks.contains { $0["done"] == "true" && $0["finished"] != nil })
    #expect(tasks.contains { $0["group"] != nil } && tasks.contains { $0["group"] == nil })
  }

  @Test func datesLieInTheTwoYearsBeforeToday() {
    let today = standingClock.today
    let records = Self.records(600)
    for record in records {
      #expect(
        record.created.civilDate < today && record.created.civilDate >= today.adding(days: -SampleMaker.days))
    }
    let months = Set(records.map { $0.created.civilDate.description.prefix(7) })
    #expect(months.count >= 24)
  }

  /// No pattern is left open, and every text is a few sentences long.
  @Test func textsAreWhole() {
    for record in Self.records(3000) {
      #expect(!record.title.contains("{") && !record.body.contains("{"), "\(record.title)")
      #expect(record.body.hasSuffix(".\n") && !record.body.contains("  "), "\(record.body)")
      let sentences = record.body.split(whereSeparator: { $0 == "." || $0 == "\n" }).filter { $0.count > 3 }
        .count
      #expect((2...12).contains(sentences), "\(sentences): \(record.body)")
    }
  }
}

/// A sample box as it is made, refused and emptied.
@Suite struct SampleBoxTests {
  private func files(_ folder: TemporaryFolder) throws -> [Substring] {
    try folder.git("ls-tree", "-r", "HEAD").split(separator: "\n").filter { $0.hasSuffix(".md") }
  }

  @Test func isOneCommitAndTheSameForTheSameSeed() throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    for folder in [first, second] {
      let box = try makeBox(in: folder)
      let commits = try folder.git("rev-list", "--count", "HEAD")
      _ = try box.record(try box.sampling(SampleRequest(count: 40, seed: 5)))
      #expect(try folder.git("rev-list", "--count", "HEAD") != commits)
      #expect(try folder.git("rev-list", "--count", "HEAD~1") == commits)
      #expect(try folder.git("status", "--porcelain") == "")
      #expect(try box.catalogue().entries.count == 40)
    }
    #expect(try files(first) == files(second))
  }

  @Test func isRefusedWhereThereAreNotes() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    _ = try box.record(try box.sampling(SampleRequest(count: 10, seed: 5)))
    let refusal = #expect(throws: SlipboxError.self) { try box.sampling(SampleRequest(count: 10, seed: 5)) }
    #expect(refusal?.kind == .badData)
    _ = try box.record(try box.sampling(SampleRequest(count: 10, seed: 5, isForced: true)))
    let entries = try box.catalogue().entries
    #expect(entries.count == 20 && Set(entries.compactMap(\.note.id)).count == 20)
    #expect(Set(entries.map(\.note.title)).count == 20)
  }

  @Test func deletingAllLeavesAnEmptyBox() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    _ = try box.record(try box.sampling(SampleRequest(count: 30)))
    let (plan, entries) = try box.deletingAll(reason: "enough")
    #expect(entries.count == 30)
    _ = try box.record(plan)
    #expect(try box.catalogue().entries.isEmpty)
    #expect(try folder.git("log", "-1", "--format=%s") == "Delete 30 notes\n")
    #expect(try box.deletingAll().entries.isEmpty)
  }

  /// What a box declares otherwise is left out, with one line for each kind; the rest is as sound as ever.
  @Test(arguments: [
    ("book", "fields:\n  isbn: {type: text, required: true}\n", 105, ["kind book, which"]),
    (
      "group", "fields:\n  owner: {type: text, required: true}\n", 90,
      ["kind group, which", "kind task, which"]
    ),
    (
      "recipe", "match: NOT has:kind\nfields:\n  servings: {type: integer, required: true}\n", 105,
      ["kind note, which"]
    ),
    ("recipe", "fields:\n  servings: {type: integer, required: true}\n", 125, []),
  ])
  func keepsTheKindsOfTheBox(_ kind: String, _ declaration: String, _ count: Int, _ said: [String]) throws {
    let folder = try TemporaryFolder()
    let root = try makeBox(in: folder).root
    try folder.write(".slipbox/kinds/\(kind).yaml", declaration)
    let listener = Listener()
    let box = try Slipbox(at: root, surroundings(in: folder.path, listener))
    _ = try box.record(try box.sampling(SampleRequest(seed: 3)))
    #expect(try box.catalogue().entries.count == count)
    #expect(try box.findings().map(\.message) == [])
    #expect(listener.messages.count == said.count, "\(listener.messages)")
    for (message, part) in zip(listener.messages, said) { #expect(message.contains(part), "\(message)") }
  }

  @Test func isRefusedWhereNoSampleIsAllowed() throws {
    let folder = try TemporaryFolder()
    let root = try makeBox(in: folder).root
    try folder.write(".slipbox/kinds/issue.yaml", "fields:\n  owner: {type: text, required: true}\n")
    let box = try Slipbox(at: root, surroundings(in: folder.path))
    let refusal = #expect(throws: SlipboxError.self) { try box.sampling(SampleRequest(count: 1, seed: 3)) }
    #expect(refusal?.kind == .badData)
  }
}
