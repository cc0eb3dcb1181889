import Bytes
import Notes
import Testing

@Suite struct KindsFileTests {
  @Test(arguments: Schema.builtIn.kinds) func theTableReadsBackFromItsPrint(_ kind: Kind) throws {
    let (schema, problems) = Schema.reading([("\(kind.name).yaml", Array(kind.declaration.utf8))])
    #expect(problems.isEmpty)
    #expect(schema.kinds == Schema.builtIn.kinds, "\(kind.declaration)")
  }

  /// Each mistake in a file `pet.yaml`, with the line it stands on and what is said of it.
  static let mistakes: [(String, Int, String)] = [
    ("", 1, "the file declares nothing"),
    ("# nothing\n", 1, "the file declares nothing"),
    ("- a\n", 1, "the file: expected a map with keys such as comment:"),
    ("feilds:\n  a: text\n", 1, "the file: unknown key feilds; did you mean fields?"),
    ("\ncommand: rm -rf\n", 2, "the file: unknown key command; did you mean comment?"),
    (
      "run: ls\n", 1,
      "the file: unknown key run; use one of comment, extends, fields, constraints, transitions, actions, active, waiting, match, key, sort, urgency, row"
    ),
    ("fields: [a]\n", 1, "fields: expected a map with NAME: ..."),
    ("fields:\n  a: txet\n", 2, "a: unknown type txet; did you mean text?"),
    (
      "fields:\n  a: 12\n", 2,
      "a: unknown type 12; expected one of text, integer, boolean, date, moment, recurrence, choice, tags, reference, list of TYPE"
    ),
    (
      "fields:\n  a: {required: true}\n", 2,
      "a: type: is missing; expected one of text, integer, boolean, date, moment, recurrence, choice, tags, reference, list of TYPE"
    ),
    ("fields:\n  a: [text]\n", 2, "a: expected a type, or a map with type:"),
    ("fields:\n  a: {type: text, requierd: true}\n", 2, "a: unknown key requierd; did you mean required?"),
    ("fields:\n  a:\n    type: text\n    required: perhaps\n", 4, "a: required: expected true or false"),
    ("fields:\n  a:\n    type: integer\n    min: few\n", 4, "a: min: expected a whole number"),
    ("fields:\n  a:\n    type: integer\n    min: 5\n    max: 1\n", 2, "a: min 5 is above max 1"),
    ("fields:\n  a:\n    type: text\n    max: 1\n", 4, "a: max is only for integer, and this field is text"),
    (
      "fields:\n  a:\n    type: text\n    looks: back\n", 4,
      "a: looks is only for date and moment, and this field is text"
    ),
    ("fields:\n  a:\n    type: date\n    looks: down\n", 4, "a: looks: expected one of back, ahead"),
    ("fields:\n  a: choice\n", 2, "a: values: is missing; expected a list of choices"),
    ("fields:\n  a: {type: choice, values: [b, B]}\n", 2, "a: the choice B occurs twice here"),
    (
      "fields:\n  a: {type: choice, values: [b, {c: d}]}\n", 2,
      "a: values: expected a list of choices from low to high"
    ),
    (
      "fields:\n  a: {type: choice, values: ['b, c']}\n", 2,
      "a: a choice can't be empty, have surrounding spaces, or contain a comma or control character"
    ),
    (
      "fields:\n  a: {type: choice, values: [b, c], default: d}\n", 2,
      "default: a: d is not one of its values: b, c"
    ),
    (
      "fields:\n  a: {type: integer, max: 5, default: 6}\n", 2,
      "default: a: 6 is not a whole number, 5 or less"
    ),
    (
      "fields:\n  a: {type: date, default: soon}\n", 2,
      "default: a: soon is not a date (2026-11-21, today, friday, dec 5, 3d)"
    ),
    ("fields:\n  a: reference\n", 2, "a: to: is missing; expected a kind"),
    ("fields:\n  a: {type: reference, to: bok}\n", 2, "a: to: there is no kind bok; did you mean book?"),
    (
      "fields:\n  a: {type: reference, to: book, on-delete: weep}\n", 2,
      "a: on-delete: expected one of deny, detach, cascade"
    ),
    ("fields:\n  a: text\n  a: date\n", 3, "a occurs twice here, first on line 2"),
    ("fields:\n  a: text\n  A: date\n", 3, "A: declared twice; names ignore case"),
    ("fields:\n  title: integer\n", 2, "title: declared as integer, but it is text in every note"),
    ("fields:\n  id: text\n", 2, "id: the id of a note can't change"),
    ("fields:\n  '12': text\n", 2, "fields: 12 is not a valid field name"),
    (
      "constraints:\n  - a < b\n", 2,
      "constraints: expected 'FIELD <= FIELD' or 'FIELD only where FIELD is VALUE, VALUE', not 'a < b'"
    ),
    ("constraints: a <= b\n", 1, "constraints: expected a list, with one element per line after '- '"),
    (
      "fields:\n  born: date\nconstraints:\n  - bron <= created\n", 4,
      "constraints: there is no field bron; did you mean born?"
    ),
    (
      "fields:\n  born: date\n  size: integer\nconstraints:\n  - born <= size\n", 5,
      "constraints: expected dates or whole numbers on both sides of <="
    ),
    (
      "fields:\n  born: date\nconstraints:\n  - born <= born\n", 4,
      "constraints: the same field occurs twice here"
    ),
    (
      "fields:\n  born: date\n  state: {type: choice, values: [egg, dog]}\nconstraints:\n  - born only where state is cat\n",
      5,
      "constraints: state: cat is not one of its values: egg, dog"
    ),
    (
      "fields:\n  state: {type: choice, values: [egg, dog]}\ntransitions:\n  - field: state\n    to: cat\n    clear: tags\n",
      4,
      "transitions: to: state: cat is not one of its values: egg, dog"
    ),
    (
      "transitions:\n  - field: title\n    to: x\n", 2,
      "transitions: expected append:, set:, copy:, clear: or next:"
    ),
    (
      "transitions:\n  - to: x\n    clear: tags\n", 2,
      "transitions: field: is missing; expected a field"
    ),
    (
      "transitions:\n  - {field: title, clear: titel}\n", 2,
      "transitions: there is no field titel; did you mean title?"
    ),
    (
      "transitions:\n  - {field: title, clear: title}\n", 2,
      "transitions: title can't be set by its own transition"
    ),
    (
      "fields:\n  born: date\ntransitions:\n  - {field: title, copy: {born: title}}\n", 4,
      "transitions: copy: title and born are of two types: text and date"
    ),
    (
      "fields:\n  born: date\ntransitions:\n  - {field: title, set: {born: soon}}\n", 4,
      "transitions: set: born: soon is not a date (2026-11-21, today, friday, dec 5, 3d)"
    ),
    (
      "transitions:\n  - {field: tags, from: a, clear: title}\n", 2,
      "transitions: tags is a list: leave out from: and to:"
    ),
    (
      "actions:\n  feed: well fed\n", 2,
      "actions: feed: expected a change such as status:closed, not well fed"
    ),
    ("actions:\n  feed: titel:x\n", 2, "actions: feed: there is no field titel; did you mean title?"),
    ("actions:\n  feed it: title:x\n", 2, "actions: feed it: expected a name of letters, digits and '-'"),
    (
      "fields:\n  fed: boolean\nactions:\n  feed: fed:much\n", 4,
      "actions: feed: fed: much is neither true nor false"
    ),
    (
      "actions:\n  feed: title:x\n  Feed: title:y\n", 3, "actions: Feed is declared twice; names ignore case"
    ),
    ("actions:\n  feed: {a: b}\n", 2, "actions: feed: expected a list of changes such as status:closed"),
    ("active:\n", 1, "active: expected a text"),
    ("match: [a]\n", 1, "match: expected a text"),
    ("key: nmae\n", 1, "key: there is no field nmae"),
    ("key: tags\n", 1, "key: tags is a list and can't be a key"),
    ("sort: -titel\n", 1, "sort: there is no field titel; did you mean title?"),
    ("row: title\n", 1, "row: expected a list, with one element per line after '- '"),
    ("row:\n  - titel\n", 2, "row: there is no field titel; did you mean title?"),
    ("row:\n  - {field: title, count: task}\n", 2, "row: expected one of field: and count:"),
    ("row:\n  - {count: taks}\n", 2, "row: count: there is no kind taks; did you mean task?"),
    ("row:\n  - {field: title, stars: true}\n", 2, "row: stars: title is not a whole number"),
    (
      "row:\n  - {field: title, as: {a: [1, 2, 3]}}\n", 2,
      "row: as: a: expected a sign, or a list of a sign and its ASCII form"
    ),
    ("extends: bok\n", 1, "extends: there is no kind bok; did you mean book?"),
    ("extends: pet\n", 1, "extends: there is no kind pet to extend"),
    ("a: &x b\n", 1, "anchors, aliases and YAML tags aren't supported"),
    ("a: !!set b\n", 1, "anchors, aliases and YAML tags aren't supported"),
    ("comment: a\n---\ncomment: b\n", 2, "a file can have only one YAML document"),
    ("comment: \u{7}\n", 1, "a control character, which YAML does not allow"),
    ("a: [[[[[[[[[[[[[[]]]]]]]]]]]]]]\n", 1, "nested deeper than 8 levels"),
    ("? [a]\n: b\n", 1, "expected a name, not a list or a map"),
  ]

  @Test(arguments: mistakes) func eachMistakeIsOneLine(yaml: String, line: Int, message: String) {
    let (schema, problems) = Schema.reading([(".slipbox/kinds/pet.yaml", Array(yaml.utf8))])
    #expect(problems.map(\.message) == [message])
    #expect(problems.map(\.line) == [line])
    #expect(schema.kinds == Schema.builtIn.kinds)
    #expect(problems.first?.description.hasPrefix(".slipbox/kinds/pet.yaml:\(line): ") == true)
  }

  @Test func brokenYAMLIsNamedWithItsLine() {
    let problems = Kinds.reading("pet.yaml", "fields:", "  a: b: c").problems
    #expect(problems.map(\.line) == [2])
    #expect(problems.allSatisfy { $0.message.hasPrefix("not valid YAML: ") })
  }

  @Test func oversizedAndUnreadableFilesAreRefused() {
    let large = Array(repeating: UInt8(ascii: "#"), count: 65_537)
    let files = [("a.yaml", large), ("b.yaml", [0x61, 0xFF]), ("c.yaml", [0x61, 0x3A, 0x20, 0x00])]
    #expect(
      Schema.reading(files).problems.map(\.description) == [
        "a.yaml:1: larger than 64 KB", "b.yaml:1: not UTF-8 text",
        "c.yaml:1: not UTF-8 text",
      ])
  }

  @Test func manyMistakesEndSomewhere() {
    let yaml = (0..<2000).map { "key\($0): x\n" }.joined()
    #expect(Schema.reading([("a.yaml", Array(yaml.utf8))]).problems.count == 20)
  }

  @Test(arguments: [
    ("pet.txt", false), ("pet.yml", true), ("12.yaml", false), ("a b.yaml", false), (".yaml", false),
    ("x/pet.yaml", true),
  ]) func filesAreNamedAfterTheirKinds(name: String, isKind: Bool) {
    let (schema, problems) = Schema.reading([(name, Array("comment: x\n".utf8))])
    #expect(problems.isEmpty == isKind)
    #expect((schema.kind(named: "pet") != nil) == isKind)
  }

  @Test func oneKindHasOneFile() {
    let file = Array("comment: x\n".utf8)
    #expect(
      Schema.reading([("Pet.yml", file), ("pet.yaml", file)]).problems.map(\.description)
        == ["pet.yaml:1: kind pet is already declared by Pet.yml"])
  }

  @Test func aFileReplacesABuiltInKind() {
    let (schema, problems) = Kinds.reading(
      "issue.yaml", "fields:", "  severity: {type: integer, min: 1, max: 4}")
    #expect(problems.isEmpty)
    #expect(schema.kinds.map(\.name) == Schema.builtIn.kinds.map(\.name))
    #expect(schema.kind(named: "issue")?.fields.map(\.name) == ["severity"])
    #expect(schema.kind(named: "issue")?.actions == [])
  }

  @Test func aFileExtendsAKind() throws {
    let (schema, problems) = Kinds.reading(
      "book.yaml", "extends: book", "fields:", "  rating: {type: integer, min: 1, max: 10}",
      "  lent-to: text",
      "actions:", "  lend: lent-to:someone", "constraints:", "  - added <= created")
    #expect(problems.isEmpty)
    let (old, new) = (
      try #require(Schema.builtIn.kind(named: "book")), try #require(schema.kind(named: "book"))
    )
    #expect(new.fields.map(\.name) == old.fields.map(\.name) + ["lent-to"])
    #expect(new.field("rating")?.maximum == 10)
    #expect(new.actions.map(\.name) == ["shelve", "start", "finish", "lend"])
    #expect(new.transitions == old.transitions)
    #expect(new.constraints.dropLast() == old.constraints[...])
    #expect(new.row == old.row)
  }

  @Test func aFileAddsToTheUrgencyOfAKind() throws {
    let old = try #require(Schema.builtIn.kind(named: "task")).urgency
    let first = try #require(old.first)
    let (schema, problems) = Kinds.reading(
      "chore.yaml", "extends: task", "urgency:", "  - '\(first.query) 0.5'", "  - '+home 5'")
    #expect(problems.isEmpty)
    let urgency = try #require(schema.kind(named: "chore")).urgency
    #expect(urgency.map(\.query) == old.dropFirst().map(\.query) + [first.query, "+home"])
    #expect(urgency.count { $0.query == first.query } == 1)
  }

  @Test func faultsOfWhatIsInheritedStandAtExtends() {
    let (_, problems) = Kinds.reading(
      "book.yaml", "comment: x", "extends: book", "fields:", "  status: {type: choice, values: [here, away]}")
    #expect(!problems.isEmpty)
    #expect(problems.allSatisfy { $0.line == 2 })
  }

  @Test func kindsExtendOneAnother() {
    let files: [(name: String, bytes: [UInt8])] = [
      ("a.yaml", Array("extends: b\n".utf8)), ("b.yaml", Array("extends: c\nsort: title\n".utf8)),
      ("c.yaml", Array("fields:\n  x: text\nmatch: has:x\n".utf8)),
    ]
    let (schema, problems) = Schema.reading(files)
    #expect(problems.isEmpty)
    #expect(schema.kind(named: "a")?.fields.map(\.name) == ["x"])
    #expect(schema.kind(named: "a")?.sort == "title")
    #expect(schema.kind(named: "a")?.match == nil)
  }

  @Test func cyclesAreRefused() {
    let files: [(name: String, bytes: [UInt8])] = [
      ("a.yaml", Array("extends: b\n".utf8)), ("b.yaml", Array("\nextends: a\n".utf8)),
      ("c.yaml", Array("extends: a\n".utf8)),
    ]
    let (schema, problems) = Schema.reading(files)
    #expect(schema.kinds.count == 5)
    #expect(
      problems.map(\.description) == [
        "a.yaml:1: extends: these kinds extend each other: a extends b",
        "b.yaml:2: extends: these kinds extend each other: a extends b",
        "c.yaml:1: extends: the file of kind a is invalid",
      ])
  }

  @Test func whoExtendsACycleIsNoPartOfIt() {
    let files = ["a": "m", "m": "n", "n": "m"].map {
      (name: "\($0).yaml", bytes: Array("extends: \($1)\n".utf8))
    }
    #expect(
      Schema.reading(files).problems.map(\.description) == [
        "a.yaml:1: extends: the file of kind m is invalid",
        "m.yaml:1: extends: these kinds extend each other: m extends n",
        "n.yaml:1: extends: these kinds extend each other: m extends n",
      ])
  }

  @Test func longChainsAreRefused() {
    let files = (0..<40).map { (name: "k\($0).yaml", bytes: Array("extends: k\($0 + 1)\n".utf8)) }
    let (schema, problems) = Schema.reading(files)
    #expect(schema.kinds.count == 5)
    #expect(problems.count == 40)
  }

  @Test func aMistakeLeavesTheBuiltInKind() {
    let files: [(name: String, bytes: [UInt8])] = [
      ("book.yaml", Array("sort: nothing\n".utf8)), ("novel.yaml", Array("extends: book\n".utf8)),
    ]
    let (schema, problems) = Schema.reading(files)
    #expect(problems.map(\.description) == ["book.yaml:1: sort: there is no field nothing"])
    #expect(schema.kind(named: "book") == Schema.builtIn.kind(named: "book"))
    #expect(schema.kind(named: "novel")?.fields == Schema.builtIn.kind(named: "book")?.fields)
  }

  @Test func theLineOfAQueryIsKnown() {
    #expect(Schema.line(ofKey: "active", in: Array("fields:\n  active: text\nactive: x\n".utf8)) == 3)
    #expect(Schema.line(ofKey: "match", in: Array("active: x\n".utf8)) == nil)
  }

  @Test func theSchemaKnowsActionsAndReferences() {
    #expect(
      Schema.builtIn.actionNames == ["close", "finish", "not-today", "reopen", "shelve", "start", "today"])
    #expect(Schema.builtIn.references(to: "group").map(\.kind.name) == ["task"])
    #expect(Schema.builtIn.references(to: "group").map(\.field.onDelete) == [.deny])
    #expect(Schema.builtIn.kind(named: "task")?.blockingFields.map(\.name) == ["depends"])
  }
}
