import Notes
import Testing

@Suite struct ScalarTypeTests {
  @Test(arguments: ["5", "-1.5", "0", "0.5", "2.50", "-0", "123456789012345678"])
  func aPlainDecimalNumberIsANumber(_ text: String) {
    #expect(ScalarType(text, isPlain: true) == .number)
    #expect(ScalarType(text, isPlain: false) == .text)
  }

  @Test(arguments: [
    "012", "1e3", "+5", "1.", ".5", "0x1f", "1_000", "12:30", "2026-01-02", "yes", "True", "", "-", "1.2.3",
    "1234567890123456789", "nan",
  ])
  func anythingElseIsText(_ text: String) { #expect(ScalarType(text, isPlain: true) == .text) }

  @Test func onlyPlainWordsAreBooleans() {
    #expect(ScalarType("true", isPlain: true) == .boolean && ScalarType("false", isPlain: true) == .boolean)
    #expect(ScalarType("true", isPlain: false) == .text)
  }

  @Test(arguments: [
    (
      "---\na: 5\nb: \"5\"\nc: '5'\nd: [1, \"2\", ~]\ne:\n  - 1\n  - '2'\nf:\n---\n",
      [[true], [false], [false], [true, false, true], [true, false], [true]]
    ),
    (
      "---\na: {x: 1, y: \"1\", z: [false, \"no\"]}\nb: !!str 5\nc: &n [1, \"2\"]\nd: *n\ne: |\n  5\n---\n",
      [[true, false, true, false], [false], [true, false], [true, false], [false]]
    ),
    ("+++\na = 5\nb = \"5\"\nc = [1, '2']\n+++\n", [[true], [false], [true, false]]),
    ("---\na: 5\n b: : c\n---\n", [[], []]),
  ])
  func quotesAreKnownForEachScalar(_ text: String, _ expected: [[Bool]]) {
    var quotes = FieldQuotes(NoteText(Array(text.utf8)))
    let found = expected.indices.map { quotes.plainScalars(ofField: $0) }
    #expect(found == expected)
  }

  @Test func fieldsOfARecordKeepTheirTypes() {
    let list = FieldValue.list([.text("1"), .text("2"), .empty, .text("1.5")])
    let note = NoteText(
      fields: [("a", .text("1.5")), ("b", .text("5")), ("c", list), ("d", .text("5"))],
      plainScalars: ["a": [true], "b": [false], "c": [true, false, true, true]], body: [])
    #expect(
      String(decoding: note.bytes, as: UTF8.self)
        == "---\na: 1.5\nb: \"5\"\nc: [1, \"2\", ~, 1.5]\nd: 5\n---\n")
  }

  @Test(arguments: [
    ("a: \"5\" # why", "a: 5 # why"), ("a: 'true'", "a: true"), ("a: '012'", "a: '012'"),
    ("a: [\"1\", 2, 'x', '-1.5']", "a: [1, 2, 'x', -1.5]"),
    ("a:\n  - '1'\n  - \"no\"", "a:\n  - 1\n  - \"no\""),
    ("a: |\n  5", "a: |\n  5"), ("a: 5\nb: '6'", "a: 5\nb: '6'"),
  ])
  func removesTheQuotesOfNumbersAndBooleans(_ before: String, _ after: String) throws {
    let text = { (field: String) in NoteText(Array("---\n\(field)\n---\nText".utf8)) }
    #expect(try text(before).removingQuotes(ofField: "a").bytes == text(after).bytes)
    #expect(try text(after).fieldsWithQuotedTypes().allSatisfy { $0.name != "a" })
    #expect(try text(before).fieldsWithQuotedTypes().contains { $0.name == "a" } == (before != after))
  }

  @Test func mapsKeepTheirQuotes() throws {
    #expect(try NoteText(Array("---\na: {b: '1'}\n---\n".utf8)).fieldsWithQuotedTypes().isEmpty)
  }
}
