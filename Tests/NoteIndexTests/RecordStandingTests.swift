import NoteIndex
import Notes
import Testing

/// What is put off, what blocks what, and what presses.
@Suite struct RecordStandingTests {
  private static let errand = """
    active: NOT stage:over
    waiting: from:tomorrow.. OR +someday
    fields:
      stage: {type: choice, values: [new, over], default: new}
      from: date
      after: {type: list of reference, to: errand, blocking: true}
      needs: {type: reference, to: task, blocking: true}
      likes: {type: reference, to: errand}
    urgency:
      - stage:new 1.5
      - is:blocking 2
      - is:blocked -0.25
      - has:from 10
    """

  /// Today is 2026-11-21.
  private static let box = KindBox(
    kinds: ["errand": errand],
    [
      "t1": "kind: task\nid: bbbbbbbb\ntitle: Buy paint",
      "t2": "kind: task\ntitle: Paint\ndepends: [bbbbbbbb]\ndue: 2026-11-20\npriority: high",
      "t3": "kind: task\ntitle: Dry\ndepends: t2.md",
      "t4": "kind: task\ntitle: Done\ndone: true\nid: cccccccc",
      "t5": "kind: task\ntitle: Free\ndepends: [cccccccc, nobody]",
      "t6": "kind: task\ntitle: Over\ndone: true\ndepends: [bbbbbbbb]",
      "w1": "kind: task\ntitle: Later\nwait: 2026-11-22\nid: dddddddd\ndue: 2026-11-01",
      "w2": "kind: task\ntitle: Today\nwait: 2026-11-21",
      "w3": "kind: task\ntitle: Gone\nwait: 2026-12-01\ndone: true",
      "w4": "kind: task\ntitle: After later\ndepends: [dddddddd]",
      "e1": "kind: errand\ntitle: A\nid: ffffffff\nneeds: bbbbbbbb",
      "e2": "kind: errand\ntitle: B\nafter: [ffffffff]\nlikes: ffffffff",
      "e3": "kind: errand\ntitle: C\nafter: [ffffffff]\nstage: over",
      "e4": "kind: errand\ntitle: D\ntags: [someday]",
      "n1": "title: Plain\ndepends: [bbbbbbbb]\nwait: 2027-01-01\nurgency: 3",
    ])

  @Test(arguments: [
    ("is:waiting", "e4 w1"),
    ("is:active kind:task", "t1 t2 t3 t5 w2 w4"),
    ("NOT is:active", "e3 e4 t4 t6 w1 w3"),
    ("kind:errand is:active", "e1 e2"),
    ("is:blocked", "e1 e2 t2 t3 w4"),
    ("is:blocking", "e1 t1 t2 w1"),
    ("is:blocked,waiting", "e1 e2 e4 t2 t3 w1 w4"),
    ("is:blocked is:blocking", "e1 t2"),
    ("NOT is:blocked kind:task is:active", "t1 t5 w2"),
    ("is:blocked OR title:Plain", "e1 e2 n1 t2 t3 w4"),
    ("@overdue", "t2"),
    ("@waiting", "e4 w1"),
    ("depends:bbbbbbbb", "n1 t2 t6"),
  ])
  func queries(_ query: String, _ expected: String) throws {
    #expect(try Self.box.set(query) == expected, "\(query)")
  }

  @Test func urgencySorts() throws {
    #expect(try Self.box.found(["kind:errand", "sort:-urgency"]) == "e1 e4 e2 e3")
    #expect(try Self.box.found(["kind:errand", "sort:urgency"]) == "e2 e4 e1 e3")
    let tasks = try Self.box.found(["kind:task", "sort:-urgency"]).split(separator: " ")
    #expect(tasks.prefix(2) == ["t2", "w1"] && Set(tasks.suffix(3)) == ["t4", "t6", "w3"])
    // What no kind knows the urgency of goes by the field that it has.
    #expect(try Self.box.found(["is:untitled OR title:Plain OR title:C", "sort:-urgency"]) == "n1 e3")
  }

  @Test func urgencyIsExplained() throws {
    let meter = Self.box.catalogue.urgencyMeter(Self.box.schema, clock: clock)
    let entry = { (path: String) in
      try #require(Self.box.catalogue.entry(path: Array("\(path).md".utf8)))
    }
    #expect(
      meter.terms(of: try entry("e1"))?.map(\.sentence) == [
        "stage:new 1.5", "is:blocking 2", "is:blocked -0.25",
      ])
    #expect(meter.urgency(of: try entry("e1"))?.description == "3.25")
    #expect(meter.terms(of: try entry("e3")) == nil)
    #expect(meter.terms(of: try entry("n1")) == nil)
  }

  private static func dependencies(_ box: KindBox) -> Dependencies {
    Dependencies(
      box.catalogue, box.schema, open: ActiveTest(.open, schema: box.schema, clock: clock), executor: nil)
  }

  @Test func ringsAreFound() throws {
    let box = KindBox([
      "a": "kind: task\nid: bbbbbbbb\ndepends: [cccccccc]",
      "b": "kind: task\nid: cccccccc\ndepends: [dddddddd, ffffffff]",
      "c": "kind: task\nid: dddddddd\ndepends: [bbbbbbbb]\ndone: true",
      "d": "kind: task\nid: ffffffff",
      "e": "kind: task\nid: gggggggg\ndepends: [gggggggg]",
      "f": "kind: task\nid: hhhhhhhh\ndepends: [bbbbbbbb]",
    ])
    let names = { (places: [Int]) in
      places.map { String(decoding: box.catalogue.entries[$0].note.path.dropLast(3), as: UTF8.self) }
    }
    let rings = Self.dependencies(box).rings.map { names($0).sorted() }.sorted { $0[0] < $1[0] }
    #expect(rings == [["a", "b", "c"], ["e"]])
    let all = Self.dependencies(box)
    let place = { (name: String) in try #require(box.catalogue.place(path: Array("\(name).md".utf8))) }
    #expect(names(try #require(all.way(from: [place("f")], to: place("d")))) == ["f", "a", "b", "d"])
    #expect(all.way(from: [try place("d")], to: try place("a")) == nil)
    #expect(names(all.blockers(of: try place("b"))) == ["d"])
    #expect(names(all.blocked(by: try place("a"))) == ["f"])
  }

  @Test(arguments: [
    (
      "active: is:waiting", "active",
      "is:waiting refers to itself here: active: of thing, is:waiting, active: of thing"
    ),
    (
      "waiting: is:active", "waiting",
      "is:active refers to itself here: waiting: of thing, is:active, waiting: of thing"
    ),
    ("waiting: is:blocked", "waiting", "is:blocked can't be used here: it depends on other notes"),
    ("match: is:blocking", "match", "is:blocking can't be used here: it depends on other notes"),
    ("urgency:\n  - bread 2", "urgency", "words can't be searched here: that would read every note"),
    ("urgency:\n  - is:orphan 2", "urgency", "is:orphan can't be used here: it depends on other notes"),
    ("urgency:\n  - modified:7d 2", "urgency", "modified: can't be used here"),
    ("fields:\n  a: date\nurgency:\n  - a:soonish 2", "urgency", "a: soonish is not a date"),
  ])
  func queriesThatAKindCanNotDeclare(_ file: String, _ key: String, _ message: String) throws {
    let schema = Schema.reading([("thing.yaml", Array(file.utf8))]).schema
    let problem = try #require(KindMatcher(schema, clock: clock).problems.first)
    #expect(problem.key == key && problem.error.message == message, "\(problem.error.message)")
    #expect((problem.index != nil) == (key == "urgency"))
  }
}
